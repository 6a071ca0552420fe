// A robot with one device of each kind, and a host for a test program of this folder.
#pragma once

#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "link/controller_host.h"
#include "tests/unit/support/paths.h"
#include "tests/unit/support/plugin.h"

namespace protobeam::link {

inline constexpr int kLayers = 2, kColumns = 3;

/// What a robot with such a device says to its controller.
inline DeviceRecord record_of(const DeviceType& type, std::uint16_t tag, std::string name,
                              std::string model, Properties properties) {
  DeviceRecord device;
  device.tag = tag;
  device.type = type.node.name;
  device.api = type.api[0] ? type.api : type.node.name;
  device.webots_node = type.webots_node;
  device.name = std::move(name);
  device.model = std::move(model);
  const SampleLayout layout = layout_of(type, properties, TestFields(type.node));
  device.channels = layout.channels;
  device.data_size = layout.size;
  device.commands = type.commands;
  device.messages = type.messages;
  device.properties = std::move(properties);
  return device;
}

/// Number of a command of the device, for DeviceCommand::op.
inline std::uint16_t op_of(const DeviceRecord& device, std::string_view command) {
  return static_cast<std::uint16_t>(device_op::kFirstCommand +
                                    find_command(device.commands, command));
}

inline RobotRecord test_robot() {
  RobotRecord robot;
  robot.name = "rover";
  robot.model = "Test Rover";
  robot.custom_data = "old data";
  robot.controller = "puppet";
  robot.project_path = "/project";
  robot.world_path = "/project/worlds/w.wbt";
  robot.basic_time_step_ms = 16;
  const auto add = [&](const DeviceType& type, const char* name, Properties properties,
                       int joint = -1) {
    const auto tag = static_cast<std::uint16_t>(robot.devices.size() + 1);
    robot.devices.push_back(
        record_of(type, tag, name, "M" + std::to_string(tag), std::move(properties)));
    robot.devices.back().joint = joint;
  };
  const auto type = [](const char* node) -> const DeviceType& {
    return load_sensor_plugin(node).type;
  };
  add(type("Lidar"), "lidar",
      {{"fieldOfView", 1.5},
       {"verticalFieldOfView", 0.2},
       {"numberOfLayers", double{kLayers}},
       {"horizontalResolution", double{kColumns}},
       {"minRange", 0.1},
       {"maxRange", 50.0},
       {"defaultFrequency", 12.0},
       {"minFrequency", 5.0},
       {"maxFrequency", 20.0},
       {"noise", 0.0},
       {"type", std::string("rotating")}});
  add(type("RotationalMotor"), "motor",
      {{"maxVelocity", 20.0},
       {"acceleration", -1.0},
       {"maxEffort", 30.0},
       {"minPosition", -1.0},
       {"maxPosition", 2.0},
       {"multiplier", 1.5},
       {"targetPosition", 0.25}},
      0);
  add(type("PositionSensor"), "sensor", {{"linear", 0.0}}, 0);
  add(type("Brake"), "brake", {{"linear", 0.0}}, 0);
  add(type("GPS"), "gps", {{"coordinateSystem", std::string("WGS84")}});
  add(type("InertialUnit"), "imu", {{"noise", 0.125}});
  add(type("Gyro"), "gyro", {});
  add(type("Accelerometer"), "accelerometer",
      {{"lookupTable", std::vector<double>{-100, -50, 0, 100, 50, 0.1}}});
  add(type("DistanceSensor"), "distance",
      {{"lookupTable", std::vector<double>{0, 1000, 0, 0.5, 20, 0, 1, 40, 0}},
       {"aperture", 0.5},
       {"type", std::string("laser")}});
  add(type("TouchSensor"), "touch", {{"type", std::string("force-3d")}});
  add(type("Emitter"), "emitter", {{"channel", 1.0}, {"range", -1.0}});
  add(type("Receiver"), "receiver", {{"channel", 1.0}});
  add(type("LinearMotor"), "slider", {{"maxEffort", 40.0}}, 1);
  static const DeviceType cone{
      .node = {"Cone", "Device", "", {}},
      .channels = {{"ranges", ElementType::kFloat64, {4, 5}, "m", "device", "inf", ""},
                   {"hits",
                    ElementType::kRecord,
                    {2},
                    "",
                    "world",
                    "",
                    "",
                    {{"x", ElementType::kFloat32, "m"}, {"count", ElementType::kUint16, ""}}}},
      .commands = {{"gain", {{"gain", "", Range::between(0, 5)}}, ""}}};
  add(cone, "cone", {});
  return robot;
}

inline std::uint16_t tag_of(const RobotRecord& robot, const std::string& name) {
  for (const auto& device : robot.devices) {
    if (device.name == name) return device.tag;
  }
  throw std::out_of_range(name);
}

/// Lines of a controller, collected from the reader's thread.
class Lines {
 public:
  LineSink sink() {
    return [this](bool is_stderr, std::string_view line) {
      const std::lock_guard lock(mutex_);
      (is_stderr ? err_ : out_).emplace_back(line);
    };
  }
  std::vector<std::string> out() const {
    const std::lock_guard lock(mutex_);
    return out_;
  }
  std::vector<std::string> err() const {
    const std::lock_guard lock(mutex_);
    return err_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> out_, err_;
};

inline LaunchSpec launch_of(const char* program, std::vector<std::string> arguments) {
  LaunchSpec launch;
  launch.argv = {build_dir() + "/tests/link_programs/" + program};
  launch.argv.insert(launch.argv.end(), arguments.begin(), arguments.end());
  launch.working_directory = "/";
  return launch;
}

struct Running {
  explicit Running(std::vector<std::string> arguments, const char* program = "puppet",
                   RobotRecord robot = test_robot())
      : host(std::make_unique<ControllerHost>(std::move(robot), launch_of(program, arguments),
                                              lines.sink())) {}

  ControllerState wait() { return host->wait(std::chrono::seconds(20)); }
  /// The first line of stdout, while the controller computes.
  std::string first_line() {
    for (int i = 0; i < 5000 && lines.out().empty(); ++i) {
      host->poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return lines.out().at(0);
  }
  std::uint16_t tag(const char* name) const { return tag_of(host->robot(), name); }
  /// DeviceCommand::op of a command of the device, "enable" included.
  std::uint16_t op(const char* name, std::string_view command) const {
    if (command == "enable") return device_op::kEnable;
    return op_of(host->robot().devices.at(tag(name) - 1u), command);
  }
  template <class T>
  T* data(const char* name) {
    return reinterpret_cast<T*>(host->data(tag(name)).data());
  }

  Lines lines;
  std::unique_ptr<ControllerHost> host;
};

}  // namespace protobeam::link
