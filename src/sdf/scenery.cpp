#include "sdf/scenery.h"

#include <fmt/format.h>

#include <algorithm>

#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

constexpr double kSeparationSpeed = 0.1;  // m/s, the least there is here
constexpr double kBounceSpeed = 0.1;      // m/s, from which DART's contacts bounce
constexpr double kOwnFriction = 1;  // of what says nothing, in Gazebo as here

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
  if (world && world->child("magnetic_field")) {
    const Vec3 field_W = vec3_in(context, *world, "magnetic_field", Vec3::Zero());
    out.magnetic_field = axis_angle(Vec3::UnitZ(), out.heading) * field_W;
  }
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
      : context_(context), world_(world), origin_(at(origin)) {}

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
    double step = 0.001;
    if (physics) step = number_in(context_, *physics, "max_step_size", step, 1e-6, 10);
    made.number("basicTimeStep", 1000 * step, physics ? physics->place : Place());
    // Of what overlaps: DART, Gazebo's engine, allows 1 mm/s (ContactConstraint.cpp, DART_MAX_ERV).
    double apart = kSeparationSpeed;
    if (const Element* limits = physics ? physics->find({"ode", "constraints"}) : nullptr)
      apart = number_in(context_, *limits, "contact_max_correcting_vel", apart, 0);
    made.number("maxSeparationSpeed", apart);
    // Before SDF 1.6 it is in <physics>.
    const Element* owner = world_ && !world_->child("gravity") ? physics : world_;
    if (const Element* gravity = owner ? owner->child("gravity") : nullptr) {
      const Vec3 g = vec3_in(context_, *owner, "gravity", {0, 0, -9.8});
      if (g.x() != 0 || g.y() != 0 || g.z() > 0) {
        context_.diagnostics.error(
            gravity->place,
            fmt::format("<gravity> must point along -z, got {} {} {}", g.x(), g.y(), g.z()));
      }
      made.number("gravity", std::abs(g.z()), gravity->place);
    } else {
      made.number("gravity", 9.8);
    }
    geodetic(made);
    made.nodes("contactProperties", contact_properties());
    return made.take();
  }

  /// Gazebo takes the lower of two frictions, along the direction of the first that has one, and
  /// the sum of two slips, and the lower bounce and threshold (Gazebo Classic, ODEPhysics.cc).
  std::vector<NodePtr> contact_properties() const {
    constexpr std::size_t kMost = 30;  // materials, of which there are pairs
    std::vector<NodePtr> out;
    const auto add = [&](const std::string& a, const Surface& of_a, const std::string& b,
                         const Surface& of_b) {
      const bool by_a = of_a.directed() || !of_b.directed();
      const double along = std::min(of_a.along, of_b.along);
      const double across = std::min(of_a.across, of_b.across);
      const double slip_along = of_a.slip_along + of_b.slip_along;
      const double slip_across = of_a.slip_across + of_b.slip_across;
      NodeMaker made("ContactProperties", origin_);
      made.text("material1", by_a ? a : b).text("material2", by_a ? b : a);
      const auto pair = [&](const char* field, double one, double other) {
        made.numbers(field, one == other ? std::vector{one} : std::vector{one, other});
      };
      pair("coulombFriction", along, across);
      if (slip_along > 0 || slip_across > 0) pair("forceDependentSlip", slip_along, slip_across);
      if (along != across || slip_along != slip_across) {
        const auto& [x, y, z] = (by_a ? of_a : of_b).direction;
        made.vec3("frictionDirection", {x, y, z});
      }
      const double bounce = std::min(of_a.bounce, of_b.bounce);
      made.number("bounce", bounce);
      const double from = std::min(of_a.bounce_speed, of_b.bounce_speed);
      if (bounce > 0)
        made.number("bounceVelocity", from < Surface::kInfinite ? from : kBounceSpeed);
      out.push_back(made.take());
    };
    const Surface own{kOwnFriction, kOwnFriction};
    add("default", own, "default", own);
    std::size_t number = 0;
    const auto& all = context_.materials;
    for (auto one = all.begin(); one != all.end(); ++one) {
      add(one->second, one->first, "default", own);
      if (++number > kMost) continue;
      for (auto other = all.begin(); other != std::next(one); ++other)
        add(other->second, other->first, one->second, one->first);
    }
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
  wbt::Origin origin_;
};

}  // namespace

std::vector<NodePtr> scenery(Context& context, const Element* world, const Element& origin,
                             const std::string& title) {
  return SceneryMaker(context, world, origin).run(title);
}

}  // namespace protobeam::sdf
