#include "sim/device_ports.h"

#include "sim/model.h"

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

Vec3 WorldBodyPort::centre_W() const {
  return dynamic_ ? world_.rigid_state(body_).centre_W : X_WS().p;
}

Mat3 WorldBodyPort::inertia_W() const {
  if (!dynamic_) return Mat3::Zero();
  return world_.rigid_state(body_).inverse_inertia_W.inverse();
}

void WorldBodyPort::apply_force(const Vec3& force_W, const Vec3& point_W) {
  if (!dynamic_ || !force_W.allFinite() || !point_W.allFinite()) return;
  const Vec3 arm_W = point_W - world_.rigid_state(body_).centre_W;
  world_.push(body_, force_W, arm_W.cross(force_W));
}

void WorldBodyPort::apply_torque(const Vec3& torque_W) {
  if (dynamic_ && torque_W.allFinite()) world_.push(body_, Vec3::Zero(), torque_W);
}

void WorldBodyPort::accelerate(const Vec3& a_WS, const Vec3& alpha_WS) {
  if (!dynamic_ || !a_WS.allFinite() || !alpha_WS.allFinite()) return;
  const physics::RigidState state = world_.rigid_state(body_);
  const Vec3 a_W = a_WS + alpha_WS.cross(state.centre_W - X_WS().p);
  world_.push(body_, state.mass * a_W, state.inverse_inertia_W.inverse() * alpha_WS);
}

void WorldBodyPort::accelerate_assembly(const Vec3& a_WS, const Vec3& alpha_WS) {
  if (!dynamic_ || !a_WS.allFinite() || !alpha_WS.allFinite()) return;
  const Vec3 p_WS = X_WS().p;
  for (const physics::BodyId body : world_.assembly(body_)) {
    const physics::RigidState state = world_.rigid_state(body);
    const Vec3 a_W = a_WS + alpha_WS.cross(state.centre_W - p_WS);
    world_.push(body, state.mass * a_W, state.inverse_inertia_W.inverse() * alpha_WS);
  }
}

void WorldBodyPort::set_belt(const Vec3& belt_S) {
  if (surface_ == physics::kWorldBody) return;
  // The static body of a Solid that never moves has the world's frame, as X_BS has.
  world_.set_belt(surface_, solid_, X_BS_.R * belt_S);
}

bool WorldBodyPort::move_to(const Pose& X_WS) {
  return dynamic_ && world_.move_assembly(body_, X_WS * X_BS_.inverse());
}

const Device* WorldRobotPort::find(int tag) const {
  const bool there = tag >= 1 && static_cast<std::size_t>(tag) <= devices_.size();
  return there ? &devices_[static_cast<std::size_t>(tag) - 1] : nullptr;
}

DeviceModel* WorldRobotPort::device(int tag) const {
  const Device* device = find(tag);
  return device ? device->model.get() : nullptr;
}

const JointPort* WorldRobotPort::axis(int tag) const {
  const Device* device = find(tag);
  if (!device) return nullptr;
  return device->free_axis ? device->free_axis.get() : device->joint_port.get();
}

std::span<const std::byte> WorldRobotPort::sample(int tag) const {
  const Device* device = find(tag);
  if (!reads_samples_ || !device || device->period == 0 || device->samples == 0) return {};
  return device->data;
}

}  // namespace protobeam
