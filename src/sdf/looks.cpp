#include "sdf/looks.h"

#include <fmt/format.h>

#include "sdf/material_script.h"
#include "urdf/gazebo_looks.h"
#include "urdf/shapes.h"

namespace protobeam::sdf {
namespace {

class LookMaker {
 public:
  LookMaker(Context& context, const Element& visual, const Element* material)
      : context_(context), visual_(visual), material_(material) {}

  NodePtr run() {
    NodeMaker made("PBRAppearance", at(material_ ? *material_ : visual_));
    double alpha = 1;
    const Element* pbr = material_ ? material_->find({"pbr", "metal"}) : nullptr;
    if (const Element* script = material_ && !pbr ? material_->child("script") : nullptr)
      script_ = look_of(context_, *script);
    NodePtr picture = pbr ? map(*pbr, "albedo_map") : nullptr;
    if (script_) picture = add_picture(made, *script_);
    const Vec3 base = colour(alpha, picture != nullptr);
    made.vec3("baseColor", base);
    made.node("baseColorMap", picture);
    double transparency = number_in(context_, visual_, "transparency", 0, 0, 1);
    transparency = 1 - (1 - transparency) * alpha;
    if (transparency > 0) made.number("transparency", transparency);
    if (material_) emission(made, pbr, base);
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
  /// The picture of a script, which is repeated by the inverse of its scale.
  NodePtr add_picture(NodeMaker& made, const ScriptLook& look) {
    if (look.texture.empty()) return nullptr;
    const Text address{look.texture, material_->child("script")->place, false};
    NodePtr out = urdf::texture(context_.resources, context_.folder, address, context_.diagnostics);
    if (out && look.scale != Vec2::Ones()) {
      made.node("textureTransform", NodeMaker("TextureTransform", at(*material_))
                                        .vec2("scale", {1 / look.scale.x(), 1 / look.scale.y()})
                                        .take());
    }
    return out;
  }

  Vec3 colour(double& alpha, bool has_picture) {
    if (!material_) return Vec3::Constant(0.7);
    if (const auto diffuse = colour_in(context_, *material_, "diffuse", &alpha)) return *diffuse;
    if (script_) {
      alpha *= script_->alpha;
      if (script_->diffuse) return *script_->diffuse;
      return has_picture ? Vec3::Ones() : script_->ambient.value_or(Vec3::Constant(0.7));
    }
    if (const Element* script = material_->child("script")) {
      const Element* name = script->child("name");
      // Without a <name> its text is meant to be one, though Gazebo does not read it.
      const std::string of = name ? name->text.value : script->text.value;
      if (const auto look = urdf::gazebo_look(of)) {
        alpha *= 1 - look->transparency;
        glow_ = look->glows;
        return look->colour;
      }
      const std::string nearest = urdf::near_gazebo_look(of);
      context_.ignored.add(fmt::format("the <script> '{}' of a <material>", of), script->place,
                           nearest.empty() ? "the shape is grey" : nearest);
      return Vec3::Constant(0.7);
    }
    if (const auto ambient = colour_in(context_, *material_, "ambient")) return *ambient;
    return Vec3::Constant(has_picture ? 1 : 0.7);
  }

  void emission(NodeMaker& made, const Element* pbr, const Vec3& base) {
    const NodePtr picture = pbr ? map(*pbr, "emissive_map") : nullptr;
    auto colour = colour_in(context_, *material_, "emissive");
    if (!colour && script_) colour = script_->emissive;
    if (picture) {
      made.node("emissiveColorMap", picture).vec3("emissiveColor", Vec3::Ones());
    } else if (colour && colour->maxCoeff() > 0) {
      made.vec3("emissiveColor", *colour);
    } else if (glow_) {
      made.vec3("emissiveColor", base);
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
  std::optional<ScriptLook> script_;  ///< in a file of the model
  bool glow_ = false;                 ///< a script of Gazebo says so
};

}  // namespace

NodePtr appearance_of(Context& context, const Element& visual, bool is_mesh) {
  const Element* material = visual.child("material");
  const bool transparent = number_in(context, visual, "transparency", 0, 0, 1) > 0;
  if (is_mesh && (!material || material->children.empty()) && !transparent) return nullptr;
  return LookMaker(context, visual, material).run();
}

}  // namespace protobeam::sdf
