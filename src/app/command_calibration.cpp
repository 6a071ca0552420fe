// calibration: where the sensors of a robot are, as a calibration file, and the way back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <stdexcept>

#include "app/calibration_file.h"
#include "app/commands.h"
#include "app/log.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "base/libm.h"
#include "base/whole_file.h"

namespace protobeam {
namespace {

struct CalibrationArguments : WorldArguments {
  std::string robot, body, read, out;
  bool partial = false;
};

const RobotInfo& chosen_robot(const WorldModel& model, const std::string& name) {
  std::vector<std::string> names;
  for (const RobotInfo& robot : model.robots) {
    if (robot.name == name) return robot;
    names.push_back(robot.name);
  }
  if (name.empty() && names.size() == 1) return model.robots.front();
  if (names.empty()) throw std::runtime_error("this world has no robot");
  if (name.empty()) {
    throw std::runtime_error(fmt::format(
        "this world has several robots; write --robot and one of {}", fmt::join(names, ", ")));
  }
  const std::string hint = did_you_mean(name, names);
  throw std::runtime_error(
      fmt::format("no robot '{}' in this world; {}", name,
                  hint.empty() ? fmt::format("its robots: {}", fmt::join(names, ", ")) : hint));
}

/// A constant fact about the device of that type; null when it has none.
template <class T>
const T* fact(const Device& device, const char* name) {
  const auto found = device.model->facts().find(name);
  return found == device.model->facts().end() ? nullptr : std::get_if<T>(&found->second);
}

std::optional<CalibratedImager> imager_of(const Device& device) {
  const auto* width = fact<double>(device, "width");
  const auto* height = fact<double>(device, "height");
  const auto* fov = fact<double>(device, "fov");
  if (!width || !height || !fov || *fov >= kPi) return {};
  CalibratedImager out;
  out.width = static_cast<int>(*width);
  out.height = static_cast<int>(*height);
  // Square pixels, and the optical axis in the middle of the image.
  const double f = *width / 2 / libm::tan(*fov / 2);
  out.intrinsics = {f, f, (*width - 1) / 2, (*height - 1) / 2};
  const auto* K = fact<std::vector<double>>(device, "intrinsics");
  const auto* D = fact<std::vector<double>>(device, "distortion");
  if (K && K->size() == 4) std::ranges::copy(*K, out.intrinsics.begin());
  if (D && D->size() == 4) std::ranges::copy(*D, out.distortion.begin());
  return out;
}

/// All that is fixed to the robot's body and measures.
std::vector<CalibratedSensor> sensors_of(const WorldModel& model, const RobotInfo& robot,
                                         const std::string& body,
                                         std::vector<std::string>& remarks) {
  const SolidInfo& solid = model.solids[static_cast<std::size_t>(robot.solid)];
  std::vector<CalibratedSensor> out;
  for (const Device& device : robot.devices) {
    if (device.joint >= 0 || device.free_axis || !device.model->type().has_sample() ||
        device.model->type().moves_robot) {
      continue;
    }
    if (device.body != solid.body) {
      remarks.push_back(device.name + " is behind a joint: it has no fixed place");
      continue;
    }
    out.push_back({device.name, solid.X_BS.inverse() * device.X_BD * device.model->data_frame(),
                   imager_of(device)});
  }
  if (body.empty()) {
    remarks.push_back("T_B_S of the sensors of '" + robot.name + "'; B is the robot's own frame");
    return out;
  }
  std::vector<std::string> names;
  for (const CalibratedSensor& sensor : out) names.push_back(sensor.name);
  const auto found = std::ranges::find(names, body);
  if (found == names.end()) {
    const std::string hint = did_you_mean(body, names);
    throw std::runtime_error(
        fmt::format("no sensor '{}' on '{}'; {}", body, robot.name,
                    hint.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : hint));
  }
  const Pose X_BR = out[static_cast<std::size_t>(found - names.begin())].X_BS.inverse();
  for (CalibratedSensor& sensor : out) sensor.X_BS = X_BR * sensor.X_BS;
  remarks.push_back("T_B_S of the sensors of '" + robot.name + "'; B is " + body);
  return out;
}

int calibration(const CalibrationArguments& arguments) {
  auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  const WorldModel& model = simulation->model();
  std::vector<std::string> remarks;
  const auto sensors =
      sensors_of(model, chosen_robot(model, arguments.robot), arguments.body, remarks);
  std::string text;
  if (arguments.read.empty()) {
    text = calibration_text(sensors, remarks);
  } else {
    KnownSensors known;
    for (const CalibratedSensor& sensor : sensors) {
      known[sensor.name] = sensor.imager ? std::array{sensor.imager->width, sensor.imager->height}
                                         : std::array{0, 0};
    }
    Diagnostics diagnostics;
    text = suite_fields(read_calibration(arguments.read, known, arguments.partial, diagnostics));
    write_to(stderr, diagnostics.to_string(color_stderr()));
    if (diagnostics.has_errors()) return kExitData;
  }
  if (arguments.out.empty()) {
    print_out("{}", text);
  } else {
    write_whole_file(arguments.out, text);
  }
  return kExitGood;
}

}  // namespace

void add_calibration(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<CalibrationArguments>();
  CLI::App* command = app.add_subcommand(
      "calibration", "Where a robot's sensors are, as the calibration file of a dataset");
  add_world_arguments(*command, *arguments, false);
  command->add_option("--robot", arguments->robot,
                      "Whose sensors; needed if there are several robots");
  command->add_option("--body", arguments->body,
                      "The sensor whose frame is the body (default: the robot's own frame)");
  auto* read = command->add_option(
      "--read", arguments->read,
      "Reads this calibration file instead and prints it as fields of McdAtv or McdHhs");
  command->add_flag("--partial", arguments->partial, "The file may leave out sensors")->needs(read);
  command->add_option("--out", arguments->out, "Writes to this file (default: stdout)");
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return calibration(*arguments); }; });
}

}  // namespace protobeam
