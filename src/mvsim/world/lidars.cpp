// <sensor class="laser"> and <sensor class="lidar3d"> as Lidars.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "mvsim/expression.h"
#include "mvsim/world/sensors.h"
#include "mvsim/world/visuals.h"

namespace protobeam::mvsim {
namespace {


Given<int> beams(const Reader& reader, const char* name, int least, int fallback) {
  auto value = reader.integer(name, fallback);
  if (value < least) {
    reader.error(value.place, reader.subject(name) + " must be at least " + std::to_string(least) +
                                  ", got " + std::to_string(value.value));
    value.value = std::max(least, fallback);
  }
  return value;
}

void add_ranges(Import& import, const Element& sensor, double default_max, NodeMaker& made) {
  const Reader reader = import.children(sensor);
  const auto max = reader.positive("max_range", default_max);
  auto min = reader.at_least("min_range", 0, 0.01);
  const auto noise = reader.at_least("range_std_noise", 0, 0.01);
  if (min >= max.value) {
    reader.error(max.place, reader.subject("max_range") + " must be greater than its min_range " +
                                to_text(min) + ", got " + to_text(max));
  }
  min.value = std::max(min.value, 1e-6);
  // Beams begin outside of the casing.
  const auto casing = visuals_of(import, sensor);
  double reach = 0;
  for (const Vec3& p : points_of(import, casing, sensor)) reach = std::max(reach, p.norm());
  if (reach > 0) {
    made.number("near", reach);
    min.value = std::max(min.value, reach);
    std::vector<wbt::NodePtr> looks;
    for (const Visual& visual : casing) looks.push_back(visual.node);
    made.nodes("children", std::move(looks));
  }
  made.number("minRange", min, min.place)
      .number("maxRange", max, max.place)
      .number("noise", noise / max, noise.place);
}

void add_field_of_view(double angle, int columns, const Place& place, const Place& columns_place,
                       NodeMaker& made) {
  made.number("horizontalResolution", columns, columns_place).number("fieldOfView", angle, place);
}

/// Elevations of the beams, the highest first.
void add_layers(const Reader& reader, NodeMaker& made) {
  const auto count = beams(reader, "vert_nrays", 1, 16);
  made.number("numberOfLayers", count, count.place);
  auto angles = reader.numbers("vertical_ray_angles");
  if (!angles) {
    const auto span = reader.between("vert_fov_degrees", 0, 180, 30);
    made.number("verticalFieldOfView", span * kDegree, span.place);
    return;
  }
  auto& list = angles->value;
  if (static_cast<int>(list.size()) != count) {
    reader.error(angles->place, reader.subject("vertical_ray_angles") + " holds " +
                                    std::to_string(list.size()) + " angles, and <vert_nrays> is " +
                                    std::to_string(count.value));
    return;
  }
  std::sort(list.begin(), list.end(), std::greater<>());
  const auto twice = std::adjacent_find(list.begin(), list.end());
  if (twice != list.end()) {
    reader.error(angles->place,
                 reader.subject("vertical_ray_angles") + " holds " + to_text(*twice) + " twice");
    return;
  }
  if (list.front() > 90 || list.back() < -90) {
    reader.error(angles->place, reader.subject("vertical_ray_angles") + " holds " +
                                    to_text(list.front() > 90 ? list.front() : list.back()) +
                                    ", outside of [-90, 90] degrees");
    return;
  }
  for (double& angle : list) angle *= kDegree;
  made.numbers("layerAngles", std::move(list), angles->place);
}

/// Of a chassis around the sensor MVSim shows the inside.
void see_own_robot(bool seen, NodeMaker& made) {
  made.flag(seen ? "housingVisible" : "ownRobotVisible", seen);
}

/// Over the origin of what carries the laser, m. The last one of <height> and <pose_3d> counts.
/// Without either of them: with raytrace_3d that of MVSim (LaserScanner.cpp, loadConfigFrom), else
/// one at which small robots are seen as well, since MVSim's flat bodies are seen at any height.
double laser_height(const Reader& reader, const Element& sensor, double pose_3d) {
  double height = reader.boolean("raytrace_3d", false) ? 0.05 : 0.1;
  for (const Element& child : sensor.children) {
    if (child.tag == "height") height = reader.number("height", height);
    if (child.tag == "pose_3d") height = pose_3d;
  }
  return height;
}

}  // namespace

wbt::NodePtr lidar_node(Import& import, const Element& sensor) {
  const Reader reader = import.children(sensor);
  NodeMaker made = device(import, sensor, "Lidar", sensor_pose(import, sensor));
  add_layers(reader, made);
  const auto columns = beams(reader, "horz_nrays", 1, 180);
  add_field_of_view(2 * kPi, columns, columns.place, columns.place, made);
  add_ranges(import, sensor, 80, made);
  see_own_robot(!reader.boolean("ignore_parent_body", false), made);
  if (reader.boolean("generate_intensity", false)) {
    import.unsimulated.add("<generate_intensity> of <sensor>", *sensor.child("generate_intensity"),
                           "a Lidar with beamModel \"datasheet\" has intensities");
  }
  return made.take();
}

wbt::NodePtr laser_node(Import& import, const Element& sensor) {
  const Reader reader = import.children(sensor);
  Pose X = sensor_pose(import, sensor);
  const auto pose_3d = reader.pose3d("pose_3d");
  X.p.z() = laser_height(reader, sensor, pose_3d ? pose_3d->value.z : 0);
  NodeMaker made = device(import, sensor, "Lidar", X);
  made.number("numberOfLayers", 1).number("verticalFieldOfView", 0);
  const auto rays = beams(reader, "nrays", 2, 181);
  const auto span = reader.number("fov_degrees", 180);
  if (!(span > 0 && span <= 360)) {
    reader.error(span.place, reader.subject("fov_degrees") +
                                 " must be greater than 0 and at most 360, got " + to_text(span));
  }
  // The first and the last ray are the edges: columns of a Lidar are the middles of equal parts.
  // Over the full circle these two would be the same ray.
  const double n = rays;
  add_field_of_view(std::min(span * kDegree * n / (n - 1), 2 * kPi), rays, span.place, rays.place,
                    made);
  add_ranges(import, sensor, 80, made);
  see_own_robot(
      reader.boolean("raytrace_3d", false) && !reader.boolean("ignore_parent_body", false), made);
  // MVSim has it on the rays of a flat laser that meet a grid (LaserScanner.cpp,
  // internal_simulate_lidar_2d_mode).
  if (reader.number("angle_std_noise_deg", 0) != 0 && import.has_occupancy_grid &&
      !reader.boolean("raytrace_3d", false)) {
    import.unsimulated.add("<angle_std_noise_deg> of <sensor>",
                           *sensor.child("angle_std_noise_deg"), "beams go where they point");
  }
  if (!reader.boolean("bodies_visible", true)) {
    import.unsimulated.add("<bodies_visible> of <sensor>", *sensor.child("bodies_visible"),
                           "bodies are always visible");
  }
  return made.take();
}

}  // namespace protobeam::mvsim
