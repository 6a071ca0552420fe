#include "app/console.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/log.h"
#include "app/standard_streams.h"
#include "base/text.h"

namespace protobeam {

Console::Console(const Settings& settings) : settings_(settings) {
  if (!isatty(STDERR_FILENO)) settings_.duration = 0;
}

ControllerLine Console::controller_lines() {
  return [this](const std::string& robot, bool is_stderr, std::string_view line) {
    const std::lock_guard lock(mutex_);
    clear();
    std::FILE* to = is_stderr || settings_.lines_to_stderr ? stderr : stdout;
    write_to(to, fmt::format("[{}] {}\n", printable(robot), line));
    flush(to);
  };
}

void Console::report_failures(const Simulation& simulation) {
  // Robots with one controller that did not start: one message.
  std::vector<std::pair<std::string, std::vector<std::string>>> not_started;
  for (const ControllerReport& report : simulation.controllers()) {
    if (!report.failed || !reported_.insert(report.robot).second) continue;
    if (!report.started) {
      auto known = std::find_if(not_started.begin(), not_started.end(),
                                [&](const auto& one) { return one.first == report.what_happened; });
      if (known == not_started.end()) {
        not_started.emplace_back(report.what_happened, std::vector<std::string>());
        known = not_started.end() - 1;
      }
      known->second.push_back("'" + report.robot + "'");
      continue;
    }
    const std::lock_guard lock(mutex_);
    clear();
    log_error(fmt::format("controller '{}' of robot '{}' {}", report.name, report.robot,
                          report.what_happened));
  }
  for (const auto& [why, robots] : not_started) {
    const std::lock_guard lock(mutex_);
    clear();
    log_error(fmt::format("{} {}: {}", robots.size() == 1 ? "robot" : "robots",
                          fmt::join(robots, ", "), why));
  }
}

void Console::check_lidars(const Simulation& simulation) {
  if (lidars_checked_ || simulation.time() < 1) return;
  lidars_checked_ = true;
  std::vector<std::string> silent;
  for (const RobotInfo& robot : simulation.model().robots) {
    for (const Device& device : robot.devices) {
      if (!dynamic_cast<const BeamSensor*>(device.model.get())) continue;
      if (device.period > 0) return;
      silent.push_back(fmt::format("'{}/{}'", robot.name, device.name));
    }
  }
  if (silent.empty()) return;
  const std::lock_guard lock(mutex_);
  clear();
  log_note(fmt::format(
      "no lidar is enabled, so there are no points to show: {}; a controller enables a lidar by "
      "wb_lidar_enable(), and the field samplingPeriod does without a controller",
      fmt::join(silent, ", ")));
}

bool Console::check_bodies(const Simulation& simulation) {
  const auto broken = simulation.broken_bodies();
  for (; broken_ < broken.size(); ++broken_) {
    clear_progress();
    log_error(fmt::format(
        "the state of body '{}' is no longer finite at {:.3f} s, so it stands still from now on: look "
        "at its mass, its motors and a smaller basicTimeStep",
        broken[broken_], simulation.time()));
  }
  return broken.empty();
}

void Console::show_progress(double time, double wall) {
  if (!due(wall)) return;
  show_bar(time / settings_.duration, wall,
           fmt::format("{:6.2f} s of {:.2f} s  {:5.2f}x real time", time, settings_.duration,
                       wall > 0 ? time / wall : 0.0));
}

void Console::show_pictures(std::int64_t done, std::int64_t all, double wall) {
  if (done < 1 || all < 1 || !due(wall)) return;
  const double each = wall / static_cast<double>(done);
  show_bar(static_cast<double>(done) / static_cast<double>(all), wall,
           fmt::format("picture {} of {}  {:.1f} a second  {:.0f} s left", done, all, 1 / each,
                       each * static_cast<double>(all - done)));
}

bool Console::due(double wall) const { return settings_.duration > 0 && wall - last_ >= 0.1; }

void Console::show_bar(double share, double wall, const std::string& text) {
  const std::lock_guard lock(mutex_);
  last_ = wall;
  constexpr int kWidth = 30;
  const int done = static_cast<int>(kWidth * std::clamp(share, 0.0, 1.0));
  print_err("\r[{:#<{}}{:.<{}}] {} ", "", done, "", kWidth - done, text);
  flush(stderr);
  shown_ = true;
}

void Console::show_stage(const std::string& what) {
  if (!(settings_.duration > 0)) return;
  const std::lock_guard lock(mutex_);
  clear();
  print_err("\r{} ...", what);
  flush(stderr);
  shown_ = true;
}

void Console::clear_progress() {
  const std::lock_guard lock(mutex_);
  clear();
}

void Console::clear() {
  if (shown_) write_to(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace protobeam
