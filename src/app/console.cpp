#include "app/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

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
  for (const ControllerReport& report : simulation.controllers()) {
    if (!report.failed || !reported_.insert(report.robot).second) continue;
    const std::lock_guard lock(mutex_);
    clear();
    log_error(report.started ? fmt::format("controller '{}' of robot '{}' {}", report.name,
                                           report.robot, report.what_happened)
                             : fmt::format("robot '{}': {}", report.robot, report.what_happened));
  }
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
  if (!(settings_.duration > 0) || wall - last_ < 0.1) return;
  const std::lock_guard lock(mutex_);
  last_ = wall;
  constexpr int kWidth = 30;
  const int done = static_cast<int>(kWidth * std::min(1.0, time / settings_.duration));
  print_err("\r[{:#<{}}{:.<{}}] {:6.2f} s of {:.2f} s  {:5.2f}x real time ", "", done, "",
             kWidth - done, time, settings_.duration, wall > 0 ? time / wall : 0.0);
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
