#include "sim/watch/eye.h"

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

/// What a person wants to see: everything but ground planes that reach to the horizon.
Bounds interesting(const WorldLook& look, const WorldFrame& frame) {
  Bounds box;
  for (const SolidState& solid : frame.solids) {
    box.min = box.min.cwiseMin(solid.X_WS.p - Vec3::Constant(0.5));
    box.max = box.max.cwiseMax(solid.X_WS.p + Vec3::Constant(0.5));
  }
  if (box.empty()) box = look.bounds;
  if (box.empty()) box = {Vec3::Constant(-5), Vec3::Constant(5)};
  return box;
}

Eye all_of(const WorldLook& look, const WorldFrame& frame, double aspect, double azimuth,
           double elevation) {
  const Bounds box = interesting(look, frame);
  const Vec3 centre = (box.min + box.max) / 2;
  const double radius = std::max(0.5, (box.max - box.min).norm() / 2);
  Eye eye;
  eye.vertical_fov = vertical(kFov, aspect);
  const double narrow =
      std::min(eye.vertical_fov, 2 * libm::atan(libm::tan(eye.vertical_fov / 2) * aspect));
  const Vec3 away(libm::cos(elevation) * libm::cos(azimuth),
                  libm::cos(elevation) * libm::sin(azimuth), libm::sin(elevation));
  eye.X_WC = looking_at(centre + away * (radius / libm::sin(narrow / 2)), centre);
  return eye;
}

Eye top_of(const WorldLook& look, const WorldFrame& frame, double aspect) {
  const Bounds box = interesting(look, frame);
  const Vec3 centre = (box.min + box.max) / 2;
  Eye eye;
  eye.vertical_fov = 0.35;  // from far away: nearly a map
  // +x of the world is up in the picture, so its height spans x and its width y.
  const double up = std::max(0.5, box.max.x() - box.min.x());
  const double across = std::max(0.5, box.max.y() - box.min.y());
  const double half = std::max(up, across / aspect) / 2 * 1.05;
  eye.X_WC = looking_at(
      Vec3(centre.x(), centre.y(), box.max.z() + half / libm::tan(eye.vertical_fov / 2)), centre);
  return eye;
}

Eye follow(const std::string& robot, const WorldLook& look, const WorldFrame& frame,
           double aspect) {
  const auto found = std::find(look.robots.begin(), look.robots.end(), robot);
  if (found == look.robots.end()) {
    const std::string hint = did_you_mean(robot, look.robots);
    throw std::runtime_error(
        fmt::format("no robot '{}' in this world; {}", robot,
                    !hint.empty()          ? hint
                    : look.robots.empty() ? std::string("it has none")
                                           : fmt::format("its robots: {}",
                                                         fmt::join(look.robots, ", "))));
  }
  const int solid =
      look.robot_solids[static_cast<std::size_t>(std::distance(look.robots.begin(), found))];
  const Pose& X_WR = frame.solids[static_cast<std::size_t>(solid)].X_WS;
  // From behind and above; the robot's own pitch and roll do not shake the picture.
  const Vec3 ahead = X_WR.R * Vec3::UnitX();
  const double yaw = libm::atan2(ahead.y(), ahead.x());
  const Vec3 back(-4.5 * libm::cos(yaw), -4.5 * libm::sin(yaw), 2.4);
  Eye eye;
  eye.vertical_fov = vertical(0.95, aspect);
  eye.X_WC = looking_at(X_WR.p + back, X_WR.p + Vec3(0, 0, 0.3));
  return eye;
}

Eye from_device(const std::string& path, const WorldLook& look, const WorldFrame& frame,
                double aspect) {
  std::vector<std::string> names;
  for (const WorldLook::Device& device : look.devices) {
    names.push_back(device.robot + "/" + device.name);
    if (names.back() != path) continue;
    Eye eye;
    eye.X_WC = frame.solids[static_cast<std::size_t>(device.solid)].X_WS;
    const bool camera = device.layers == 0 && device.fov > 0 && device.fov < 3;
    eye.vertical_fov = camera ? vertical(device.fov, aspect) : vertical(1.2, aspect);
    return eye;
  }
  const std::string hint = did_you_mean(path, names);
  throw std::runtime_error(fmt::format(
      "no device '{}' in this world; {}", path,
      hint.empty() ? fmt::format("its devices: {}", fmt::join(names, ", ")) : hint));
}

}  // namespace

Pose looking_at(const Vec3& from, const Vec3& target) {
  const Vec3 ahead = target - from;
  const double level = libm::hypot(ahead.x(), ahead.y());
  const bool steep = level < 1e-9 * ahead.norm() || !(ahead.norm() > 0);
  const double yaw = steep ? 0 : libm::atan2(ahead.y(), ahead.x());
  const double pitch = libm::atan2(-ahead.z(), level);
  return {axis_angle(Vec3::UnitZ(), yaw) * axis_angle(Vec3::UnitY(), pitch), from};
}

Eye choose_eye(const std::string& text, const WorldLook& look, const WorldFrame& frame,
               double aspect) {
  if (text == "viewpoint") {
    if (!look.viewpoint) return all_of(look, frame, aspect, -2.2, 0.45);
    return {look.viewpoint->X_WV, vertical(look.viewpoint->field_of_view, aspect),
            look.viewpoint->near, look.viewpoint->far};
  }
  if (text == "top") return top_of(look, frame, aspect);
  if (text.starts_with("follow:")) return follow(text.substr(7), look, frame, aspect);
  if (text.starts_with("device:")) return from_device(text.substr(7), look, frame, aspect);
  std::istringstream in(text);
  std::vector<double> n;
  for (double value; in >> value;) n.push_back(value);
  const bool finite = std::all_of(n.begin(), n.end(), [](double v) { return std::isfinite(v); });
  if (n.size() != 6 || !in.eof() || !finite) {
    throw std::runtime_error(
        fmt::format("'{}' is no camera: viewpoint, top, follow:ROBOT, device:ROBOT/DEVICE, or the "
                    "place of the eye and of what it looks at: \"x y z tx ty tz\"",
                    text));
  }
  const Vec3 from(n[0], n[1], n[2]), target(n[3], n[4], n[5]);
  if (from == target) {
    throw std::runtime_error(
        fmt::format("camera '{}': the eye is where it is to look at", text));
  }
  Eye eye;
  eye.vertical_fov = vertical(kFov, aspect);
  eye.X_WC = looking_at(from, target);
  return eye;
}

}  // namespace protobeam
