#include "mvsim/world/scenery.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/libm.h"
#include "mvsim/expression.h"

namespace protobeam::mvsim {
namespace {

/// A 4 x 4 transformation applied to points of the ground.
std::vector<Vec2> transformed(const Reader& reader, std::vector<Vec2> points) {
  const auto matrix = reader.matrix("transformation");
  if (!matrix) return points;
  const Matrix& T = matrix->value;
  if (T.size() != 4 || T[0].size() != 4) {
    reader.error(matrix->place,
                 reader.subject("transformation") + " must have 4 rows of 4 numbers");
    return points;
  }
  for (Vec2& p : points) {
    const double w = T[3][0] * p.x() + T[3][1] * p.y() + T[3][3];
    p = Vec2(T[0][0] * p.x() + T[0][1] * p.y() + T[0][3],
             T[1][0] * p.x() + T[1][1] * p.y() + T[1][3]) /
        (w == 0 ? 1 : w);
  }
  return points;
}

/// Of blocks (World_walls.cpp, create_wall_segment; Block.h).
constexpr Surface kWalls{0, 0.5, 0.01};

}  // namespace

wbt::NodePtr walls_node(Import& import, const Element& walls, int number) {
  const Reader reader = import.children(walls);
  const Element* outline = walls.child("shape");
  if (walls.child("model_uri")) {
    import.unsimulated.children(walls, {"model_uri"}, "give the walls as the points of a <shape>");
  }
  if (!outline) return nullptr;
  const auto read =
      ValueReader("<shape> of <walls>", outline->chain, import.diagnostics).shape(*outline, 2);
  if (!read) return nullptr;
  if (read->size() % 2 != 0) {
    reader.warning(outline->place, "<shape> of <walls> has an odd number of points",
                   "each two are a wall: the last one has no effect");
  }
  const std::vector<Vec2> points = transformed(reader, *read);
  const double thickness = reader.positive("wallThickness", 0.1);
  const double height = reader.positive("wallHeight", 2);
  const auto color = reader.color("color", {0x32, 0x32, 0x32, 0xff});
  // Longer by half its thickness at both ends, so that corners are closed.
  std::vector<wbt::NodePtr> seen, felt;
  for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
    const Vec2 along = points[i + 1] - points[i], middle = (points[i] + points[i + 1]) / 2;
    if (along.norm() == 0) continue;
    const Pose X{rotation_of(libm::atan2(along.y(), along.x()), 0, 0),
                 {middle.x(), middle.y(), height / 2}};
    const auto box = NodeMaker("Box", *outline)
                         .vec3("size", {along.norm() + thickness, thickness, height})
                         .take();
    seen.push_back(posed(shape(box, color, *outline), X, *outline));
    felt.push_back(posed(box, X, *outline));
  }
  if (seen.empty()) return nullptr;
  return NodeMaker("Solid", walls)
      .text("name", "walls" + (number > 1 ? " " + std::to_string(number) : ""))
      .text("contactMaterial", import.surfaces.material(kWalls))
      .nodes("children", std::move(seen))
      .node("boundingObject",
            NodeMaker("Group", *outline).nodes("children", std::move(felt)).take())
      .take();
}

wbt::NodePtr marker_node(Import& import, const Element& marker) {
  const auto type = import.attributes(marker).text("type", "line_strip");
  const Reader reader = import.children(marker);
  if (type.value != "line_strip") {
    reader.error(type.place, "a <marker> has the type 'line_strip', not '" + type.value + "'");
    return nullptr;
  }
  const auto read = reader.numbers("points");
  if (!read) return nullptr;
  if (read->value.size() % 3 != 0) {
    reader.error(read->place, reader.subject("points") + " wants X Y Z of each point, got " +
                                  std::to_string(read->value.size()) + " numbers");
    return nullptr;
  }
  std::vector<double> line;
  for (std::size_t i = 0; i < read->value.size() / 3; ++i) line.push_back(static_cast<double>(i));
  line.push_back(-1);
  wbt::NodePtr lines =
      NodeMaker("IndexedLineSet", marker)
          .node("coord",
                NodeMaker("Coordinate", marker).numbers("point", read->value, read->place).take())
          .numbers("coordIndex", std::move(line))
          .take();
  return posed(shape(std::move(lines), reader.color("color", {0xff, 0xff, 0xff, 0xff}), marker),
               Pose::translation(reader.point("translation", Vec3::Zero())), marker);
}

wbt::NodePtr light_node(Import& import, const Element& world) {
  const Element* lights = world.child("lights");
  const Element* gui = world.child("gui");
  // The values of <lights> count before those of <gui>.
  Element both;
  both.tag = lights ? "lights" : gui ? "gui" : "lights";
  both.place = lights ? lights->place : gui ? gui->place : world.place;
  both.chain = world.chain;
  for (const Element* one : {lights, gui}) {
    if (one)
      std::copy(one->children.begin(), one->children.end(), std::back_inserter(both.children));
  }
  const Reader reader = import.children(both);
  const double azimuth = reader.degrees("light_azimuth_deg", 45 * kPi / 180);
  const double elevation = reader.degrees("light_elevation_deg", 70 * kPi / 180);
  const auto color = reader.color("light_color", {255, 255, 255, 255});
  const auto ambient = reader.between("light_ambient", 0, 1, 0.5);
  return NodeMaker("DirectionalLight", both)
      .number("ambientIntensity", ambient, ambient.place)
      .flag("castShadows", reader.boolean("enable_shadows", true))
      .vec3("color", rgb(color), color.place)
      .vec3("direction", {-libm::cos(azimuth) * libm::cos(elevation),
                          -libm::sin(azimuth) * libm::cos(elevation), -libm::sin(elevation)})
      .take();
}

wbt::NodePtr viewpoint_node(Import& import, const Element& gui) {
  const Reader reader = import.children(gui);
  import.unsimulated.children(gui,
                              {"ortho", "show_forces", "force_scale", "headless", "win_w", "win_h",
                               "start_maximized", "refresh_fps"},
                              "the viewer has settings of its own");
  const auto follow = reader.text("follow_vehicle");
  bool any = follow.written;
  for (const char* tag :
       {"cam_distance", "cam_azimuth", "cam_elevation", "cam_point_to", "fov_deg"}) {
    any = any || reader.find(tag);
  }
  if (!any) return nullptr;
  const double distance = reader.positive("cam_distance", 80);
  const double azimuth = reader.degrees("cam_azimuth", 45 * kPi / 180);
  const double elevation = reader.degrees("cam_elevation", 40 * kPi / 180);
  const Vec3 at = reader.point("cam_point_to", Vec3::Zero());
  const auto angle = reader.number("fov_deg", 60);
  if (!(angle > 0 && angle < 180)) {
    reader.error(angle.place, reader.subject("fov_deg") +
                                  " must be greater than 0 and less than 180, got " +
                                  to_text(angle));
    return nullptr;
  }
  const Vec3 from(libm::cos(elevation) * libm::cos(azimuth),
                  libm::cos(elevation) * libm::sin(azimuth), libm::sin(elevation));
  NodeMaker made("Viewpoint", gui);
  made.number("fieldOfView", angle * kPi / 180, angle.place)
      .rotation("orientation", rotation_of(azimuth + kPi, elevation, 0))
      .vec3("position", at + distance * from);
  if (follow.written && !follow.value.empty()) made.text("follow", follow, follow.place);
  return made.take();
}

}  // namespace protobeam::mvsim
