#include "mvsim/world/scenery.h"

#include <algorithm>
#include <iterator>
#include <sstream>

#include "base/libm.h"
#include "mvsim/expression.h"
#include "mvsim/resources.h"
#include "mvsim/world/wall_lines.h"

namespace protobeam::mvsim {
namespace {

/// A 4 x 4 transformation applied to points; MVSim's walls have their heights from elsewhere.
std::vector<Vec2> transformed(const Reader& reader, const std::vector<Vec3>& points) {
  Eigen::Matrix4d T = Eigen::Matrix4d::Identity();
  if (const auto matrix = reader.matrix("transformation")) {
    if (matrix->value.size() == 4 && matrix->value[0].size() == 4) {
      for (int i = 0; i < 16; ++i) {
        T(i / 4, i % 4) =
            matrix->value[static_cast<std::size_t>(i / 4)][static_cast<std::size_t>(i % 4)];
      }
    } else {
      reader.error(matrix->place,
                   reader.subject("transformation") + " must have 4 rows of 4 numbers");
    }
  }
  std::vector<Vec2> out;
  for (const Vec3& p : points) {
    const Eigen::Vector4d q = T * p.homogeneous();
    out.push_back(q.head<2>() / (q.w() == 0 ? 1 : q.w()));
  }
  return out;
}

/// Ends of the walls, two and two; a <shape> counts before a model (World_walls.cpp,
/// process_load_walls).
std::optional<std::vector<Vec3>> wall_ends(Import& import, const Element& walls) {
  std::vector<Vec3> ends;
  if (const Element* outline = walls.child("shape")) {
    const auto read =
        ValueReader("<shape> of <walls>", outline->chain, import.diagnostics).shape(*outline, 2);
    if (!read) return std::nullopt;
    if (read->size() % 2 != 0) {
      import.children(walls).warning(outline->place,
                                     "<shape> of <walls> has an odd number of points",
                                     "each two are a wall: the last one has no effect");
    }
    for (const Vec2& p : *read) ends.emplace_back(p.x(), p.y(), 0);
    return ends;
  }
  const Element* model = walls.child("model_uri");
  if (!model) return std::nullopt;
  const auto file =
      find_resource(model->text, *model->folder, import.options, model->chain, import.diagnostics);
  if (!file) return std::nullopt;
  return collada_lines(import, *file, {model->text.place, model->chain});
}

/// Of blocks (World_walls.cpp, create_wall_segment; Block.h).
constexpr Surface kWalls{0, 0.5, 0.01};

}  // namespace

wbt::NodePtr walls_node(Import& import, const Element& walls, int number) {
  const Reader reader = import.children(walls);
  const auto ends = wall_ends(import, walls);
  if (!ends) return nullptr;
  const std::vector<Vec2> points = transformed(reader, *ends);
  const Origin origin(walls);
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
    const auto box =
        NodeMaker("Box", origin).vec3("size", {along.norm() + thickness, thickness, height}).take();
    seen.push_back(posed(shape(box, color, origin), X, origin));
    felt.push_back(posed(box, X, origin));
  }
  if (seen.empty()) return nullptr;
  return NodeMaker("Solid", walls)
      .text("name", "walls" + (number > 1 ? " " + std::to_string(number) : ""))
      .text("contactMaterial", import.surfaces.material(kWalls))
      .nodes("children", std::move(seen))
      .node("boundingObject", NodeMaker("Group", origin).nodes("children", std::move(felt)).take())
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
  return posed(drawing(std::move(lines), reader.color("color", {0xff, 0xff, 0xff, 0xff}), marker),
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
  for (const char* tag : {"ortho", "show_forces"}) {
    if (!reader.boolean(tag, false)) continue;
    import.unsimulated.children(gui, {tag}, "the viewer has settings of its own");
  }
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
