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

namespace protobeam::link {

inline constexpr int kLayers = 2, kColumns = 3;

inline RobotRecord test_robot() {
  RobotRecord robot;
  robot.name = "rover";
  robot.model = "Test Rover";
  robot.custom_data = "old data";
  robot.controller = "puppet";
  robot.project_path = "/project";
  robot.world_path = "/project/worlds/w.wbt";
  robot.basic_time_step_ms = 16;
  const auto add = [&](DeviceKind kind, const char* name, std::size_t size, Properties properties) {
    const auto tag = static_cast<std::uint16_t>(robot.devices.size() + 1);
    robot.devices.push_back({tag, kind, name, "M" + std::to_string(tag), properties, size});
  };
  const auto doubles = [](std::size_t n) { return n * sizeof(double); };
  add(DeviceKind::kLidar, "lidar", lidar_data_size(kLayers, kColumns),
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
  add(DeviceKind::kRotationalMotor, "motor", doubles(1),
      {{"maxVelocity", 20.0},
       {"acceleration", -1.0},
       {"maxEffort", 30.0},
       {"minPosition", -1.0},
       {"maxPosition", 2.0},
       {"multiplier", 1.5},
       {"targetPosition", 0.25},
       {"brake", 4.0},
       {"positionSensor", 3.0}});
  add(DeviceKind::kPositionSensor, "sensor", doubles(1),
      {{"type", std::string("rotational")}, {"motor", 2.0}, {"brake", 4.0}});
  add(DeviceKind::kBrake, "brake", 0, {{"type", 0.0}, {"motor", 2.0}, {"positionSensor", 3.0}});
  add(DeviceKind::kGps, "gps", doubles(7), {{"coordinateSystem", std::string("WGS84")}});
  add(DeviceKind::kInertialUnit, "imu", doubles(7), {{"noise", 0.125}});
  add(DeviceKind::kGyro, "gyro", doubles(3), {});
  add(DeviceKind::kAccelerometer, "accelerometer", doubles(3),
      {{"lookupTable", std::vector<double>{-100, -50, 0, 100, 50, 0.1}}});
  add(DeviceKind::kDistanceSensor, "distance", doubles(1),
      {{"lookupTable", std::vector<double>{0, 1000, 0, 0.5, 20, 0, 1, 40, 0}},
       {"aperture", 0.5},
       {"type", std::string("laser")}});
  add(DeviceKind::kTouchSensor, "touch", doubles(3), {{"type", std::string("force-3d")}});
  add(DeviceKind::kEmitter, "emitter", 0, {{"channel", 1.0}, {"range", -1.0}});
  add(DeviceKind::kReceiver, "receiver", 0, {{"channel", 1.0}});
  add(DeviceKind::kLinearMotor, "slider", doubles(1), {{"maxEffort", 40.0}});
  add(DeviceKind::kCustom, "cone", doubles(20), {});
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
  template <class T>
  T* data(const char* name) {
    return reinterpret_cast<T*>(host->data(tag(name)).data());
  }

  Lines lines;
  std::unique_ptr<ControllerHost> host;
};

}  // namespace protobeam::link
