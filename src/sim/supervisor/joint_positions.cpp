// Joints that supervisors put somewhere, and what their motors do then.
//
// As in Webots, a motor holds the joint where set_joint_position() has put it
// (WbJoint::setPosition), whatever it was told before; with a saved state it gets its greatest
// speed back, too (WbMotor::reset). The field `position` alone leaves it as it is.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {
namespace {

constexpr const char* kParameters[] = {"jointParameters", "jointParameters2", "jointParameters3"};

}  // namespace

std::optional<Supervisor::JointAxis> Supervisor::joint_of(const wbt::Node& parameters) const {
  const auto& joints = simulation_.model().joints;
  for (const wbt::Node* parent : simulation_.tree().parents(parameters)) {
    if (!parent) continue;
    const auto joint = std::ranges::find(joints, parent, &JointInfo::node);
    if (joint == joints.end()) continue;
    for (int axis = 0; axis < static_cast<int>(joint->axes_P.size()); ++axis) {
      const wbt::Field* holder = parent->find(kParameters[axis]);
      const bool here = holder && !holder->value.nodes.empty() &&
                        holder->value.nodes.front().get() == &parameters;
      if (here) return JointAxis{static_cast<physics::JointId>(joint - joints.begin()), axis};
    }
  }
  return std::nullopt;
}

void Supervisor::set_joint_position(const wbt::Node& joint, int number, double position) {
  auto& model = simulation_.model();
  const auto info = std::ranges::find(model.joints, &joint, &JointInfo::node);
  if (info == model.joints.end()) refuse(fmt::format("a {} is no joint that moves", joint.type));
  const auto axes = static_cast<int>(info->axes_P.size());
  if (number < 1 || number > axes)
    refuse(fmt::format("the joint has {} axes: the index is 1 to {}", axes, axes));
  const JointAxis at{static_cast<physics::JointId>(info - model.joints.begin()), number - 1};
  model.physics->set_joint_position(at.id, at.axis, position);
  Device* motor = motor_of(at);
  // Where stops have let it go.
  if (motor)
    motor->model->send_command("position", {model.physics->joint_position(at.id, at.axis)});
}

Device* Supervisor::motor_of(const JointAxis& joint) const {
  for (RobotInfo& robot : simulation_.model().robots) {
    if (robot.removed) continue;
    for (Device& device : robot.devices) {
      if (device.joint != joint.id || device.axis != joint.axis || !device.model) continue;
      if (std::string_view(device.model->type().api) == "Motor") return &device;
    }
  }
  return nullptr;
}

void Supervisor::reset_motor(const JointAxis& joint, double position) {
  Device* motor = motor_of(joint);
  if (!motor) return;
  const Properties its = motor->model->properties();
  const auto number = [&](const char* name) { return std::get<double>(its.at(name)); };
  motor->model->send_command("position", {position});
  motor->model->send_command("velocity", {number("maxVelocity") / number("multiplier")});
}

}  // namespace protobeam
