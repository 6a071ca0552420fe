#include "sim/scene/camera_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "base/diagnostics.h"
#include "base/libm.h"

namespace protobeam {
namespace {

constexpr double kFov = 0.785398;

double vertical(double fov_of_wider_side, double aspect) {
  return aspect > 1 ? 2 * libm::atan(libm::tan(fov_of_wider_side / 2) / aspect) : fov_of_wider_side;
}

/// Cameras are chosen in axes L, of which z is up and x is the world's: those of the world, unless
/// it has y up.
bool has_y_up(const SceneDescription& description) { return description.up.y() > 0.5; }

Vec3 levelled(const Vec3& p_W, bool y_up) { return y_up ? Vec3(p_W.x(), -p_W.z(), p_W.y()) : p_W; }

Bounds levelled(const Bounds& box, bool y_up) {
  if (!y_up || box.empty()) return box;
  return {Vec3(box.min.x(), -box.max.z(), box.min.y()),
          Vec3(box.max.x(), -box.min.z(), box.max.y())};
}

Pose in_world(const Pose& X_LC, bool y_up) {
  return y_up ? Pose::rotation(axis_angle(Vec3::UnitX(), -kPi / 2)) * X_LC : X_LC;
}

/// The region worth showing, in L: everything but ground planes that reach to the horizon.
Bounds region_of_interest(const SceneDescription& description, const SceneState& state) {
  Bounds box;
  const bool y_up = has_y_up(description);
  for (const SolidState& solid : state.solids) {
    const Vec3 p = levelled(solid.X_WS.p, y_up);
    box.min = box.min.cwiseMin(p - Vec3::Constant(0.5));
    box.max = box.max.cwiseMax(p + Vec3::Constant(0.5));
  }
  if (box.empty()) box = levelled(description.bounds, y_up);
  if (box.empty()) box = {Vec3::Constant(-5), Vec3::Constant(5)};
  return box;
}

/// What shapes take, in L. Ground that reaches to the horizon is left out, and so is what
/// has no shape, if there is anything else.
Bounds extent_of_shapes(const SceneDescription& description, const SceneState& state) {
  constexpr double kHorizon = 500;  // m; scenery that is wider and flat is the ground of all else
  const bool y_up = has_y_up(description);
  Bounds box;
  for (std::size_t i = 0; i < std::min(description.groups.size(), state.groups.size()); ++i) {
    for (const SceneDescription::Shape& shape : description.groups[i].shapes) {
      const Bounds own = bounds(*shape.geometry);
      if (own.empty() || !own.min.allFinite() || !own.max.allFinite()) continue;
      const Pose X_WS = state.groups[i] * shape.X_GS;
      Bounds placed;
      for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p = levelled(X_WS * Vec3(corner & 1 ? own.max.x() : own.min.x(),
                                            corner & 2 ? own.max.y() : own.min.y(),
                                            corner & 4 ? own.max.z() : own.min.z()),
                                y_up);
        placed.min = placed.min.cwiseMin(p);
        placed.max = placed.max.cwiseMax(p);
      }
      const Vec3 size = placed.max - placed.min;
      const double widest = std::max(size.x(), size.y());
      if (widest > kHorizon && size.z() < 0.01 * widest) continue;
      box.min = box.min.cwiseMin(placed.min);
      box.max = box.max.cwiseMax(placed.max);
    }
  }
  return box.empty() ? region_of_interest(description, state) : box;
}

render::Camera see_all(const SceneDescription& description, const SceneState& state, double aspect,
                       double azimuth, double elevation) {
  const Bounds box = region_of_interest(description, state);
  const Vec3 centre = (box.min + box.max) / 2;
  const double radius = std::max(0.5, (box.max - box.min).norm() / 2);
  render::Camera camera;
  camera.vertical_fov = vertical(kFov, aspect);
  const double narrow =
      std::min(camera.vertical_fov, 2 * libm::atan(libm::tan(camera.vertical_fov / 2) * aspect));
  const Vec3 away(libm::cos(elevation) * libm::cos(azimuth), libm::cos(elevation) * libm::sin(azimuth),
                  libm::sin(elevation));
  camera.X_WC = in_world(render::look_at(centre + away * (radius / libm::sin(narrow / 2)), centre),
                         has_y_up(description));
  return camera;
}

render::Camera from_above(const SceneDescription& description, const SceneState& state,
                          double aspect) {
  const Bounds box = extent_of_shapes(description, state);
  const Vec3 centre = (box.min + box.max) / 2;
  render::Camera camera;
  camera.vertical_fov = 0.35;  // from far away: nearly a map
  // +x of the world is up in the picture, so its height spans x and its width y.
  const double up = std::max(0.5, box.max.x() - box.min.x());
  const double across = std::max(0.5, box.max.y() - box.min.y());
  const double half = std::max(up, across / aspect) / 2 * 1.05;
  const double height = box.max.z() + half / libm::tan(camera.vertical_fov / 2);
  camera.X_WC = in_world(render::look_at(Vec3(centre.x(), centre.y(), height), centre),
                         has_y_up(description));
  return camera;
}

render::Camera behind_robot(const std::string& robot, const SceneDescription& description,
                            const SceneState& state, double aspect) {
  const auto found = std::find(description.robots.begin(), description.robots.end(), robot);
  if (found == description.robots.end()) {
    const std::string hint = did_you_mean(robot, description.robots);
    throw std::runtime_error(
        fmt::format("no robot '{}' in this world; {}", robot,
                    !hint.empty() ? hint
                    : description.robots.empty()
                        ? std::string("it has none")
                        : fmt::format("its robots: {}", fmt::join(description.robots, ", "))));
  }
  const int solid =
      description
          .robot_solids[static_cast<std::size_t>(std::distance(description.robots.begin(), found))];
  const Pose& X_WR = state.solids[static_cast<std::size_t>(solid)].X_WS;
  // From behind and above; the robot's own pitch and roll do not shake the picture.
  const bool y_up = has_y_up(description);
  // Robots of files before R2022a have y up, too, and look along -z.
  const bool old = y_up && (X_WR.R * Vec3::UnitY()).y() > (X_WR.R * Vec3::UnitZ()).y();
  const Vec3 ahead = levelled(X_WR.R * (old ? Vec3(-Vec3::UnitZ()) : Vec3(Vec3::UnitX())), y_up);
  const double yaw = libm::atan2(ahead.y(), ahead.x());
  const Vec3 back(-4.5 * libm::cos(yaw), -4.5 * libm::sin(yaw), 2.4);
  render::Camera camera;
  camera.vertical_fov = vertical(0.95, aspect);
  const Vec3 p = levelled(X_WR.p, y_up);
  camera.X_WC = in_world(render::look_at(p + back, p + Vec3(0, 0, 0.3)), y_up);
  return camera;
}

render::Camera from_device(const std::string& path, const SceneDescription& description,
                           const SceneState& state, double aspect) {
  std::vector<std::string> names;
  for (const SceneDescription::Device& device : description.devices) {
    names.push_back(device.robot + "/" + device.name);
    if (names.back() != path) continue;
    render::Camera camera;
    camera.X_WC = state.solids[static_cast<std::size_t>(device.solid)].X_WS;
    const bool is_camera = device.layers == 0 && device.fov > 0 && device.fov < 3;
    camera.vertical_fov = is_camera ? vertical(device.fov, aspect) : vertical(1.2, aspect);
    return camera;
  }
  const std::string hint = did_you_mean(path, names);
  throw std::runtime_error(
      fmt::format("no device '{}' in this world; {}", path,
                  hint.empty() ? fmt::format("its devices: {}", fmt::join(names, ", ")) : hint));
}

}  // namespace

render::Camera choose_camera(const std::string& text, const SceneDescription& description,
                             const SceneState& state, double aspect) {
  if (text == "viewpoint") {
    if (!description.viewpoint) return see_all(description, state, aspect, -2.2, 0.45);
    return {description.viewpoint->X_WV, vertical(description.viewpoint->field_of_view, aspect),
            description.viewpoint->near, description.viewpoint->far};
  }
  if (text == "top") return from_above(description, state, aspect);
  if (text.starts_with("follow:")) return behind_robot(text.substr(7), description, state, aspect);
  if (text.starts_with("device:")) return from_device(text.substr(7), description, state, aspect);
  std::istringstream in(text);
  std::vector<double> n;
  for (double value; in >> value;) n.push_back(value);
  const bool finite = std::all_of(n.begin(), n.end(), [](double v) { return std::isfinite(v); });
  if (n.size() != 6 || !in.eof() || !finite) {
    throw std::runtime_error(
        fmt::format("'{}' is no camera: viewpoint, top, follow:ROBOT, device:ROBOT/DEVICE, or the "
                    "positions of the camera and of its target: \"x y z tx ty tz\"",
                    text));
  }
  const Vec3 from(n[0], n[1], n[2]), target(n[3], n[4], n[5]);
  if (from == target) {
    throw std::runtime_error(fmt::format("camera '{}': its position is that of its target", text));
  }
  render::Camera camera;
  camera.vertical_fov = vertical(kFov, aspect);
  const bool y_up = has_y_up(description);
  camera.X_WC = in_world(render::look_at(levelled(from, y_up), levelled(target, y_up)), y_up);
  return camera;
}

std::optional<Vec3> followed_position(const SceneDescription& description,
                                      const SceneState& state) {
  if (!description.viewpoint || description.viewpoint->follow.empty()) return {};
  for (std::size_t i = 0; i < std::min(description.solids.size(), state.solids.size()); ++i) {
    if (description.solids[i].name == description.viewpoint->follow) return state.solids[i].X_WS.p;
  }
  return {};
}

}  // namespace protobeam
