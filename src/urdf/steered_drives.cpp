#include "urdf/steered_drives.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/libm.h"

namespace protobeam::urdf {
namespace {

constexpr double kNoDistance = 1e-3;  // m

Vec3 middle_of(const Import& import, const std::vector<const Joint*>& joints) {
  Vec3 sum = Vec3::Zero();
  for (const Joint* joint : joints) sum += start_in_root(import.robot, *joint);
  return sum / static_cast<double>(joints.size());
}

/// Of a wheel in the middle, at which the inner one of those that steer is at the limit of its
/// joint; nothing when there is none.
std::optional<double> steering_limit(const Wheels& wheels, double wheelbase, double separation) {
  std::optional<double> least = wheels.steering_limit;
  const double lever = wheels.steering.size() == 2 ? separation / 2 / wheelbase : 0;
  for (const Joint* joint : wheels.steering) {
    const double limit = std::min(-joint->lower, joint->upper);
    if (!joint->limited || !(limit > 0) || limit >= kPi / 2) continue;
    const double middle = libm::atan(1 / (1 / libm::tan(limit) + lever));
    if (!least || middle < *least) least = middle;
  }
  return least && *least < kPi / 2 ? least : std::nullopt;
}

}  // namespace

std::vector<std::string> names_of(const std::vector<const Joint*>& joints) {
  std::vector<std::string> out;
  for (const Joint* joint : joints) out.push_back(joint->name);
  return out;
}

Quat heading_of(const Import& import, const Wheels& wheels) {
  std::vector<const Joint*> driven = wheels.left;
  driven.insert(driven.end(), wheels.right.begin(), wheels.right.end());
  const Vec3 ahead = middle_of(import, wheels.steering) - middle_of(import, driven);
  if (std::abs(ahead.x()) >= std::abs(ahead.y()) || ahead.head<2>().norm() < kNoDistance) {
    if (!(ahead.x() < -kNoDistance)) return Quat::Identity();
    // Wheels that steer behind, or a robot that goes along -x: their axes tell.
    Vec3 axes = Vec3::Zero();
    for (const Joint* joint : driven)
      axes += start_pose_in_root(import.robot, *joint).R * joint->axis;
    return axes.y() < 0 ? Quat(0, 0, 0, 1) : Quat::Identity();
  }
  const double half = std::sqrt(0.5);
  return {half, 0, 0, ahead.y() > 0 ? half : -half};
}

// Gazebo drives steered wheels, too.
bool add_steering(Import& import, const Wheels& wheels, const Quat& heading, NodeMaker& made,
                  Vec3& middle) {
  const auto at_start = [&](const Joint* joint) {
    return Vec3(heading.conjugate() * start_in_root(import.robot, *joint));
  };
  const Vec3 front = heading.conjugate() * middle_of(import, wheels.steering);
  const auto rear_of = [&](const std::vector<const Joint*>& joints) {
    Vec3 rear = at_start(joints[0]);
    for (const Joint* joint : joints)
      if (at_start(joint).x() < rear.x()) rear = at_start(joint);
    return rear;
  };
  middle = rear_of(wheels.left);
  if (!wheels.right.empty()) middle = (middle + rear_of(wheels.right)) / 2;
  const double measured = front.x() - middle.x();
  middle = heading * middle;
  if (!(measured > 0)) {
    import.diagnostics.warning(
        wheels.place,
        fmt::format("{} has no effect: its steered wheels are not ahead of those that drive",
                    wheels.who));
    return false;
  }
  const double wheelbase = wheels.wheelbase.value_or(measured);
  if (!agree(wheelbase, measured))
    import.diagnostics.warning(
        wheels.place,
        fmt::format("{} says that the wheelbase is {:.4g} m, but its joints have {:.4g} m: the "
                    "robot turns {} than it is told",
                    wheels.who, wheelbase, measured, wheelbase < measured ? "less" : "more"));
  const double separation =
      wheels.steering.size() < 2
          ? 0
          : wheels.steering_separation.value_or(
                std::abs(at_start(wheels.steering[0]).y() - at_start(wheels.steering[1]).y()));
  made.text("kinematics", "ackermann")
      .texts("steeringMotors", names_of(wheels.steering))
      .number("wheelbase", wheelbase);
  if (separation > 0) made.number("steeringSeparation", separation);
  if (const auto limit = steering_limit(wheels, wheelbase, separation))
    made.number("maxSteeringAngle", *limit);
  return true;
}

bool add_tricycle(Import& import, const Wheels& wheels, NodeMaker& made) {
  if (wheels.left.size() != 1 || wheels.steering.size() != 1 || !wheels.wheelbase) {
    import.diagnostics.warning(
        wheels.place,
        fmt::format("{} has no effect: {}", wheels.who,
                    wheels.wheelbase ? "it names no joint that drives and one that steers"
                                     : "the wheelbase is not said"));
    return false;
  }
  constexpr double kAcross = 1.5707;  // the drive takes it for a right angle
  const double limit = steering_limit(wheels, *wheels.wheelbase, 0).value_or(kAcross);
  made.text("kinematics", "tricycle")
      .texts("steeringMotors", names_of(wheels.steering))
      .number("wheelbase", *wheels.wheelbase)
      .number("maxSteeringAngle", std::min(limit, kAcross));
  return true;
}

}  // namespace protobeam::urdf
