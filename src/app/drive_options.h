// `run --schedule` and `run --log`: vehicles driven and recorded without a controller.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/vehicle_log.h"
#include "app/vehicle_replay.h"
#include "mvsim/world/to_webots.h"

namespace protobeam {

struct DriveArguments {
  std::vector<std::string> schedules;
  std::string log;  ///< folder; "": none
};

/// --schedule, --log.
void add_drive_arguments(CLI::App& command, DriveArguments& arguments);

/// What a run does with its vehicles.
class VehicleRun {
 public:
  /// `asked`: what the world itself wants to be written, which goes into --log or else into `out`;
  /// a note when there is neither. Throws std::invalid_argument and std::runtime_error.
  VehicleRun(Simulation& simulation, const DriveArguments& arguments,
             const mvsim::Recordings& asked, const std::string& out);

  void before_step();
  void after_step();
  void finish();
  /// "wrote 4 files of vehicles into out", or "".
  std::string text() const;

 private:
  std::unique_ptr<VehicleReplay> replay_;
  std::unique_ptr<VehicleLog> log_;
  std::string folder_;
};

}  // namespace protobeam
