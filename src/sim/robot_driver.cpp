#include "sim/robot_driver.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/robot_commands.h"
#include "base/stop.h"

namespace protobeam {
using link::ControllerState;

namespace {

/// Whether the devices that are coupled to one by name (DeviceType::coupled_by_name) do what it is
/// told.
bool moves_coupled(std::string_view command) {
  return command == "position" || command == "velocity" || command == "effort";
}

}  // namespace

void Device::keep_last_sample() {
  if (data.empty()) return;
  void* at = own_data.data();
  std::size_t space = own_data.size();
  std::align(64, data.size(), at, space);
  const std::span<std::byte> own(static_cast<std::byte*>(at), data.size());
  if (own.data() != data.data()) std::memcpy(own.data(), data.data(), own.size());
  data = own;
}

RobotDriver::RobotDriver(WorldModel& model, int robot) : model_(model), index_(robot) {
  report_.robot = this->robot().name;
  report_.name = this->robot().controller;
}

link::RobotRecord RobotDriver::record(const link::RobotRecord& world_facts) {
  link::RobotRecord record = world_facts;
  RobotInfo& info = robot();
  record.name = info.name;
  record.model = info.model;
  record.custom_data = info.custom_data;
  record.controller = info.controller;
  record.synchronization = info.synchronization;
  record.supervisor = info.supervisor;
  record.window = has_window_;
  record.basic_time_step_ms = model_.basic_time_step * 1000;
  for (std::size_t i = 0; i < info.devices.size(); ++i) {
    const Device& device = info.devices[i];
    const DeviceType& type = device.model->type();
    link::DeviceRecord out;
    out.tag = static_cast<std::uint16_t>(i + 1);
    out.type = device.type;
    out.api = type.api[0] ? type.api : device.type;
    out.webots_node = type.webots_node;
    out.name = device.name;
    out.model = device.proto.empty() ? device.type : device.proto;
    out.properties = device.model->facts();
    constexpr int kAxes = 3;
    if (device.joint >= 0) out.joint = device.joint * kAxes + device.axis;
    if (device.free_axis_number >= 0) {
      out.joint = (static_cast<int>(model_.joints.size()) + device.free_axis_number) * kAxes;
    }
    out.messages = type.messages;
    out.channels = device.model->layout().channels;
    out.commands = type.commands;
    out.data_size = device.data.size();
    record.devices.push_back(std::move(out));
  }
  return record;
}

void RobotDriver::start(const link::LaunchSpec& launch, const link::RobotRecord& world_facts,
                        link::LineSink lines) {
  lines_ = lines;
  try {
    take_over(std::make_unique<link::ControllerHost>(record(world_facts), launch, std::move(lines)));
  } catch (const std::exception& problem) {
    fail_to_start(problem.what());
  }
}

void RobotDriver::take_over(std::unique_ptr<link::ControllerHost> host) {
  host_ = std::move(host);
  report_.started = true;
  RobotInfo& info = robot();
  // Samples go straight into the controller's memory. A controller that runs on its own (not
  // synchronised) would read half of one: it gets copies with its answers.
  if (!info.synchronization) return;
  for (std::size_t i = 0; i < info.devices.size(); ++i) {
    Device& device = info.devices[i];
    if (device.data.empty()) continue;
    const auto theirs = host_->data(static_cast<std::uint16_t>(i + 1));
    // A sample begins with the one before.
    if (device.samples > 0) {
      std::memcpy(theirs.data(), device.data.data(), device.data.size());
    } else {
      Sample blank(theirs, device.model->layout());
      device.model->blank(blank);
    }
    device.data = theirs;
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
  return state == ControllerState::kComputing || state == ControllerState::kStepping ||
         state == ControllerState::kAsking;
}

bool RobotDriver::before_step(std::int64_t step, std::chrono::milliseconds limit) {
  if (gone_ || (!extern_ && report_.failed) || (waiting_ && due_ > step)) return true;
  if (extern_ && !host_ && !meet_program()) return false;
  if (!host_) return true;
  const bool synchronised = robot().synchronization;
  if (extern_) limit = extern_->limit;
  while (true) {
    const ControllerState state = synchronised ? host_->wait(limit) : host_->poll();
    if (state == ControllerState::kAsking) {
      host_->answer(answer_ ? answer_(host_->questions())
                            : std::vector<link::SupervisorAnswer>(host_->questions().size(),
                                                                  {false, {}, "no supervisor"}));
      if (gone_) return true;
      if (stop::requested()) return false;
      continue;
    }
    if (state == ControllerState::kFinished || state == ControllerState::kFailed) {
      close();
      release_devices();
      if (!extern_) return true;
      if (!meet_program()) return false;
      if (!host_) return true;
      continue;
    }
    // Not synchronised and still computing, or a stop.
    if (state != ControllerState::kStepping) return !synchronised || !stop::requested();
    const double now = static_cast<double>(step) * model_.basic_time_step;
    const link::StepRequest& request = host_->request();
    for (const DeviceCommand& command : request.commands) apply_command(command, step);
    const double basic_ms = model_.basic_time_step * 1000;
    const auto steps = static_cast<std::int64_t>(std::llround(request.period_ms / basic_ms));
    if (request.period_ms > 0) {
      const std::int64_t wanted = std::max<std::int64_t>(1, steps);
      waiting_ = true;
      due_ = step + wanted;
      // As Webots (WbController::readRequest): the commands of who takes longer are late.
      late_ = asked_ ? std::max<std::int64_t>(0, step - *asked_ - wanted) : 0;
      asked_ = step;
      return true;
    }
    host_->reply({0, now, take_messages(), keyboard_.keys, std::nullopt, std::nullopt});
    if (stop::requested()) return false;  // it may ask for no time again and again
  }
}

void RobotDriver::sample_keys(std::int64_t step, std::span<const int> pressed) {
  if (keyboard_.period == 0 || keyboard_.next_sample > step) return;
  keyboard_.next_sample += keyboard_.period;
  const auto told = pressed.first(std::min(pressed.size(), link::kMostKeys));
  keyboard_.keys.assign(told.begin(), told.end());
}

void RobotDriver::sample_battery(std::int64_t step) {
  auto& sensor = battery_sensor_;
  if (sensor.period == 0 || sensor.next_sample > step) return;
  sensor.next_sample += sensor.period;
  const Battery& battery = robot().battery;
  sensor.value = battery.there ? battery.energy : -1;
  sensor.fresh = true;
}

void RobotDriver::set_power(bool on) {
  robot().battery.has_run_down = !on;
  for (const Device& device : robot().devices) device.model->set_power(on);
  if (!on && host_) complain("the battery of '" + robot().name + "' is empty: its devices stop");
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
  const double late = static_cast<double>(late_) * model_.basic_time_step * 1000;
  link::StepReply reply{info.synchronization ? 0 : static_cast<int>(std::lround(late)),
                        time,
                        take_messages(),
                        keyboard_.keys,
                        std::nullopt,
                        std::nullopt};
  if (std::exchange(custom_data_changed_, false)) reply.custom_data = info.custom_data;
  // As in Webots, from its next step on (WbRobot::updateSupervisor, writeAnswer).
  if (host_->robot().supervisor != info.supervisor) reply.supervisor = info.supervisor;
  for (std::size_t i = 0; i < info.devices.size(); ++i) {
    Device& device = info.devices[i];
    if (!std::exchange(device.facts_changed, false)) continue;
    reply.properties.emplace_back(static_cast<std::uint16_t>(i + 1), device.model->facts());
  }
  host_->reply(reply);
}

void RobotDriver::begin_again(std::int64_t step) {
  if (waiting_) due_ -= step;
  if (asked_) *asked_ -= step;
  keyboard_.next_sample = keyboard_.period;
}

void RobotDriver::begin_finish(double time) {
  if (host_ && host_->state() == ControllerState::kStepping)
    host_->reply({-1, time, {}, {}, std::nullopt, std::nullopt});
}

void RobotDriver::finish(double time, std::chrono::milliseconds limit,
                         std::chrono::steady_clock::time_point soft,
                         std::chrono::steady_clock::time_point hard) {
  if (!host_) {
    extern_.reset();
    return;
  }
  if (stop::requested()) {
    host_->end(soft, hard);
    close();
    extern_.reset();
    return;
  }
  int steps = 0, questions = 0;
  while (steps < 8 && questions < 1000) {
    const ControllerState now = host_->state();
    const bool waits = now == ControllerState::kStepping || now == ControllerState::kAsking;
    const ControllerState state = waits ? now : host_->wait(limit);
    if (state == ControllerState::kStepping) {
      host_->reply({-1, time, {}, {}, std::nullopt, std::nullopt});
      ++steps;
    } else if (state == ControllerState::kAsking) {
      host_->answer(answers_at_the_end());
      ++questions;
    } else {
      break;
    }
  }
  close();
  extern_.reset();
}

/// Many programs read once more before they learn that their step was the last one.
std::vector<link::SupervisorAnswer> RobotDriver::answers_at_the_end() const {
  std::vector<link::SupervisorAnswer> answers;
  for (const link::SupervisorRequest& question : host_->questions()) {
    if (answer_ && !gone_ && link::only_reads(question.op)) {
      answers.push_back(answer_({&question, 1}).front());
    } else {
      answers.push_back({false, {}, ""});  // too late, which is no mistake of the program
    }
  }
  return answers;
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
  keep_metrics(report_);
  if (gone_) {
    host_.reset();
    extern_.reset();
    return;
  }
  // The last samples stay, and the simulator may go on writing new ones.
  for (Device& device : robot().devices) device.keep_last_sample();
  host_.reset();
  waiting_ = false;
  asked_.reset();
  if (extern_) extern_->robot->release();
}

ControllerReport RobotDriver::report() const {
  ControllerReport report = report_;
  report.running = running();
  keep_metrics(report);
  return report;
}

void RobotDriver::keep_metrics(ControllerReport& report) const {
  if (!host_) return;
  for (const auto& [name, value] : host_->metrics()) report.metrics[name] = value;
}

void RobotDriver::complain(const std::string& message) {
  if (lines_) lines_(true, message);
}

void RobotDriver::release_devices() {
  for (const Device& device : robot().devices) device.model->release();
}

std::vector<DeviceMessage> RobotDriver::take_messages() {
  std::vector<DeviceMessage> all;
  if (std::exchange(battery_sensor_.fresh, false)) all.push_back({0, {}, {battery_sensor_.value}});
  for (WindowText& text : from_window_.take()) all.push_back({0, std::move(text.text), {}});
  for (std::size_t i = 0; i < robot().devices.size(); ++i) {
    const Device& device = robot().devices[i];
    if (!device.model->type().messages) continue;
    for (DeviceMessage& message : device.model->take_messages()) {
      message.tag = static_cast<std::uint16_t>(i + 1);
      all.push_back(std::move(message));
    }
  }
  return all;
}

std::int64_t RobotDriver::periods(double ms) const {
  const double steps = std::round(ms / (model_.basic_time_step * 1000));
  return static_cast<std::int64_t>(std::clamp(steps, 1.0, 1e12));
}

void RobotDriver::robot_command(const DeviceCommand& command, std::int64_t step) {
  if (command.op == robot_commands::kCustomData) robot().custom_data = command.bytes;
  if (command.op == robot_commands::kWindowText && has_window_)
    to_window_.add({robot().name, command.bytes});
  if (command.op == robot_commands::kKeyboard) {
    const double ms = command.numbers.at(0);
    const std::int64_t period = ms > 0 ? periods(ms) : 0;
    keyboard_ = {period, step + period, {}};
  }
  if (command.op == robot_commands::kBatterySensor) {
    const double ms = command.numbers.at(0);
    battery_sensor_.period = ms > 0 ? periods(ms) : 0;
    battery_sensor_.next_sample = step + battery_sensor_.period;
    if (ms > 0 && !robot().battery.there) {
      complain("the battery sensor is enabled, but the field 'battery' of '" + robot().name +
               "' is empty: it measures -1");
    }
  }
}

void RobotDriver::apply_command(const DeviceCommand& command, std::int64_t step) {
  RobotInfo& info = robot();
  if (command.tag == 0) return robot_command(command, step);
  if (command.tag > info.devices.size()) return;  // the host has refused such a message already
  Device& device = info.devices[command.tag - 1u];
  if (command.op == device_op::kEnable) {
    device.period = periods(command.numbers.at(0));
    device.next_sample = step + device.period;
    device.model->reset();
    return;
  }
  if (command.op == device_op::kDisable) {
    device.period = 0;
    return;
  }
  if (info.battery.has_run_down && !device.model->keeps_commands()) return;
  device_command(device, command);
  // "arm::left" and "arm::right" are coupled: what moves one of them goes to all that share the
  // first part. Limits and gains are each one's own (Webots, WbMotor::handleMessage).
  const std::size_t colons = device.name.find("::");
  if (!device.model->type().coupled_by_name || colons == std::string::npos) return;
  const std::size_t index = command.op - device_op::kFirstCommand;
  const auto& commands = device.model->type().commands;
  if (index >= commands.size() || !moves_coupled(commands[index].name)) return;
  const std::string base = device.name.substr(0, colons + 2);
  for (Device& other : info.devices) {
    if (&other != &device && other.model && other.model->type().coupled_by_name &&
        other.name.starts_with(base)) {
      device_command(other, command);
    }
  }
}

void RobotDriver::device_command(Device& device, const DeviceCommand& command) {
  const std::size_t index = command.op - device_op::kFirstCommand;
  if (index >= device.model->type().commands.size()) return;
  const std::string problem = device.model->command(index, command.numbers, command.bytes);
  if (!problem.empty()) complain("'" + device.name + "': " + problem);
}

}  // namespace protobeam
