#include "sim/carrier_wrench.h"

namespace protobeam {

CarrierWrenchMeter::CarrierWrenchMeter(const WorldModel& model, const Device& device)
    : model_(model) {
  if (device.solid < 0) return;
  const int root = model.solids[static_cast<std::size_t>(device.solid)].parent;
  if (root < 0 || model.solids[static_cast<std::size_t>(root)].body == physics::kWorldBody) return;
  root_ = root;
  for (std::size_t i = 0; i < model.solids.size(); ++i) {
    const SolidInfo& solid = model.solids[i];
    if (solid.mass > 0 && solid.body != physics::kWorldBody && carries(static_cast<int>(i)))
      parts_.push_back({static_cast<int>(i)});
  }
}

/// The Solid is the root, or in it. (Numbers need not rise from a Solid to those in it.)
bool CarrierWrenchMeter::carries(int solid) const {
  while (solid >= 0 && solid != root_) {
    const SolidInfo& info = model_.solids[static_cast<std::size_t>(solid)];
    if (info.removed) return false;
    solid = info.parent;
  }
  return solid >= 0;
}

void CarrierWrenchMeter::find(Part& part) const {
  const SolidInfo& solid = model_.solids[static_cast<std::size_t>(part.solid)];
  const physics::World& world = *model_.physics;
  const Pose X_WB = world.pose(solid.body);
  const Vec3 r_W = X_WB.R * solid.centre_B, w_W = world.angular_velocity(solid.body);
  part.centre = X_WB.p + r_W;
  part.momentum = solid.mass * (world.velocity(solid.body) + w_W.cross(r_W));
  part.spin = X_WB.R * (solid.inertia_B * (X_WB.R.conjugate() * w_W));
}

void CarrierWrenchMeter::before_step() {
  for (Part& part : parts_) find(part);
}

std::optional<CarrierWrench> CarrierWrenchMeter::measure(const Pose& X_WS) const {
  if (root_ < 0 || parts_.empty()) return {};
  const physics::World& world = *model_.physics;
  const double dt = model_.basic_time_step;
  Vec3 force_W = Vec3::Zero(), torque_W = Vec3::Zero();
  for (const Part& before : parts_) {
    const SolidInfo& solid = model_.solids[static_cast<std::size_t>(before.solid)];
    if (solid.removed) continue;
    Part now = before;
    find(now);
    const Vec3 weight = solid.weight_mass * world.spec().gravity;
    const Vec3 arm = now.centre - X_WS.p, arm_before = before.centre - X_WS.p;
    force_W += (now.momentum - before.momentum) / dt - weight;
    torque_W +=
        (now.spin + arm.cross(now.momentum) - before.spin - arm_before.cross(before.momentum)) /
            dt -
        arm.cross(weight);
  }
  for (const physics::Contact& contact : world.contacts()) {
    const bool is_a = carries(contact.owner_a), is_b = carries(contact.owner_b);
    if (is_a == is_b) continue;
    const Vec3 impulse_W = contact.normal_W * contact.impulse + contact.friction_W;
    const Vec3 push_W = impulse_W / dt * (is_a ? 1.0 : -1.0);
    force_W -= push_W;
    torque_W -= (contact.point_W - X_WS.p).cross(push_W);
  }
  const Quat R_SW = X_WS.R.conjugate();
  return CarrierWrench{R_SW * force_W, R_SW * torque_W};
}

}  // namespace protobeam
