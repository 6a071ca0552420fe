// worlds/city.wbt as a scene of the benchmarks.
#pragma once

#include <memory>
#include <string>

#include "app/bench/measure.h"
#include "sim/simulation.h"

namespace protobeam {

class BenchCity {
 public:
  BenchCity();

  Simulation& simulation() { return *simulation_; }
  WorldModel& model() { return simulation_->model(); }
  /// A lidar of the robot "probe", which stands on a crossing.
  Device& probe(const std::string& name);
  /// Makes the visible shapes again, in an engine of its own. With `seconds` each body that can
  /// move moves at 10 m/s, as far as it gets in that time, from one end of a batch to the other.
  bench::MakeScene maker(double seconds = 0);
  /// What a sensor is given that takes a whole sweep at once.
  SampleInput input_for(const DeviceModel& sensor, const Pose& X_WS);

 private:
  std::unique_ptr<Simulation> simulation_;
};

/// A file, or a name in the folder of the demo worlds. `threads` are those of rays. Throws
/// std::runtime_error.
std::unique_ptr<Simulation> load_bench_world(const std::filesystem::path& world, int threads = 1);

}  // namespace protobeam
