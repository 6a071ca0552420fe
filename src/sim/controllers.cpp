// The controllers of a simulation: started, heard before each step, begun again, ended.
#include <algorithm>
#include <utility>

#include "base/stop.h"
#include "sim/paths.h"
#include "sim/simulation.h"
#include "sim/supervisor/supervisor.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// What controllers get together to end in after a stop, and again after SIGTERM.
constexpr std::chrono::seconds kGrace{1};

bool names_a_program(const std::string& controller) {
  return !controller.empty() && controller != "<none>" && controller != "<generic>" &&
         controller != "<extern>" && controller != "void";
}

}  // namespace

void Simulation::make_drivers() {
  drivers_.resize(model_.robots.size());
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    if (drivers_[i] || model_.robots[i].removed) continue;
    drivers_[i] = std::make_unique<RobotDriver>(model_, static_cast<int>(i));
    RobotDriver* driver = drivers_[i].get();
    driver->answer_with([this, driver](std::span<const link::SupervisorRequest> requests) {
      return supervisor_->answer(driver->index(), requests);
    });
  }
}

void Simulation::start_controllers(ControllerLine lines,
                                   const std::function<bool(const RobotInfo&)>& wanted) {
  starter_ = Starter{std::move(lines), wanted};
  for (std::size_t i = 0; i < model_.robots.size(); ++i) start_controller(i);
  if (externs_) externs_->hear();
}

void Simulation::start_controller(std::size_t index) {
  const RobotInfo& robot = model_.robots[index];
  const bool from_outside = robot.controller == "<extern>";
  if (drivers_[index] && !window_of(robot).empty()) drivers_[index]->open_window();
  if (!starter_ || robot.removed || !(from_outside || names_a_program(robot.controller))) return;
  if (starter_->wanted && !starter_->wanted(robot)) return;
  link::RobotRecord facts;
  std::error_code ignored;
  // Without a slash at the end, whatever the user wrote: (p / "x").parent_path().
  facts.project_path =
      (fs::absolute(world_.project, ignored) / "x").lexically_normal().parent_path().string();
  facts.world_path = fs::absolute(world_.file, ignored).lexically_normal().string();
  if (from_outside) {
    if (!externs_) {
      starter_->lines(robot.name, true,
                      "programs can connect to robots with the controller \"<extern>\" in `run` and "
                      "`view`; here the robot stands still");
      return;
    }
    try {
      drivers_[index]->await_programs(*externs_, facts, extern_limit_);
    } catch (const std::exception& problem) {
      drivers_[index]->fail_to_start(problem.what());
    }
    return;
  }
  try {
    const auto launch = link::find_controller(robot.controller, robot.controller_arguments,
                                              project_folders(robot, world_.project, "controllers"),
                                              {installed_paths().controllers});
    drivers_[index]->start(
        launch, facts,
        [lines = starter_->lines, name = robot.name](bool is_stderr, std::string_view line) {
          lines(name, is_stderr, line);
        });
  } catch (const std::exception& problem) {
    drivers_[index]->fail_to_start(problem.what());
  }
}

/// All controllers, each until it waits for time to pass; robots that come meanwhile are the last.
bool Simulation::hear_controllers() {
  heard_.assign(drivers_.size(), false);
  // Of all, before the first one is waited for.
  for (auto& driver : drivers_) {
    if (driver) driver->announce_waiting();
  }
  for (bool all = false; !all;) {
    all = true;
    for (std::size_t i = 0; i < drivers_.size(); ++i) {
      if (i >= heard_.size()) heard_.resize(drivers_.size(), false);
      if (heard_[i]) continue;
      heard_[i] = true;
      all = false;
      if (!drivers_[i]) continue;
      if (!drivers_[i]->before_step(step_, options_.controller_limit)) return false;
    }
  }
  end_leaving();
  if (std::exchange(reset_, false)) reset();
  restart_controllers();
  return true;
}

void Simulation::end_leaving() {
  for (auto& driver : leaving_) driver->begin_finish(time());
  const auto soft = std::chrono::steady_clock::now() + kGrace, hard = soft + kGrace;
  for (auto& driver : leaving_) {
    driver->finish(time(), kGrace, soft, hard);
    if (driver->report().failed) past_reports_.push_back(driver->report());
  }
  leaving_.clear();
}

void Simulation::restart_controllers() {
  for (const int index : std::exchange(restarts_, {})) {
    const auto robot = static_cast<std::size_t>(index);
    if (robot >= drivers_.size() || !drivers_[robot]) continue;
    drivers_[robot]->begin_finish(time());
    const auto soft = std::chrono::steady_clock::now() + kGrace;
    drivers_[robot]->finish(time(), kGrace, soft, soft + kGrace);
    drivers_[robot].reset();
    for (Device& device : model_.robots[robot].devices) {
      device.period = 0;
      device.model->release();
    }
    make_drivers();
    start_controller(robot);
    // It begins with the step that is about to be made.
    drivers_[robot]->before_step(step_, options_.controller_limit);
  }
}

void Simulation::send_custom_data(int robot) {
  const auto index = static_cast<std::size_t>(robot);
  if (index < drivers_.size() && drivers_[index]) drivers_[index]->send_custom_data();
}

fs::path Simulation::window_of(const RobotInfo& robot) const {
  return windows_open_ && !robot.removed ? window_page(robot, world_.project) : fs::path();
}

std::vector<WindowText> Simulation::take_window_texts() {
  std::vector<WindowText> out;
  if (!windows_open_) return out;
  for (auto& driver : drivers_) {
    if (!driver) continue;
    for (WindowText& text : driver->take_window_texts()) out.push_back(std::move(text));
  }
  return out;
}

void Simulation::tell_from_window(const WindowText& text) {
  for (std::size_t i = 0; i < drivers_.size(); ++i) {
    if (drivers_[i] && !model_.robots[i].removed && model_.robots[i].name == text.robot)
      drivers_[i]->tell_from_window(text);
  }
}

std::vector<ControllerReport> Simulation::controllers() const {
  std::vector<ControllerReport> reports = past_reports_;
  for (const auto& driver : drivers_) {
    if (!driver) continue;
    const ControllerReport report = driver->report();
    if (report.started || report.failed) reports.push_back(report);
  }
  return reports;
}

void Simulation::finish() {
  end_leaving();
  for (auto& driver : drivers_) {
    if (driver) driver->begin_finish(time());
  }
  const auto soft = std::chrono::steady_clock::now() + kGrace, hard = soft + kGrace;
  for (auto& driver : drivers_) {
    if (driver) driver->finish(time(), options_.controller_limit, soft, hard);
  }
}

}  // namespace protobeam
