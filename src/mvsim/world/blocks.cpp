#include "mvsim/world/blocks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/libm.h"
#include "mvsim/expression.h"
#include "mvsim/world/animations.h"
#include "mvsim/world/outline.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {
namespace {

/// A shape, to see, to touch and to stand on.
struct Form {
  wbt::NodePtr geometry;
  Pose X;
  Outline outline;
  double high = 1;                         ///< m
  std::function<double(const Vec2&)> top;  ///< empty: flat, as high as `high`
};

Outline rectangle(double x0, double x1, double y0, double y1) {
  return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}};
}

Outline circle(double radius) {
  constexpr int kCorners = 32;
  Outline out;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2 * kPi * i / kCorners;
    out.emplace_back(radius * libm::cos(angle), radius * libm::sin(angle));
  }
  return out;
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
          Pose::rotation(axis_angle(Vec3::UnitZ(), kPi / 2)),
          rectangle(-length / 2, length / 2, -width / 2, width / 2), height, [=](const Vec2& p) {
            const double across = 2 * p.y() / width;
            return height * std::sqrt(std::max(0.0, 1 - across * across));
          }};
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
        Pose::translation({0, 0, length / 2}),
        circle(radius),
        length,
        {}};
  }
  if (type.value == "sphere") {
    const double radius = size("radius");
    return Form{NodeMaker("Sphere", origin).number("radius", radius).take(),
                {},
                circle(radius),
                radius,
                {}};
  }
  if (type.value == "box") {
    const Vec3 extent(size("lx"), size("ly"), size("lz"));
    return Form{NodeMaker("Box", origin).vec3("size", extent).take(),
                Pose::translation(extent / 2),
                rectangle(0, extent.x(), 0, extent.y()),
                extent.z(),
                {}};
  }
  if (type.value == "ramp") {
    const double lx = size("lx"), ly = size("ly"), lz = size("lz");
    return Form{extruded_along_y({{0, 0}, {lx, 0}, {lx, lz}}, -ly / 2, ly / 2, origin),
                {},
                rectangle(0, lx, -ly / 2, ly / 2),
                lz,
                [=](const Vec2& p) { return lz * p.x() / lx; }};
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

/// Outline and height of the models between zmin and zmax: of a tree its trunk.
void take_prism_from(Import& import, const std::vector<Visual>& visuals, const Reader& reader,
                     const Element& tag, Prism& prism) {
  constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  const auto points = points_between(import, visuals, reader.number("zmin", -kAnywhere),
                                     reader.number("zmax", kAnywhere), tag);
  if (!points) return;
  std::vector<Vec2> flat;
  double low = kAnywhere, high = -kAnywhere;
  for (const Vec3& p : *points) {
    flat.push_back(p.head<2>());
    low = std::min(low, p.z());
    high = std::max(high, p.z());
  }
  Outline hull = convex_hull(std::move(flat));
  if (hull.size() < 3 || !(low < high)) {
    reader.error(tag.place, "<shape_from_visual> of <block> finds nothing of the model",
                 "<zmin> and <zmax> must leave a part of it that has a volume");
    return;
  }
  prism = {std::move(hull), low, high};
}

Form form_of(Import& import, const Element& block, const std::vector<Visual>& visuals) {
  // A <shape> counts before a <geometry> (Block.cpp, factory).
  if (!block.child("shape")) {
    if (auto form = written_geometry(import, block)) return std::move(*form);
  }
  const Reader reader = import.children(block);
  Prism prism{{{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}}, 0, 1};
  const Element* tag = block.child("shape_from_visual");
  if (tag && !visuals.empty()) {
    take_prism_from(import, visuals, reader, *tag, prism);
  } else {
    prism.low = reader.number("zmin", prism.low);
    const auto high = reader.number("zmax", prism.high);
    prism.high = high;
    if (!(prism.low < prism.high)) {
      reader.error(high.place, reader.subject("zmax") + " must be greater than its zmin " +
                                   to_text(prism.low) + ", got " + to_text(prism.high));
      prism.high = prism.low + 1;
    }
    if (auto outline = written_outline(import, block)) prism.outline = std::move(*outline);
  }
  return {prism_node(prism, block), {}, prism.outline, prism.high, {}};
}

/// What only wheels touch in MVSim, because it goes up within its outline.
bool is_driven_on(Import& import, const Element& block) {
  const Element* geometry = block.child("geometry");
  if (!geometry || block.child("shape")) return false;
  const std::string type = import.attributes(*geometry).text("type");
  return type == "ramp" || type == "semi_cylinder_bump";
}

std::string material_of(Import& import, const Surface& surface, const Element& block) {
  if (!import.surfaces.has_room_for(surface)) {
    import.unsimulated.add("a different friction for so many kinds of blocks", block,
                           "they slide as the first kind does");
  }
  return import.surfaces.material(surface);
}

/// Box2D's damping d as the share of the velocity that is gone after a second.
double share_lost(double damping) { return 1 - libm::exp(-damping); }

}  // namespace

wbt::NodePtr block_node(Import& import, const Element& block) {
  const Reader reader = import.children(block);
  StartPose start = start_pose(import, block);
  const auto visuals = visuals_of(import, block);
  const Form form = form_of(import, block, visuals);
  // Only its height: MVSim's blocks stay upright.
  if (!block.child("skip_elevation_adjust")) {
    const bool plain = block.child("geometry") && !block.child("shape_from_visual");
    const double reach = (plain ? reader.number("zmax", 1).value : form.high) / 2;
    start.X.p.z() = import.terrain.height(start.X.p.head<2>(), start.X.p.z() + reach);
  }
  const Origin origin(block);
  NodeMaker solid("Solid", block);
  solid.pose(start.X, start.place);
  if (const Text* name = block.attribute("name")) solid.text("name", name->value, name->place);
  solid.nodes(
      "children",
      seen(visuals, posed(shape(form.geometry, reader.color("color", {0, 0, 255, 255}), origin),
                          form.X, origin)));
  import.unsimulated.publish(block);
  // Ramps and bumps are intangible in MVSim because its bodies are flat and would stop at them; its
  // wheels are on top of them all the same (Block.cpp, getElevationAt).
  const bool intangible = reader.boolean("intangible", false);
  if (intangible && !is_driven_on(import, block)) return solid.take();
  const auto top = form.top ? form.top : [z = form.high](const Vec2&) { return z; };
  import.terrain.add(Terrain::Top{start.X, form.outline, top});
  const Surface surface{reader.at_least("ground_friction", 0, 0.5),
                        reader.at_least("lateral_friction", 0, 0.5),
                        reader.between("restitution", 0, 1, 0.01)};
  solid.text("contactMaterial", material_of(import, surface, block))
      .node("boundingObject", posed(form.geometry, form.X, origin));
  const auto mass = reader.positive("mass", 30);
  if (intangible || reader.boolean("static", false) || is_animated(block)) return solid.take();
  import.surfaces.set_moves();
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

}  // namespace protobeam::mvsim
