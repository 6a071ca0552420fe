// `run --out DIR --sweeps`: every sweep of lidars as a folder that programs for SLAM read.
//
//   DIR/labels.yaml                instances and classes
//   DIR/ROBOT_LIDAR/velodyne/000000.bin   x y z intensity, float32 (KITTI); .pcd, .ply, .npy on demand
//                   times/000000.bin      s after the start of the sweep, float32
//                   labels/000000.label   class in the lower 16 bits, instance in the upper ones
//                   times.txt             s, start of each sweep; times_end.txt: its last beam
//                   poses.txt             KITTI: at the end of each sweep, in the frame of the first
//                   poses.tum             TUM: at the end of each sweep, in the world
//                   trajectory.tum        TUM: after each step of the simulation
//                   calib.txt, calib.yaml where the sensors of the robot are
//                   lidar.json            all that and what the fields are
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/device_sweep.h"
#include "app/log.h"
#include "app/point_options.h"
#include "base/file_names.h"
#include "output/record_file.h"
#include "output/sweep_queue.h"

namespace protobeam {

struct SweepArguments {
  std::vector<std::string> lidars;  ///< ROBOT/DEVICE with * for any text, by commas; none: no sweeps
  std::string format = "bin";
  bool points_given = false;  ///< --point-format and the like: for .pcd, .ply and .npy
  bool wanted() const { return !lidars.empty(); }
};

/// --sweeps, --sweep-format; both need `out`.
void add_sweep_arguments(CLI::App& command, SweepArguments& arguments, CLI::Option* out);

class SweepOutput {
 public:
  /// Throws std::invalid_argument for what is no lidar, and std::runtime_error for folders that cannot
  /// be used. `tracks` are brought up to date before after_step(). A lidar that nobody has enabled is
  /// recorded once somebody does.
  SweepOutput(Simulation& simulation, const SweepArguments& arguments, const PointOptions& points,
              const LidarTracks& tracks, std::filesystem::path folder);
  ~SweepOutput();

  /// Takes the sweeps that this step has completed. Throws std::runtime_error.
  void after_step();
  /// Throws as after_step() does, and when there was no sweep at all.
  void finish();
  /// "wrote 100 sweeps of 1 lidar into out"; after finish().
  std::string text() const;
  /// For --json: folder, sweeps and points of each lidar.
  nlohmann::json json() const;

 private:
  class Recording;
  bool wants(const std::string& path) const;
  void choose(const std::string& pattern);
  void write_labels();

  Simulation& simulation_;
  std::vector<std::string> patterns_;
  SweepArguments arguments_;
  PointOptions points_;
  const LidarTracks& tracks_;
  std::filesystem::path folder_;
  FileNames names_{log_note};
  std::deque<Recording> recordings_;
  SweepQueue to_write_;             ///< into recordings_
  std::size_t labels_written_ = 0;  ///< instances in labels.yaml
};

}  // namespace protobeam
