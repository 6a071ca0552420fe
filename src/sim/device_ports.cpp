#include "sim/device_ports.h"

namespace protobeam {

Pose WorldBodyPort::X_WS() const {
  return body_ == physics::kWorldBody ? X_BS_ : world_.pose(body_) * X_BS_;
}

Vec3 WorldBodyPort::v_WS() const {
  if (body_ == physics::kWorldBody) return Vec3::Zero();
  return world_.velocity(body_) +
         world_.angular_velocity(body_).cross(world_.pose(body_).R * X_BS_.p);
}

Vec3 WorldBodyPort::w_WS() const {
  return body_ == physics::kWorldBody ? Vec3::Zero() : world_.angular_velocity(body_);
}

double WorldBodyPort::mass() const { return dynamic_ ? world_.mass(body_) : 0; }

void WorldBodyPort::apply_force(const Vec3& force_W, const Vec3& point_W) {
  if (!dynamic_ || !force_W.allFinite() || !point_W.allFinite()) return;
  const Vec3 arm_W = point_W - world_.rigid_state(body_).centre_W;
  world_.push(body_, force_W, arm_W.cross(force_W));
}

void WorldBodyPort::apply_torque(const Vec3& torque_W) {
  if (dynamic_ && torque_W.allFinite()) world_.push(body_, Vec3::Zero(), torque_W);
}

}  // namespace protobeam
