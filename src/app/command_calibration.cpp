// calibration: where the sensors of a robot are, as a calibration file, and the way back.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "app/calibration_file.h"
#include "app/commands.h"
#include "app/log.h"
#include "app/robot_calibration.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
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

int calibration(const CalibrationArguments& arguments) {
  auto simulation = load_simulation(arguments);
  if (!simulation) return kExitData;
  const WorldModel& model = simulation->model();
  std::vector<std::string> remarks;
  const auto sensors =
      calibrated_sensors(model, chosen_robot(model, arguments.robot), arguments.body, remarks);
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
