// The elements of a world as PROTOs of protos/elements and nodes of the language.
#include "mvsim/world/elements.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/occupancy_map.h"
#include "mvsim/expression.h"
#include "mvsim/world/element_parts.h"
#include "mvsim/world/elevation_maps.h"
#include "mvsim/world/number_lines.h"
#include "mvsim/world/property_regions.h"

namespace protobeam::mvsim {
namespace {

/// Of a plane: like all that begins somewhere it is put on what lies below it
/// (Simulable.cpp, parseSimulable).
Pose add_pose(Import& import, const Element& element, NodeMaker& made) {
  if (!element.child("init_pose") && !element.child("init_pose3d")) return {};
  constexpr double kReach = 1.5;
  StartPose start = start_pose(import, element);
  if (!element.child("skip_elevation_adjust")) {
    start.X.p.z() = import.terrain.height(start.X.p.head<2>(), start.X.p.z() + kReach);
  }
  made.pose(start.X, start.place);
  return start.X;
}

void add_texture(Import& import, const Element& element, NodeMaker& made) {
  const Reader reader = import.children(element);
  // HorizontalPlane.h, VerticalPlane.h
  const auto color = reader.color("color", {0xa0, 0xa0, 0xa0, 0xff});
  made.vec3("color", rgb(color), color.place);
  add_file(import, element, "texture", "texture", Severity::kWarning, made);
  const auto x = reader.positive("texture_size_x", 1), y = reader.positive("texture_size_y", 1);
  if (x.written || y.written) made.vec2("textureSize", {x, y}, x.written ? x.place : y.place);
}

wbt::NodePtr ground_grid(Import& import, const Element& element) {
  const Reader reader = import.children(element);
  NodeMaker made("GroundGrid", element);
  warn_pose(import, element);
  numbers(reader, {{"x_min", "xMin"}, {"x_max", "xMax"}, {"y_min", "yMin"}, {"y_max", "yMax"}},
          made);
  const auto interval = reader.positive("interval", 5);
  made.number("interval", interval, interval.place);
  add_color(reader, "color", made);
  import.unsimulated.children(element, {"floating_focus", "line_width"},
                              "the grid stays where it is");
  return made.take();
}

wbt::NodePtr horizontal_plane(Import& import, const Element& element) {
  NodeMaker made("HorizontalPlane", element);
  const Reader reader = import.children(element);
  const Pose X = add_pose(import, element, made);
  add_name(element, made);
  numbers(reader,
          {{"x_min", "xMin"}, {"x_max", "xMax"}, {"y_min", "yMin"}, {"y_max", "yMax"}, {"z", "z"}},
          made);
  add_texture(import, element, made);
  made.text("contactMaterial", kGroundMaterial);
  import.terrain.add(Terrain::Plane{X,
                                    {reader.number("x_min", -10), reader.number("y_min", -10)},
                                    {reader.number("x_max", 10), reader.number("y_max", 10)},
                                    reader.number("z", 0)});
  return made.take();
}

struct Opening {
  double position = 0, width = 0;  ///< of its middle, in parts of the wall; m
  double low = 0, high = 0;        ///< m
};

/// <door> or <window>. Each value may be an attribute or a child, and the child counts
/// (VerticalPlane.cpp, loadConfigFrom).
std::optional<Opening> opening(Import& import, const Element& element) {
  const Reader attributes = import.attributes(element), children = import.children(element);
  const auto value = [&](const char* name, const char* other, double usual) {
    for (const char* one : {name, other}) {
      if (one && children.find(one)) return children.number(one, usual);
    }
    return attributes.number(other && attributes.find(other) ? other : name, usual);
  };
  const auto position = value("position", nullptr, 0.5), width = value("width", nullptr, 1);
  const auto low = value("z_min", "z_start", 0), high = value("z_max", "z_end", 2.1);
  if (!(high > low.value)) {
    attributes.error(high.place, "'z_max' of <" + element.tag +
                                     "> must be greater than its z_min " + to_text(low) + ", got " +
                                     to_text(high));
    return std::nullopt;
  }
  if (!(width > 0)) {
    attributes.warning(width.place, "<" + element.tag + "> is left out",
                       "its width must be greater than 0, got " + to_text(width));
    return std::nullopt;
  }
  if (!(position >= 0 && position <= 1)) {
    attributes.warning(
        position.place, "'position' of <" + element.tag + "> is limited to [0, 1]",
        "it is the part of the wall's length up to its middle, got " + to_text(position));
  }
  return Opening{std::clamp(position.value, 0.0, 1.0), width, low, high};
}

wbt::NodePtr vertical_plane(Import& import, const Element& element) {
  const Reader reader = import.children(element);
  NodeMaker made("VerticalPlane", element);
  add_pose(import, element, made);
  add_name(element, made);
  const double foot = reader.number("z", 0);
  const Vec2 from(reader.number("x0", -10), reader.number("y0", -10));
  const Vec2 to(reader.number("x1", -10), reader.number("y1", 10));
  numbers(reader, {{"x0", "x0"}, {"y0", "y0"}, {"x1", "x1"}, {"y1", "y1"}, {"z", "z"}}, made);
  const auto height = reader.positive("height", 3);
  const auto thickness = reader.positive("thickness", 0.02);
  made.number("height", height, height.place).number("thickness", thickness, thickness.place);
  // Box2D's friction where MVSim gives none, and VerticalPlane.h.
  made.text("contactMaterial", import.surfaces.material({0, 0.2, 0.01}));
  const double length = (to - from).norm();
  std::vector<double> openings;
  for (const Element& child : element.children) {
    if (child.tag != "door" && child.tag != "window") continue;
    const auto hole = opening(import, child);
    if (!hole) continue;
    const double middle = hole->position * length;
    // Heights of openings are those of the world, not above the wall's foot
    // (VerticalPlane.cpp, renderWallFace).
    const double low = std::max(0.0, hole->low - foot),
                 top = std::min(height.value, hole->high - foot);
    const double begin = std::max(0.0, middle - hole->width / 2);
    const double end = std::min(length, middle + hole->width / 2);
    if (begin < end && low < top) openings.insert(openings.end(), {begin, end, low, top});
  }
  if (!openings.empty()) made.numbers("openings", std::move(openings));
  add_texture(import, element, made);
  return made.take();
}

wbt::NodePtr occupancy_grid(Import& import, const Element& element) {
  const Reader reader = import.children(element);
  const auto file = file_of(import, element, "file", Severity::kError);
  if (!file) {
    if (!element.child("file")) {
      reader.error(element.place, "<element> of class occupancy_grid has no <file>");
    }
    return nullptr;
  }
  import.has_occupancy_grid = true;
  NodeMaker made("OccupancyGridMap", element);
  warn_pose(import, element);
  add_name(element, made);
  made.texts("url", {import.url(*file)}, element.child("file")->text.place);
  if (file->extension() != ".yaml") {
    made.number("occupiedThreshold", 0.5);  // OccupancyGridMap.cpp and LaserScanner.cpp
  }
  if (!is_gridmap(*file) && file->extension() != ".yaml") {
    const auto resolution = reader.positive("resolution", 0.1);
    made.number("resolution", resolution, resolution.place);
    // MVSim's -1 is a pixel like any other for MRPT (COccupancyGridMap2D, loadFromBitmap).
    const auto x = reader.number("centerpixel_x", -1), y = reader.number("centerpixel_y", -1);
    made.vec3("origin", {-x * resolution, -y * resolution, 0}, x.written ? x.place : y.place);
  }
  return made
      .text("contactMaterial",
            import.surfaces.material({0, reader.at_least("lateral_friction", 0, 0.5),
                                      reader.between("restitution", 0, 1, 0.01)}))
      .take();
}

/// Dots for the eye. (MVSim's sensors that draw a picture of the world meet them where they happen
/// to cover a pixel; PointCloud.cpp.)
wbt::NodePtr point_cloud(Import& import, const Element& element) {
  const Reader reader = import.children(element);
  const bool flat = element.child("file_txt_2d") != nullptr;
  const char* tag = flat ? "file_txt_2d" : "file_txt_3d";
  const auto file = file_of(import, element, tag, Severity::kError);
  if (!file) {
    if (!element.child(tag)) {
      reader.error(element.place, "<element> of class pointcloud has no points",
                   "give it a <file_txt_2d> or a <file_txt_3d>");
    }
    return nullptr;
  }
  std::vector<Vec3> points;
  try {
    read_number_lines(
        *file, flat ? 2 : 3, true,
        flat ? "points has two numbers, x y" : "points has three numbers, x y z",
        [&](std::span<const double> n) { points.emplace_back(n[0], n[1], flat ? 0 : n[2]); });
  } catch (const std::exception& problem) {
    reader.error(element.child(tag)->text.place, problem.what());
    return nullptr;
  }
  warn_pose(import, element);
  wbt::NodePtr dots =
      NodeMaker("PointSet", element)
          .node("coord", NodeMaker("Coordinate", element).points("point", points).take())
          .take();
  const auto pose = reader.pose3d("pose_3d");
  return posed(drawing(std::move(dots), reader.color("color", {0, 0, 0xff, 0xff}), element),
               pose ? pose_of(pose->value) : Pose{}, element);
}

}  // namespace

wbt::NodePtr element_node(Import& import, const Element& element,
                          std::vector<wbt::NodePtr>& regions) {
  const std::string kind = import.attributes(element).text("class");
  import.unsimulated.publish(element);
  if (import.children(element).text("cull_face", "NONE").value != "NONE") {
    import.unsimulated.children(element, {"cull_face"}, "both sides are seen");
  }
  if (!import.children(element).boolean("enable_shadows", true)) {
    import.unsimulated.children(element, {"enable_shadows"}, "light and shadows fall on it");
  }
  if (kind == "ground_grid") return ground_grid(import, element);
  if (kind == "horizontal_plane") return horizontal_plane(import, element);
  if (kind == "vertical_plane") return vertical_plane(import, element);
  if (kind == "elevation_map") return elevation_map(import, element);
  if (kind == "occupancy_grid") return occupancy_grid(import, element);
  if (kind == "property_region") {
    if (auto region = property_region(import, element)) regions.push_back(std::move(region));
    return nullptr;
  }
  if (kind == "pointcloud") return point_cloud(import, element);
  if (kind == "skybox") return nullptr;  // of the Background
  import.unsimulated.add("<element> of class '" + kind + "'", element);
  return nullptr;
}

wbt::NodePtr joint_node(Import& import, const Element& joint) {
  const Reader reader = import.attributes(joint);
  const auto type = reader.text("type");
  const bool rope = type.value == "distance" || type.value == "rope";
  if (!rope && type.value != "revolute" && type.value != "pin") {
    reader.error(type.place,
                 type.written ? "unknown 'type' '" + type.value + "' of <joint>"
                              : "<joint> wants the attribute 'type'",
                 "distance, rope, revolute or pin");
    return nullptr;
  }
  NodeMaker made(rope ? "DistanceJoint" : "RevoluteJoint", joint);
  constexpr std::array<std::array<const char*, 2>, 2> kBodies{
      {{"body_a", "bodyA"}, {"body_b", "bodyB"}}};
  for (const auto& [attribute, field] : kBodies) {
    const auto name = reader.text(attribute);
    if (!name.written) {
      reader.error(joint.place, std::string("<joint> has no '").append(attribute) + "'");
      return nullptr;
    }
    made.text(field, name, name.place);
  }
  const auto a = reader.point("anchor_a", Vec3::Zero()), b = reader.point("anchor_b", Vec3::Zero());
  made.vec3("anchorA", a, a.place).vec3("anchorB", b, b.place);
  if (rope) {
    const auto longest = reader.positive("max_length", 5);
    const auto shortest = reader.at_least("min_length", 0, 0);
    const auto spring = reader.at_least("stiffness", 0, 0);
    const auto damping = reader.at_least("damping", 0, 0);
    return made.number("maxLength", longest, longest.place)
        .number("minLength", shortest, shortest.place)
        .number("springConstant", spring, spring.place)
        .number("dampingConstant", damping, damping.place)
        .take();
  }
  if (reader.boolean("enable_limit", false)) {
    const auto low = reader.degrees("lower_angle_deg", 0);
    const auto high = reader.degrees("upper_angle_deg", 0);
    made.number("minStop", low, low.place).number("maxStop", high, high.place);
  }
  return made.take();
}

wbt::NodePtr actor_node(Import& import, const Element& actor) {
  const Reader reader = import.children(actor);
  NodeMaker made("Pedestrian", actor);
  add_name(actor, made);
  const double walking = reader.positive("walking_speed", 1.4);
  const double running = reader.positive("running_speed", 3.5);
  const auto height = reader.positive("height", 1.75);
  const auto radius = reader.positive("collision_radius", 0.3);
  made.number("height", height, height.place).number("radius", radius, radius.place);
  import.unsimulated.children(actor,
                              {"visual", "animation_idle", "animation_walk", "animation_run",
                               "collision_height", "animation"},
                              "a figure that walks is seen");
  import.unsimulated.publish(actor);
  std::vector<double> waypoints, pauses, arriving;
  const auto waypoint = [&](const Vec3& p, double speed, double pause) {
    waypoints.insert(waypoints.end(), {p.x(), p.y(), p.z()});
    arriving.push_back(speed);
    pauses.push_back(pause);
  };
  const Element* path = actor.child("path");
  bool loop = path && import.attributes(*path).boolean("loop", true);
  const StartPose start = start_pose(import, actor);
  for (const Element* one : path ? path->all("waypoint") : std::vector<const Element*>()) {
    const auto at =
        ValueReader("<waypoint> of <path>", one->chain, import.diagnostics).numbers(one->text);
    if (!at) continue;
    if (at->size() < 2) {
      import.diagnostics.error(one->text.place, "<waypoint> of <path> wants X Y YAW", {},
                               one->chain);
      continue;
    }
    const Reader attributes = import.attributes(*one);
    const std::string gait = attributes.text("animation", "walk");
    if (gait == "idle") {  // it never gets there
      loop = false;
      break;
    }
    const Vec3 p((*at)[0], (*at)[1], at->size() >= 6 ? (*at)[2] : 0);
    // It comes from where it begins; what walks in a circle comes there once, which is left out.
    if (arriving.empty() && !loop && p.head<2>() != start.X.p.head<2>()) {
      waypoint({start.X.p.x(), start.X.p.y(), p.z()}, walking, 0);
    }
    waypoint(p, gait == "run" ? running : walking, attributes.at_least("pause", 0, 0));
  }
  if (arriving.empty()) {
    return made.pose(start.X, start.place).numbers("waypoints", {0, 0, 0}).take();
  }
  // The gait is that to a waypoint (HumanActor.cpp, computeDesiredSpeed); speeds are those from
  // one.
  std::vector<double> speeds(arriving.begin() + 1, arriving.end());
  speeds.push_back(arriving.front());
  return made.flag("loop", loop)
      .numbers("waypoints", std::move(waypoints))
      .numbers("speeds", std::move(speeds))
      .numbers("pauses", std::move(pauses))
      .take();
}

}  // namespace protobeam::mvsim
