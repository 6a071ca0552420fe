#include "sdf/looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "urdf/shapes.h"

namespace protobeam::sdf {
namespace {

struct ScriptColour {
  std::string_view name;
  std::array<double, 3> colour;
};
// Diffuse colours of Gazebo's own scripts (gazebo/media/materials/scripts/gazebo.material).
constexpr std::array kScriptColours{ScriptColour{"Grey", {0.7, 0.7, 0.7}},
                                    ScriptColour{"Gray", {0.7, 0.7, 0.7}},
                                    ScriptColour{"DarkGrey", {0.175, 0.175, 0.175}},
                                    ScriptColour{"DarkGray", {0.175, 0.175, 0.175}},
                                    ScriptColour{"White", {1, 1, 1}},
                                    ScriptColour{"Black", {0, 0, 0}},
                                    ScriptColour{"FlatBlack", {0.1, 0.1, 0.1}},
                                    ScriptColour{"Red", {1, 0, 0}},
                                    ScriptColour{"RedBright", {0.87, 0.26, 0.07}},
                                    ScriptColour{"Green", {0, 1, 0}},
                                    ScriptColour{"Blue", {0, 0, 1}},
                                    ScriptColour{"SkyBlue", {0.13, 0.44, 0.7}},
                                    ScriptColour{"Yellow", {1, 1, 0}},
                                    ScriptColour{"Gold", {0.8, 0.64869, 0.120759}},
                                    ScriptColour{"Orange", {1, 0.5088, 0.0468}},
                                    ScriptColour{"Purple", {1, 0, 1}},
                                    ScriptColour{"Turquoise", {0, 1, 1}},
                                    ScriptColour{"Indigo", {0.33, 0, 0.5}},
                                    ScriptColour{"WhiteGlow", {1, 1, 1}},
                                    ScriptColour{"RedGlow", {1, 0, 0}},
                                    ScriptColour{"GreenGlow", {0, 1, 0}},
                                    ScriptColour{"BlueGlow", {0, 0, 1}},
                                    ScriptColour{"YellowGlow", {1, 1, 0}},
                                    ScriptColour{"Wood", {0.6, 0.45, 0.3}},
                                    ScriptColour{"Bricks", {0.6, 0.35, 0.28}},
                                    ScriptColour{"Road", {0.25, 0.25, 0.25}},
                                    ScriptColour{"CeilingTiled", {0.8, 0.8, 0.8}},
                                    ScriptColour{"PaintedWall", {0.85, 0.85, 0.8}},
                                    ScriptColour{"WoodFloor", {0.6, 0.45, 0.3}},
                                    ScriptColour{"Pedestrian", {0.7, 0.6, 0.5}},
                                    ScriptColour{"Residential", {0.6, 0.55, 0.5}}};

std::optional<Vec3> script_colour(const Element& material) {
  const Element* name = material.find({"script", "name"});
  constexpr std::string_view kGazebo = "Gazebo/";
  if (!name || !name->text.value.starts_with(kGazebo)) return std::nullopt;
  const std::string_view own = std::string_view(name->text.value).substr(kGazebo.size());
  const auto found = std::ranges::find_if(kScriptColours,
                                          [&](const ScriptColour& one) { return one.name == own; });
  if (found == kScriptColours.end()) return std::nullopt;
  return Vec3(found->colour[0], found->colour[1], found->colour[2]);
}

class LookMaker {
 public:
  LookMaker(Context& context, const Element& visual, const Element* material)
      : context_(context), visual_(visual), material_(material) {}

  NodePtr run() {
    NodeMaker made("PBRAppearance", at(material_ ? *material_ : visual_));
    double alpha = 1;
    const Element* pbr = material_ ? material_->find({"pbr", "metal"}) : nullptr;
    const NodePtr picture = pbr ? map(*pbr, "albedo_map") : nullptr;
    made.vec3("baseColor", colour(alpha, picture != nullptr));
    made.node("baseColorMap", picture);
    double transparency = number_in(context_, visual_, "transparency", 0, 0, 1);
    transparency = 1 - (1 - transparency) * alpha;
    if (transparency > 0) made.number("transparency", transparency);
    if (material_) emission(made, pbr);
    if (pbr) {
      made.number("roughness", number_in(context_, *pbr, "roughness", 0.5, 0, 1))
          .number("metalness", number_in(context_, *pbr, "metalness", 0.5, 0, 1))
          .node("roughnessMap", map(*pbr, "roughness_map"))
          .node("metalnessMap", map(*pbr, "metalness_map"))
          .node("normalMap", map(*pbr, "normal_map"))
          .node("occlusionMap", map(*pbr, "ambient_occlusion_map"));
    } else {
      made.number("roughness", 1).number("metalness", 0);
    }
    return made.take();
  }

 private:
  Vec3 colour(double& alpha, bool has_picture) {
    if (!material_) return Vec3::Constant(0.7);
    if (const auto diffuse = colour_in(context_, *material_, "diffuse", &alpha)) return *diffuse;
    if (const auto scripted = script_colour(*material_)) return *scripted;
    if (const Element* script = material_->child("script")) {
      const Element* name = script->child("name");
      context_.ignored.add(
          fmt::format("the <script> '{}' of a <material>", name ? name->text.value : ""),
          script->place, "the shape is grey");
      return Vec3::Constant(0.7);
    }
    if (const auto ambient = colour_in(context_, *material_, "ambient")) return *ambient;
    return Vec3::Constant(has_picture ? 1 : 0.7);
  }

  void emission(NodeMaker& made, const Element* pbr) {
    const NodePtr picture = pbr ? map(*pbr, "emissive_map") : nullptr;
    const auto colour = colour_in(context_, *material_, "emissive");
    if (picture) {
      made.node("emissiveColorMap", picture).vec3("emissiveColor", Vec3::Ones());
    } else if (colour && colour->maxCoeff() > 0) {
      made.vec3("emissiveColor", *colour);
    }
  }

  NodePtr map(const Element& pbr, const char* tag) {
    const Element* address = pbr.child(tag);
    return address ? urdf::texture(context_.resources, context_.folder, address->text,
                                   context_.diagnostics)
                   : nullptr;
  }

  Context& context_;
  const Element& visual_;
  const Element* material_;
};

}  // namespace

NodePtr appearance_of(Context& context, const Element& visual, bool is_mesh) {
  const Element* material = visual.child("material");
  const bool transparent = number_in(context, visual, "transparency", 0, 0, 1) > 0;
  if (is_mesh && (!material || material->children.empty()) && !transparent) return nullptr;
  return LookMaker(context, visual, material).run();
}

}  // namespace protobeam::sdf
