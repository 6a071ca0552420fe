#include "sim/robot_driver.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace protobeam {
using link::ControllerState;

RobotDriver::RobotDriver(WorldModel& model, int robot, RadioMedium& radio)
    : model_(model), index_(robot), radio_(radio) {
  report_.robot = this->robot().name;
  report_.name = this->robot().controller;
}

void RobotDriver::start(const link::LaunchSpec& launch, const link::RobotRecord& world_facts,
                        link::LineSink lines) {
  lines_ = lines;
  link::RobotRecord record = world_facts;
  RobotInfo& info = robot();
  record.name = info.name;
  record.model = info.model;
  record.custom_data = info.custom_data;
  record.controller = info.controller;
  record.synchronization = info.synchronization;
  record.basic_time_step_ms = model_.basic_time_step * 1000;
  for (std::size_t i = 0; i < info.devices.size(); ++i) {
    Device& device = info.devices[i];
    record.devices.push_back({static_cast<std::uint16_t>(i + 1), device.kind, device.name,
                              device.proto.empty() ? device.type : device.proto, device.properties,
                              device.data.size()});
  }
  try {
    host_ = std::make_unique<link::ControllerHost>(std::move(record), launch, std::move(lines));
  } catch (const std::exception& problem) {
    fail_to_start(problem.what());
    return;
  }
  report_.started = true;
  // Samples go straight into the controller's memory. A controller that runs on its own (not
  // synchronised) would read half of one: it gets copies with its answers.
  if (!info.synchronization) return;
  for (std::size_t i = 0; i < info.devices.size(); ++i) {
    if (!info.devices[i].data.empty()) {
      info.devices[i].data = host_->data(static_cast<std::uint16_t>(i + 1));
    }
  }
}

void RobotDriver::fail_to_start(std::string why) {
  report_.failed = true;
  report_.exit = 127;
  report_.what_happened = std::move(why);
}

bool RobotDriver::running() const {
  if (!host_) return false;
  const auto state = host_->state();
  return state == ControllerState::kComputing || state == ControllerState::kStepping;
}

void RobotDriver::before_step(std::int64_t step, std::chrono::milliseconds limit) {
  if (!host_ || report_.failed || (waiting_ && due_ > step)) return;
  const bool synchronised = robot().synchronization;
  while (true) {
    const ControllerState state = synchronised ? host_->wait(limit) : host_->poll();
    if (state == ControllerState::kFinished || state == ControllerState::kFailed) {
      close();
      stop_motors();
      return;
    }
    if (state != ControllerState::kStepping) return;  // not synchronised, still computing
    const link::StepRequest& request = host_->request();
    for (const DeviceCommand& command : request.commands) obey(command, step);
    const double basic_ms = model_.basic_time_step * 1000;
    const auto steps = static_cast<std::int64_t>(std::llround(request.period_ms / basic_ms));
    if (request.period_ms > 0) {
      waiting_ = true;
      asked_ = step;
      due_ = step + std::max<std::int64_t>(1, steps);
      return;
    }
    const double time = static_cast<double>(step) * model_.basic_time_step;
    host_->reply({0, time, {}, keyboard_.keys});
  }
}

void RobotDriver::sample_keys(std::int64_t step, std::span<const int> pressed) {
  if (keyboard_.period == 0 || keyboard_.next_sample > step) return;
  keyboard_.next_sample += keyboard_.period;
  const auto told = pressed.first(std::min(pressed.size(), link::kMostKeys));
  keyboard_.keys.assign(told.begin(), told.end());
}

void RobotDriver::after_step(std::int64_t step, double time) {
  if (!host_ || !waiting_ || due_ > step) return;
  RobotInfo& info = robot();
  if (!info.synchronization) {
    for (std::size_t i = 0; i < info.devices.size(); ++i) {
      const auto& data = info.devices[i].data;
      if (!data.empty()) {
        std::memcpy(host_->data(static_cast<std::uint16_t>(i + 1)).data(), data.data(),
                    data.size());
      }
    }
  }
  waiting_ = false;
  const double late = static_cast<double>(step - due_) * model_.basic_time_step * 1000;
  host_->reply({info.synchronization ? 0 : static_cast<int>(late), time, radio_.take(index_),
                keyboard_.keys});
}

void RobotDriver::finish(double time, std::chrono::milliseconds limit) {
  if (!host_) return;
  for (int tries = 0; tries < 8; ++tries) {
    const ControllerState state = host_->state() == ControllerState::kStepping
                                      ? ControllerState::kStepping
                                      : host_->wait(limit);
    if (state != ControllerState::kStepping) break;
    host_->reply({-1, time, {}, {}});
    if (host_->wait(limit) != ControllerState::kStepping) break;
  }
  close();
}

void RobotDriver::close() {
  const ControllerState state = host_->state();
  if (state == ControllerState::kFinished || state == ControllerState::kFailed) {
    report_.exit = host_->exit_status();
    report_.failed = state == ControllerState::kFailed || report_.exit != 0;
    report_.what_happened = host_->what_happened();
  } else {
    report_.what_happened = "was stopped with the simulation";
  }
  // The last samples stay, and the simulator may go on writing new ones.
  for (Device& device : robot().devices) {
    if (device.data.empty()) continue;
    void* at = device.own_data.data();
    std::size_t space = device.own_data.size();
    std::align(64, device.data.size(), at, space);
    const std::span<std::byte> own(static_cast<std::byte*>(at), device.data.size());
    if (own.data() != device.data.data()) std::memcpy(own.data(), device.data.data(), own.size());
    device.data = own;
  }
  host_.reset();
}

ControllerReport RobotDriver::report() const {
  ControllerReport report = report_;
  report.running = running();
  return report;
}

void RobotDriver::complain(const std::string& message) {
  if (lines_) lines_(true, message);
}

void RobotDriver::stop_motors() {
  for (const auto& vehicle : model_.vehicles) {
    if (vehicle->robot() == index_) vehicle->let_go();
  }
  for (const Device& device : robot().devices) {
    const bool motor =
        device.kind == DeviceKind::kRotationalMotor || device.kind == DeviceKind::kLinearMotor;
    if (!motor || device.joint < 0) continue;
    model_.physics->set_motor_velocity(device.joint, device.axis, 0);
  }
}

std::int64_t RobotDriver::periods(double ms) const {
  const double steps = std::round(ms / (model_.basic_time_step * 1000));
  return static_cast<std::int64_t>(std::clamp(steps, 1.0, 1e12));
}

void RobotDriver::obey(const DeviceCommand& command, std::int64_t step) {
  RobotInfo& info = robot();
  const double number = command.numbers.empty() ? 0 : command.numbers[0];
  if (command.tag == 0) {
    if (command.op == DeviceOp::kCustomData) info.custom_data = command.bytes;
    if (command.op == DeviceOp::kKeyboard) {
      const std::int64_t period = number > 0 ? periods(number) : 0;
      keyboard_ = {period, step + period, {}};
    }
    return;
  }
  if (command.tag > info.devices.size()) return;  // the host has refused such a message already
  Device& device = info.devices[command.tag - 1u];
  switch (command.op) {
    case DeviceOp::kEnable:
      device.period = periods(number);
      device.next_sample = step + device.period;
      if (device.sensor) device.sensor->reset();
      return;
    case DeviceOp::kDisable:
      device.period = 0;
      return;
    case DeviceOp::kMotorFeedback:
      device.period = number > 0 ? periods(number) : 0;
      device.next_sample = step + device.period;
      return;
    case DeviceOp::kMotorPosition:
    case DeviceOp::kMotorVelocity:
    case DeviceOp::kMotorAcceleration:
    case DeviceOp::kMotorEffort:
    case DeviceOp::kMotorAvailableEffort:
    case DeviceOp::kMotorPid: {
      motor_command(device, command);
      // "arm::left" and "arm::right" are coupled: one command moves all that share the first part.
      const std::size_t colons = device.name.find("::");
      if (colons == std::string::npos) return;
      const std::string base = device.name.substr(0, colons + 2);
      for (Device& other : info.devices) {
        if (&other == &device || other.kind != device.kind ||
            other.name.compare(0, base.size(), base) != 0)
          continue;
        motor_command(other, command);
      }
      return;
    }
    case DeviceOp::kVehicleTwist:
    case DeviceOp::kVehicleSpeed:
    case DeviceOp::kVehicleTorques:
      return vehicle_command(device, command);
    case DeviceOp::kBrakeDamping:
      if (device.joint >= 0) model_.physics->set_brake(device.joint, device.axis, number);
      return;
    case DeviceOp::kEmitterSend:
      if (const Radio* radio = radio_.radio_of(index_, command.tag - 1))
        radio_.send(*radio, command.bytes);
      return;
    case DeviceOp::kEmitterChannel:
    case DeviceOp::kReceiverChannel:
      if (Radio* radio = radio_.radio_of(index_, command.tag - 1))
        radio->channel = static_cast<int>(number);
      return;
    case DeviceOp::kEmitterRange:
      if (Radio* radio = radio_.radio_of(index_, command.tag - 1)) radio->range = number;
      return;
    default:
      break;
  }
  if (!device.sensor) return;
  const std::string problem = device.sensor->command(command);
  if (!problem.empty()) complain("'" + device.name + "': " + problem);
}

void RobotDriver::vehicle_command(const Device& device, const DeviceCommand& command) {
  const int vehicle = model_.vehicle_of(device);
  const auto& n = command.numbers;
  if (vehicle < 0 || n.empty()) return;  // the host has refused such a message already
  DriveCommand wanted;
  if (command.op == DeviceOp::kVehicleTwist) {
    if (n.size() < 3) return;
    wanted = Twist{n[0], n[1], n[2]};
  } else if (command.op == DeviceOp::kVehicleSpeed) {
    if (n.size() < 2) return;
    wanted = SpeedCommand{n[0], n[1]};
  } else {
    wanted = TorqueCommand{{n.begin() + 1, n.end()}, n[0]};
  }
  std::string problem = model_.vehicles[static_cast<std::size_t>(vehicle)]->command(wanted);
  // A program that repeats its mistake in each step is told once.
  if (!problem.empty() && problem != refused_) complain("'" + device.name + "': " + problem);
  refused_ = std::move(problem);
}

void RobotDriver::motor_command(Device& device, const DeviceCommand& command) {
  if (device.joint < 0 || command.numbers.empty()) return;
  auto& world = *model_.physics;
  const double value = command.numbers[0], scaled = value * device.multiplier;
  switch (command.op) {
    case DeviceOp::kMotorPosition:
      return world.set_motor_position(device.joint, device.axis,
                                      std::isinf(value) ? value : scaled);
    case DeviceOp::kMotorVelocity:
      return world.set_motor_velocity(device.joint, device.axis, scaled);
    case DeviceOp::kMotorAcceleration:
      return world.set_motor_acceleration(device.joint, device.axis, value);
    case DeviceOp::kMotorEffort:
      return world.set_motor_effort(device.joint, device.axis, scaled);
    case DeviceOp::kMotorAvailableEffort:
      return world.set_motor_available_effort(device.joint, device.axis, value);
    case DeviceOp::kMotorPid:
      if (command.numbers.size() < 3) return;
      return world.set_motor_pid(device.joint, device.axis, command.numbers[0], command.numbers[1],
                                 command.numbers[2]);
    default:
      return;
  }
}

}  // namespace protobeam
