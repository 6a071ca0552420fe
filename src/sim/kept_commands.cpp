#include "sim/kept_commands.h"

#include <string_view>

#include "base/state_archive.h"
#include "sim/free_axis.h"

namespace protobeam {
namespace {

/// Of a motor; null of any other device.
KeepsState* motor_state(const Device& device) {
  if (!device.model || std::string_view(device.model->type().api) != "Motor") return nullptr;
  return dynamic_cast<KeepsState*>(device.model.get());
}

template <class Visit>
void each_axis(const WorldModel& model, const Visit& visit) {
  for (std::size_t id = 0; id < model.joints.size(); ++id) {
    const JointInfo& joint = model.joints[id];
    if (!joint.node || !joint.unit) continue;
    for (int axis = 0; axis < static_cast<int>(joint.axes_P.size()); ++axis)
      visit(joint, static_cast<physics::JointId>(id), axis);
  }
}

}  // namespace

KeptCommands::KeptCommands(const WorldModel& model, const wbt::Node& unit) {
  each_axis(model, [&](const JointInfo& joint, physics::JointId id, int axis) {
    if (joint.unit == &unit) axes_[{joint.node, axis}] = model.physics->commands(id, axis);
  });
  for (const RobotInfo& robot : model.robots) {
    if (robot.removed || robot.unit != &unit) continue;
    for (const Device& device : robot.devices) {
      KeepsState* motor = motor_state(device);
      if (!motor) continue;
      StateArchive archive, axis;
      motor->visit_state(archive);
      if (device.free_axis) device.free_axis->visit_state(axis);
      motors_[{robot.node, device.name}] = {archive.take(), axis.take()};
    }
  }
}

void KeptCommands::restore(WorldModel& model) const {
  each_axis(model, [&](const JointInfo& joint, physics::JointId id, int axis) {
    const auto kept = axes_.find({joint.node, axis});
    if (kept != axes_.end()) model.physics->set_commands(id, axis, kept->second);
  });
  for (const RobotInfo& robot : model.robots) {
    if (robot.removed) continue;
    for (const Device& device : robot.devices) {
      const auto kept = motors_.find({robot.node, device.name});
      KeepsState* motor = motor_state(device);
      if (kept == motors_.end() || !motor) continue;
      StateArchive archive(kept->second.motor);
      motor->visit_state(archive);
      if (!device.free_axis || kept->second.axis.empty()) continue;
      StateArchive axis(kept->second.axis);
      device.free_axis->visit_state(axis);
    }
  }
}

}  // namespace protobeam
