#include "sim/wheel_motion.h"

#include <cmath>

#include "base/libm.h"
#include "base/turn.h"
#include "sim/animation.h"

namespace protobeam {
namespace {

/// Where `before` is after dt with the forward speed v of its point p_B and the yaw rate w.
Pose on_arc(const Pose& before, const Vec3& p_B, const Vec3& forward_W, const Vec3& up_W, double v,
            double w, double dt) {
  const double half = w * dt / 2;
  const double chord = v * dt * (std::abs(half) > 1e-9 ? libm::sin(half) / half : 1);
  const Quat turn = axis_angle(up_W, w * dt);
  const Vec3 p_W = before * p_B + axis_angle(up_W, half) * forward_W * chord;
  Pose after;
  after.R = (turn * before.R).normalized();
  after.p = p_W - after.R * p_B;
  return after;
}

}  // namespace

void roll(physics::World& world, const std::vector<RollingBody>& bodies, const Vec3& up_W,
          double step) {
  for (const RollingBody& rolling : bodies) {
    const Pose X_WB = world.pose(rolling.body);
    const auto& [one, other] = rolling.wheels;
    const Vec3 axis_W = X_WB.R * one.axis_B;
    const Vec3 forward_W = axis_W.cross(up_W).normalized();
    const double same = other.axis_B.dot(one.axis_B) < 0 ? -1 : 1;
    const double v_one = rolling.radius * world.joint_velocity(one.joint, 0);
    const double v_other = same * rolling.radius * world.joint_velocity(other.joint, 0);
    // A rigid body's points at distance d along the axis: v + w up x (d axis) = v - w d forward.
    const double apart = (other.anchor_B - one.anchor_B).dot(one.axis_B);
    const double w = std::abs(apart) > 1e-9 ? (v_one - v_other) / apart : 0;
    const Vec3 middle_B = 0.5 * (one.anchor_B + other.anchor_B);
    move_within_step(world, rolling.body,
                     on_arc(X_WB, middle_B, forward_W, up_W, 0.5 * (v_one + v_other), w, step),
                     step);
  }
}

}  // namespace protobeam
