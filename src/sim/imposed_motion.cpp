#include "sim/imposed_motion.h"

#include <algorithm>

namespace protobeam {
namespace {

/// Of the body, from where its device has to be.
Pose body_pose(const Device& device, const ImposedMotion& motion) {
  return motion.X_WS * device.X_BD.inverse();
}

void set_exactly(physics::World& world, const Device& device, double time) {
  const ImposedMotion motion = device.model->motion(time);
  const Pose X_WB = body_pose(device, motion);
  world.set_pose(device.body, X_WB);
  world.set_velocity(device.body, motion.v_WS + motion.w_WS.cross(X_WB.p - motion.X_WS.p),
                     motion.w_WS);
}

}  // namespace

void ImposedMotions::follow(physics::World& world, const std::vector<Device*>& devices,
                            double time) {
  guides_.clear();
  for (Device* device : devices) {
    guides_.push_back({device});
    set_exactly(world, *device, time);
  }
}

void ImposedMotions::prepare_step(physics::World& world, double time, double step) {
  for (Guide& guide : guides_) {
    const Device& device = *guide.device;
    const Pose after = body_pose(device, device.model->motion(time + step));
    guide.jumped = device.model->jumps(time, time + step);
    if (guide.jumped) {
      put(world, device.body, after);
    } else {
      move_within_step(world, device.body, after, step);
    }
  }
}

void ImposedMotions::finish_step(physics::World& world, double time) {
  for (const Guide& guide : guides_) set_exactly(world, *guide.device, time);
}

bool ImposedMotions::jumped(physics::BodyId body) const {
  return std::ranges::any_of(
      guides_, [body](const Guide& guide) { return guide.jumped && guide.device->body == body; });
}

}  // namespace protobeam
