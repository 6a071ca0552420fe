// The elements of a world as PROTOs of protos/elements and nodes of the language.
#include "mvsim/world/elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "geometry/grey_image.h"
#include "geometry/occupancy_map.h"
#include "mvsim/expression.h"
#include "mvsim/resources.h"
#include "mvsim/world/property_regions.h"

namespace protobeam::mvsim {
namespace {

void add_color(const Reader& reader, const char* tag, NodeMaker& made) {
  const auto color = reader.color(tag, {});
  if (color.written) made.vec3("color", rgb(color), color.place);
}

/// The file of an address; nothing with a message when it is not there.
std::optional<std::filesystem::path> file_of(Import& import, const Element& element,
                                             const char* tag, Severity missing) {
  const Element* child = element.child(tag);
  if (!child) return std::nullopt;
  return find_resource(child->text, *child->folder, import.options, child->chain,
                       import.diagnostics, missing);
}

void add_file(Import& import, const Element& element, const char* tag, const char* field,
              Severity missing, NodeMaker& made) {
  if (const auto file = file_of(import, element, tag, missing)) {
    made.texts(field, {import.url(*file)}, element.child(tag)->text.place);
  }
}

void add_name(const Element& element, NodeMaker& made) {
  if (const Text* name = element.attribute("name")) made.text("name", name->value, name->place);
}

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

/// Of an element that MVSim does not ask for a pose.
void warn_pose(Import& import, const Element& element) {
  for (const char* tag : {"init_pose", "init_pose3d"}) {
    const Element* pose = element.child(tag);
    if (!pose) continue;
    const std::string kind = import.attributes(element).text("class");
    import.children(element).warning(
        pose->place, std::string("<").append(tag) + "> of <element> has no effect",
        "an element of class " + kind + " says itself where it is, as in MVSim");
  }
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

/// The heights of a picture, as an ElevationImage makes them: a row of pixels for each step along
/// x.
Terrain::Map map_of(GreyImage picture, double low, double high) {
  const auto image = std::make_shared<const GreyImage>(std::move(picture));
  const auto [darkest, brightest] = std::minmax_element(image->levels.begin(), image->levels.end());
  const double scale = *darkest == *brightest ? 0 : (high - low) / (*brightest - *darkest);
  const auto rows = static_cast<std::size_t>(image->height);
  const auto columns = static_cast<std::size_t>(image->width);
  return {rows, columns,
          [=, dark = *darkest](std::size_t row, std::size_t column) {
            return low + scale * (image->levels[row * columns + column] - dark);
          },
          Vec2::Zero(), 1};
}

Terrain::Map map_of(Matrix matrix) {
  const auto heights = std::make_shared<const Matrix>(std::move(matrix));
  return {heights->size(), (*heights)[0].size(),
          [heights](std::size_t row, std::size_t column) { return (*heights)[row][column]; },
          Vec2::Zero(), 1};
}

wbt::NodePtr elevation_map(Import& import, const Element& element) {
  const Reader reader = import.children(element);
  NodeMaker made("ElevationMap", element);
  warn_pose(import, element);
  add_name(element, made);
  Terrain::Map map;
  if (element.child("elevation_image")) {
    const auto file = file_of(import, element, "elevation_image", Severity::kError);
    if (!file) return nullptr;
    const auto low = reader.number("elevation_image_min_z", 0);
    const auto high = reader.number("elevation_image_max_z", 5);
    const Text& text = element.child("elevation_image")->text;
    made.texts("image", {import.url(*file)}, text.place)
        .number("minHeight", low, low.place)
        .number("maxHeight", high, high.place);
    try {
      map = map_of(load_grey_image(*file), low, high);
    } catch (const std::exception& problem) {
      reader.error(text.place, problem.what());
      return nullptr;
    }
  } else if (const auto matrix = reader.matrix("elevation_data_matrix")) {
    const double scale = reader.number("elevation_data_matrix_scale", 1);
    Matrix heights = matrix->value;
    std::vector<double> flat;
    for (auto& row : heights) {
      for (double& z : row) z *= scale;
      flat.insert(flat.end(), row.begin(), row.end());
    }
    made.numbers("heights", std::move(flat), matrix->place)
        .number("columns", static_cast<double>(heights[0].size()), matrix->place);
    map = map_of(std::move(heights));
  } else if (element.child("dem_xyzrgb_file")) {
    import.unsimulated.children(element, {"dem_xyzrgb_file"}, "the map is left out");
    return nullptr;
  } else {
    if (element.child("elevation_data_matrix")) return nullptr;
    reader.error(element.place, "<element> of class elevation_map has no heights",
                 "give it an <elevation_data_matrix> or an <elevation_image>");
    return nullptr;
  }
  made.text("contactMaterial", kGroundMaterial);
  const auto resolution = reader.positive("resolution", 1);
  made.number("resolution", resolution, resolution.place);
  // A coordinate of the corner that is not written: the map is centred along that axis.
  const auto usual = [&](std::size_t steps) {
    return -0.5 * (static_cast<double>(steps) - 1) * resolution;
  };
  const auto x = reader.number("corner_min_x", usual(map.rows));
  const auto y = reader.number("corner_min_y", usual(map.columns));
  if (x.written || y.written) made.numbers("corner", {x, y}, x.written ? x.place : y.place);
  add_color(reader, "mesh_color", made);
  add_file(import, element, "texture_image", "texture", Severity::kWarning, made);
  const auto width = reader.positive("texture_extension_x", 1);
  const auto height = reader.positive("texture_extension_y", 1);
  if (width.written && height.written) made.vec2("textureSize", {width, height}, width.place);
  import.unsimulated.children(element, {"apply_kernel", "texture_image_rotate"});
  if (map.rows >= 2 && map.columns >= 2) {
    map.corner = {x, y};
    map.resolution = resolution;
    import.terrain.add(std::move(map));
  }
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

}  // namespace

wbt::NodePtr element_node(Import& import, const Element& element,
                          std::vector<wbt::NodePtr>& regions) {
  const std::string kind = import.attributes(element).text("class");
  import.unsimulated.children(element, {"publish", "cull_face", "enable_shadows"});
  if (kind == "ground_grid") return ground_grid(import, element);
  if (kind == "horizontal_plane") return horizontal_plane(import, element);
  if (kind == "vertical_plane") return vertical_plane(import, element);
  if (kind == "elevation_map") return elevation_map(import, element);
  if (kind == "occupancy_grid") return occupancy_grid(import, element);
  if (kind == "property_region") {
    if (auto region = property_region(import, element)) regions.push_back(std::move(region));
    return nullptr;
  }
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
                               "collision_height", "publish", "animation"},
                              "a figure that walks is seen");
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
