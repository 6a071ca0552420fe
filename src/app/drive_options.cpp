#include "app/drive_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/log.h"

namespace protobeam {

void add_drive_arguments(CLI::App& command, DriveArguments& arguments) {
  command
      .add_option("--schedule", arguments.schedules,
                  "Set-points by simulated time: [ROBOT=]t:vx,w;... or, as the controller takes "
                  "them, [ROBOT=]raw:t:torque,...;... and [ROBOT=]raw:t:speed,steering;... "
                  "(N m, m/s, rad/s; steering in degrees)")
      ->type_name("TEXT")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--log", arguments.log,
                     "Folder for the samples of all sensors as tables (.csv), and for the poses, wheels "
                     "and trajectories of vehicles");
}

VehicleRun::VehicleRun(Simulation& simulation, const DriveArguments& arguments,
                       const mvsim::Recordings& asked, const std::string& out) {
  if (!arguments.schedules.empty()) {
    replay_ = std::make_unique<VehicleReplay>(simulation, arguments.schedules);
  }
  const bool wanted = asked.trajectories || !asked.logged_vehicles.empty();
  if (arguments.log.empty() && !wanted) return;
  folder_ = arguments.log.empty() ? out : arguments.log;
  if (folder_.empty()) {
    log_note(
        fmt::format("{}: the world asks for logs of its vehicles; --log DIR or --out DIR says "
                    "where to write them",
                    asked.asked_at.to_string()));
    return;
  }
  VehicleLogWishes wishes;
  wishes.all = !arguments.log.empty();
  wishes.logged = asked.logged_vehicles;
  wishes.trajectories = asked.trajectories;
  wishes.trajectory_rate = asked.trajectory_rate;
  log_ = std::make_unique<VehicleLog>(simulation, folder_, std::move(wishes));
}

void VehicleRun::before_step() {
  if (replay_) replay_->before_step();
}

void VehicleRun::after_step() {
  if (log_) log_->after_step();
}

void VehicleRun::finish() {
  if (log_) log_->finish();
}

std::string VehicleRun::text() const {
  return log_ && log_->file_count() > 0
             ? fmt::format("wrote {} files of vehicles into {}", log_->file_count(), folder_)
              : std::string();
}

}  // namespace protobeam
