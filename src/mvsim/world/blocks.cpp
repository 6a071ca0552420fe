#include "mvsim/world/blocks.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "mvsim/expression.h"
#include "mvsim/world/outline.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {
namespace {

constexpr std::size_t kMostMaterials = 40;

/// A shape, to see and to touch.
struct Form {
  wbt::NodePtr geometry;
  Pose X;
};

Form box_between(const Vec3& low, const Vec3& high, const Origin& origin) {
  return {NodeMaker("Box", origin).vec3("size", high - low).take(),
          Pose::translation((low + high) / 2)};
}

/// Half a cylinder along x over the ground, as high as `height` and as wide as `width`.
Form bump(double length, double width, double height, const Origin& origin) {
  constexpr int kFacets = 32;
  Outline outline;
  for (int i = 0; i <= kFacets; ++i) {
    const double angle = kPi * i / kFacets;
    outline.emplace_back(width / 2 * libm::cos(angle),
                         i == kFacets ? 0 : height * libm::sin(angle));
  }
  // Drawn along y, then turned to x.
  return {extruded_along_y(outline, -length / 2, length / 2, origin),
          Pose::rotation(axis_angle(Vec3::UnitZ(), kPi / 2))};
}

std::optional<Form> written_geometry(Import& import, const Element& block) {
  const Element* element = block.child("geometry");
  if (!element) return std::nullopt;
  const Origin origin(*element);
  const Reader reader = import.attributes(*element);
  const auto type = reader.text("type");
  const auto size = [&](const char* name) {
    const auto value = reader.positive(name, 1);
    if (!reader.find(name)) {
      reader.error(element->place, "<geometry> of type '" + type.value + "' has no '" + name + "'");
    }
    return value.value;
  };
  if (type.value == "cylinder") {
    const double radius = size("radius"), length = size("length");
    return Form{
        NodeMaker("Cylinder", origin).number("radius", radius).number("height", length).take(),
        Pose::translation({0, 0, length / 2})};
  }
  if (type.value == "sphere") {
    return Form{NodeMaker("Sphere", origin).number("radius", size("radius")).take(), {}};
  }
  if (type.value == "box") {
    return box_between(Vec3::Zero(), {size("lx"), size("ly"), size("lz")}, origin);
  }
  if (type.value == "ramp") {
    const double lx = size("lx"), ly = size("ly"), lz = size("lz");
    return Form{extruded_along_y({{0, 0}, {lx, 0}, {lx, lz}}, -ly / 2, ly / 2, origin), {}};
  }
  if (type.value == "semi_cylinder_bump") {
    return bump(size("lx"), size("ly"), size("lz"), origin);
  }
  const std::vector<std::string> known{"cylinder", "sphere", "box", "ramp", "semi_cylinder_bump"};
  reader.error(type.place,
               type.written ? "unknown 'type' '" + type.value + "' of <geometry>"
                            : "<geometry> wants the attribute 'type'",
               did_you_mean(type.value, known));
  return std::nullopt;
}

Form form_of(Import& import, const Element& block, const std::vector<Visual>& visuals) {
  if (auto form = written_geometry(import, block)) return std::move(*form);
  const Reader reader = import.children(block);
  Prism prism{{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}}, 0, 1};
  if (block.child("shape_from_visual") && !visuals.empty()) {
    const auto points = points_of(import, visuals, *block.child("shape_from_visual"));
    std::vector<Vec2> flat;
    for (const Vec3& p : points) flat.push_back(p.head<2>());
    Outline hull = convex_hull(std::move(flat));
    if (hull.size() >= 3) {
      const auto [low, high] = std::minmax_element(
          points.begin(), points.end(), [](const Vec3& a, const Vec3& b) { return a.z() < b.z(); });
      prism = {std::move(hull), low->z(), high->z()};
    }
  }
  prism.low = reader.number("zmin", prism.low);
  const auto high = reader.number("zmax", prism.high);
  prism.high = high;
  if (!(prism.low < prism.high)) {
    reader.error(high.place, reader.subject("zmax") + " must be greater than its zmin " +
                                 to_text(prism.low) + ", got " + to_text(prism.high));
    prism.high = prism.low + 1;
  }
  if (auto outline = written_outline(import, block)) prism.outline = std::move(*outline);
  return {prism_node(prism, block), {}};
}

/// Box2D's damping d as the share of the velocity that is gone after a second.
double share_lost(double damping) { return 1 - libm::exp(-damping); }

}  // namespace

std::string Blocks::material(const Surface& surface, const Element& block) {
  const auto known = materials_.find(surface);
  if (known != materials_.end()) return known->second;
  if (materials_.size() >= kMostMaterials) {
    import_.unsimulated.add(
        "a different friction for more than " + std::to_string(kMostMaterials) + " kinds of blocks",
        block, "they slide as the first kind does");
    return materials_.begin()->second;
  }
  return materials_[surface] = "block " + std::to_string(materials_.size() + 1);
}

wbt::NodePtr Blocks::node(const Element& block) {
  const Reader reader = import_.children(block);
  StartPose start = start_pose(import_, block);
  // Only its height: MVSim's blocks stay upright.
  const double reach = reader.number("zmax", 1) / 2;
  if (!block.child("skip_elevation_adjust")) {
    start.X.p.z() = import_.terrain.height(start.X.p.head<2>(), start.X.p.z() + reach);
  }
  const auto visuals = visuals_of(import_, block);
  const Form form = form_of(import_, block, visuals);
  const Origin origin(block);
  NodeMaker solid("Solid", block);
  solid.pose(start.X, start.place);
  if (const Text* name = block.attribute("name")) solid.text("name", name->value, name->place);
  solid.nodes(
      "children",
      seen(visuals, posed(shape(form.geometry, reader.color("color", {0, 0, 255, 255}), origin),
                          form.X, origin)));
  import_.unsimulated.children(block, {"publish", "animation", "visual_scale"});
  if (reader.boolean("intangible", false)) return solid.take();
  const Surface surface{reader.at_least("ground_friction", 0, 0.5),
                        reader.at_least("lateral_friction", 0, 0.5),
                        reader.between("restitution", 0, 1, 0.01)};
  solid.text("contactMaterial", material(surface, block))
      .node("boundingObject", posed(form.geometry, form.X, origin));
  const auto mass = reader.positive("mass", 30);
  if (reader.boolean("static", false)) return solid.take();
  any_moves_ = true;
  if (const auto velocity = reader.pose2d("init_vel")) {
    const Pose2d& v = velocity->value;
    solid.vec3("linearVelocity", start.X.R * Vec3(v.x, v.y, 0), velocity->place)
        .vec3("angularVelocity", start.X.R * Vec3(0, 0, v.yaw), velocity->place);
  }
  const auto linear = reader.at_least("linear_damping", 0, 0.1);
  const auto angular = reader.at_least("angular_damping", 0, 0.1);
  return solid
      .node("physics", NodeMaker("Physics", block)
                           .number("density", -1)
                           .number("mass", mass, mass.place)
                           .node("damping", NodeMaker("Damping", block)
                                                .number("linear", share_lost(linear))
                                                .number("angular", share_lost(angular))
                                                .take())
                           .take())
      .take();
}

std::vector<wbt::NodePtr> Blocks::contact_rules(const Origin& origin) const {
  std::vector<wbt::NodePtr> rules;
  const auto rule = [&](const std::string& a, const std::string& b, double friction,
                        double restitution) {
    rules.push_back(NodeMaker("ContactProperties", origin)
                        .text("material1", a)
                        .text("material2", b)
                        .numbers("coulombFriction", {friction})
                        .number("bounce", restitution)
                        .number("bounceVelocity", 1)
                        .take());
  };
  // Bodies mix as Box2D does: friction by the geometric mean, restitution by the greater one. A
  // chassis is smooth; what holds a vehicle are its tyres.
  constexpr double kChassisRestitution = 0.01;
  rule(kVehicleMaterial, kVehicleMaterial, 0, kChassisRestitution);
  rule(kVehicleMaterial, kGroundMaterial, 0, 0);
  for (auto a = materials_.begin(); a != materials_.end(); ++a) {
    rule(kVehicleMaterial, a->second, 0, std::max(kChassisRestitution, a->first.restitution));
    if (any_moves_) rule(kGroundMaterial, a->second, a->first.ground_friction, 0);
    for (auto b = a; b != materials_.end(); ++b) {
      rule(a->second, b->second, std::sqrt(a->first.friction * b->first.friction),
           std::max(a->first.restitution, b->first.restitution));
    }
  }
  return rules;
}

}  // namespace protobeam::mvsim
