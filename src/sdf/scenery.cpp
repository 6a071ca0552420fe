#include "sdf/scenery.h"

#include <fmt/format.h>

#include <algorithm>

#include "sdf/surface.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

constexpr double kSeparationSpeed = 0.1;  // m/s, the least there is here

double brightest(const Vec3& colour) { return colour.maxCoeff(); }

/// The fields that all lights have; false when it gives no light.
bool common(Context& context, const Element& light, NodeMaker& made) {
  if (!flag_in(light, "light_on", true)) return false;
  const Vec3 diffuse = colour_in(context, light, "diffuse").value_or(Vec3::Ones());
  const double intensity = number_in(context, light, "intensity", 1, 0, 1e6);
  const double bright = brightest(diffuse);
  if (!(bright > 0) || !(intensity > 0)) return false;
  made.vec3("color", diffuse / bright).number("intensity", bright * intensity);
  if (flag_in(light, "cast_shadows", false)) made.flag("castShadows", true);
  return true;
}

/// A light that is somewhere. X: in its parent.
NodePtr placed_light(Context& context, const Element& light, const Pose& X) {
  const Text* type = light.attribute("type");
  const bool spot = type && type->value == "spot";
  NodeMaker made(spot ? "SpotLight" : "PointLight", at(light));
  if (!common(context, light, made)) return nullptr;
  made.vec3("location", X.p);
  if (const Element* loss = light.child("attenuation")) {
    made.vec3("attenuation", {number_in(context, *loss, "constant", 1, 0),
                              number_in(context, *loss, "linear", 1, 0),
                              number_in(context, *loss, "quadratic", 0, 0)});
    made.number("radius", number_in(context, *loss, "range", 10, 0, 1e9));
  } else {
    made.vec3("attenuation", {1, 1, 0}).number("radius", 10);
  }
  if (!spot) return made.take();
  Vec3 direction = vec3_in(context, light, "direction", -Vec3::UnitZ());
  if (!(direction.norm() > 1e-9)) direction = -Vec3::UnitZ();
  made.vec3("direction", X.R * direction);
  if (const Element* cone = light.child("spot")) {
    const double inner = number_in(context, *cone, "inner_angle", 0, 0);
    const double outer = number_in(context, *cone, "outer_angle", 0, 0);
    const double cut_off = std::min(outer / 2, kPi / 2);
    made.number("beamWidth", std::min(inner / 2, cut_off)).number("cutOffAngle", cut_off);
  }
  return made.take();
}

}  // namespace

void read_time_step(Context& context, const Element* world) {
  if (const Element* physics = world ? world->child("physics") : nullptr)
    context.step = number_in(context, *physics, "max_step_size", context.step, 1e-6, 10);
}

void read_geography(Context& context, const Element* world) {
  Geography& out = context.geography;
  if (const Element* place = world ? world->child("spherical_coordinates") : nullptr) {
    const Element* model = place->child("surface_model");
    if (model && model->text.value != "EARTH_WGS84") {
      context.ignored.add(fmt::format("the <surface_model> '{}'", model->text.value), model->place);
    } else {
      out.element = place;
      out.latitude = number_in(context, *place, "latitude_deg", 0, -90, 90);
      out.longitude = number_in(context, *place, "longitude_deg", 0, -180, 180);
      out.elevation = number_in(context, *place, "elevation", 0, -1e6, 1e6);
      out.heading = kDegree * number_in(context, *place, "heading_deg", 0, -360, 360);
    }
  }
  // Before SDF 1.6 it is in <physics>.
  const Element* field = world;
  if (world && !world->child("magnetic_field")) field = world->child("physics");
  if (field && field->child("magnetic_field")) {
    const Vec3 field_W = vec3_in(context, *field, "magnetic_field", Vec3::Zero());
    out.magnetic_field = axis_angle(Vec3::UnitZ(), out.heading) * field_W;
  }
  if (const Element* air = world ? world->child("atmosphere") : nullptr)
    out.temperature = number_in(context, *air, "temperature", out.temperature, 0, 65535);
}

NodePtr link_light(Context& context, const Element& light) {
  const Text* type = light.attribute("type");
  if (!type || (type->value != "point" && type->value != "spot")) {
    context.ignored.add(fmt::format("a <light> of type '{}' in a <link>", type ? type->value : ""),
                        light.place);
    return nullptr;
  }
  return placed_light(context, light, context.pose(light));
}

namespace {

class SceneryMaker {
 public:
  SceneryMaker(Context& context, const Element* world, const Element& origin)
      : context_(context), world_(world), origin_element_(origin), origin_(at(origin)) {}

  std::vector<NodePtr> run(const std::string& title) {
    std::vector<NodePtr> out{world_info(title), viewpoint()};
    const Element* scene = world_ ? world_->child("scene") : nullptr;
    NodeMaker background("Background", origin_);
    const auto sky = scene ? colour_in(context_, *scene, "background") : std::nullopt;
    const Vec3 colour = sky.value_or(Vec3(0.7, 0.7, 0.7));
    background.numbers("skyColor", {colour.x(), colour.y(), colour.z()});
    out.push_back(background.take());
    const auto ambient = scene ? colour_in(context_, *scene, "ambient") : std::nullopt;
    lights(ambient.value_or(Vec3::Constant(0.4)), out);
    return out;
  }

 private:
  NodePtr world_info(const std::string& title) {
    NodeMaker made("WorldInfo", origin_);
    made.text("title", title);
    const Element* physics = world_ ? world_->child("physics") : nullptr;
    made.number("basicTimeStep", 1000 * context_.step, physics ? physics->place : Place());
    // Of what overlaps: DART, Gazebo's engine, allows 1 mm/s (ContactConstraint.cpp, DART_MAX_ERV).
    double apart = kSeparationSpeed;
    if (const Element* limits = physics ? physics->find({"ode", "constraints"}) : nullptr)
      apart = number_in(context_, *limits, "contact_max_correcting_vel", apart, 0);
    made.number("maxSeparationSpeed", apart);
    // Before SDF 1.6 it is in <physics>.
    const Element* owner = world_ && !world_->child("gravity") ? physics : world_;
    if (const Element* gravity = owner ? owner->child("gravity") : nullptr) {
      const Vec3 g = vec3_in(context_, *owner, "gravity", {0, 0, -9.8});
      made.number("gravity", g.norm(), gravity->place);
      if (g.x() != 0 || g.y() != 0 || g.z() > 0) made.vec3("gravityDirection", g, gravity->place);
    } else {
      made.number("gravity", 9.8);
    }
    geodetic(made);
    made.nodes("contactProperties", all_contact_properties());
    return made.take();
  }

  std::vector<NodePtr> all_contact_properties() const {
    std::vector<NodePtr> out = contact_properties(context_, origin_element_);
    out.insert(out.begin(), NodeMaker("ContactProperties", origin_)
                                .text("material1", "default")
                                .text("material2", "default")
                                .numbers("coulombFriction", {kOwnFriction})
                                .number("bounce", 0)
                                .take());
    return out;
  }

  void geodetic(NodeMaker& made) const {
    const Geography& place = context_.geography;
    if (!place.element) return;
    made.text("gpsCoordinateSystem", "WGS84")
        .vec3("gpsReference", {place.latitude, place.longitude, place.elevation},
              place.element->place);
    if (place.heading != 0) made.number("gpsRotation", place.heading);
  }

  NodePtr viewpoint() {
    NodeMaker made("Viewpoint", origin_);
    const Element* gui = world_ ? world_->child("gui") : nullptr;
    const Element* camera = gui ? gui->child("camera") : nullptr;
    if (!camera && gui) {
      for (const Element* plugin : gui->all("plugin")) {
        if (plugin->child("camera_pose")) return viewpoint(*plugin, "camera_pose");
      }
    }
    if (camera && camera->child("pose")) return viewpoint(*camera, "pose");
    const Quat looks = wbt::rotation_of(0, 0.5, 0);
    return made.vec3("position", {-12, 0, 7}).rotation("orientation", looks).take();
  }
  NodePtr viewpoint(const Element& owner, const char* tag) {
    NodeMaker made("Viewpoint", at(*owner.child(tag)));
    Element pose = *owner.child(tag);
    pose.tag = "pose";
    Element holder;
    holder.children.push_back(std::move(pose));
    const Pose X = urdf::child_pose(holder, context_.diagnostics);
    return made.vec3("position", X.p).rotation("orientation", X.R).take();
  }

  /// Light from all sides is a part of the first light here; of one of its own where there is none.
  void lights(const Vec3& ambient, std::vector<NodePtr>& out) {
    const std::size_t first = out.size();
    for (const Element* light : world_ ? world_->all("light") : std::vector<const Element*>()) {
      if (NodePtr node = world_light(*light)) out.push_back(std::move(node));
    }
    const double share = std::min(1.0, brightest(ambient));
    NodeMaker made("DirectionalLight", origin_);
    made.vec3("direction", {-0.5, 0.1, -0.9}).number("ambientIntensity", share);
    made.number("intensity", world_ ? 0 : 0.8);
    if (share > 0 || !world_)
      out.insert(out.begin() + static_cast<std::ptrdiff_t>(first), made.take());
  }

  NodePtr world_light(const Element& light) {
    const Text* type = light.attribute("type");
    if (type && (type->value == "point" || type->value == "spot"))
      return placed_light(context_, light, context_.pose(light));
    if (!type || type->value != "directional") {
      context_.diagnostics.error(
          type ? type->place : light.place,
          type ? fmt::format("there is no type '{}' of a <light>", type->value)
               : std::string("a <light> needs a type"),
          "directional, point or spot");
      return nullptr;
    }
    NodeMaker made("DirectionalLight", at(light));
    if (!common(context_, light, made)) return nullptr;
    const Vec3 direction = vec3_in(context_, light, "direction", -Vec3::UnitZ());
    if (!(direction.norm() > 1e-9)) {
      context_.diagnostics.error(light.place, "the <direction> of a <light> must not be 0");
      return nullptr;
    }
    return made.vec3("direction", context_.pose(light).R * direction).take();
  }

  Context& context_;
  const Element* world_;
  const Element& origin_element_;
  wbt::Origin origin_;
};

}  // namespace

std::vector<NodePtr> scenery(Context& context, const Element* world, const Element& origin,
                             const std::string& title) {
  return SceneryMaker(context, world, origin).run(title);
}

}  // namespace protobeam::sdf
