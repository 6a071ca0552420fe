// What vehicles did, as text files: the pose and wheel logs of MVSim, and true trajectories in the
// format of the TUM RGB-D benchmark.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/log.h"
#include "base/file_names.h"
#include "base/whole_file.h"
#include "sim/simulation.h"
#include "sim/vehicle/vehicle_rows.h"

namespace protobeam {

struct VehicleLogWishes {
  bool all = true;                  ///< logs and trajectories of all vehicles, or ...
  std::vector<std::string> logged;  ///< ... logs of these only
  bool trajectories = true;         ///< of all vehicles
  double trajectory_rate = 50;      ///< Hz
};

class VehicleLog {
 public:
  /// `folder` is there. Throws std::runtime_error when a file cannot be written.
  VehicleLog(const Simulation& simulation, std::filesystem::path folder, VehicleLogWishes wishes);

  /// Throws std::runtime_error when a file cannot take more.
  void after_step();
  /// Throws std::runtime_error when something could not be written whole.
  void finish();
  std::size_t file_count() const { return count_; }

 private:
  struct Track {
    const VehicleHost* vehicle = nullptr;
    std::optional<WholeFile> pose, trajectory;
    std::vector<WholeFile> wheels;
    OdometryPath path;
  };
  WholeFile open(const std::string& name, const std::string& header);
  void trajectory_row(Track& track);

  const Simulation& simulation_;
  std::filesystem::path folder_;
  FileNames names_{log_note};
  VehicleLogWishes wishes_;
  std::vector<Track> tracks_;
  double next_trajectory_ = 0;
  std::size_t count_ = 0;
};

}  // namespace protobeam
