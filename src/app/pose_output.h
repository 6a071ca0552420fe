// `run --out DIR --poses`: where robots and their sensors were.
//
//   DIR/poses/times.txt              s, one line a step
//   DIR/poses/ROBOT.tum              TUM: the robot's own frame in the world
//   DIR/poses/ROBOT.txt              KITTI: the same in its own first frame
//   DIR/poses/ROBOT_SENSOR.tum .txt  of the sensor, in the axes of its data
//   DIR/poses/ROBOT.calib.yaml       where the fixed sensors are on the robot
#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <string>

#include "app/log.h"
#include "base/file_names.h"
#include "output/record_file.h"
#include "sim/simulation.h"

namespace protobeam {

class PoseOutput {
 public:
  /// With the poses at the start. Throws std::runtime_error when files cannot be written.
  PoseOutput(const Simulation& simulation, std::filesystem::path folder);

  /// Robots that have come while the world runs are not there; those that have gone get no more lines.
  void after_step();
  void finish();
  /// "wrote the poses of 2 robots and 7 sensors into out/poses"; after finish().
  std::string text() const;

 private:
  struct Track {
    int robot;           ///< index in the model
    std::string name;    ///< of that robot: numbers are reused
    std::string device;  ///< "": the robot itself
    RecordFile tum, kitti;
    std::optional<Pose> first;
  };
  void add_track(int robot, const std::string& device);
  std::optional<Pose> pose_of(const Track& track) const;
  void add_lines();

  const Simulation& simulation_;
  std::filesystem::path folder_;
  FileNames names_{log_note};
  RecordFile times_;
  std::deque<Track> tracks_;
  std::string line_;
  std::size_t robots_ = 0;
};

}  // namespace protobeam
