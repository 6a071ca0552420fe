// What the benchmarks look at: the visible shapes of a world, and where a lidar stands among them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/bench/measure.h"
#include "sim/simulation.h"

namespace protobeam {

class BenchPlace {
 public:
  /// A world of the tree by its name, as "city", or "statues": a field of a million triangles that
  /// is no world (app/bench/statues.h). Throws std::runtime_error.
  explicit BenchPlace(const std::string& name);

  const std::string& name() const { return name_; }
  /// Not of "statues".
  Simulation& simulation() { return *simulation_; }
  WorldModel& model() { return simulation_->model(); }
  /// By its path, as "probe/camera".
  Device& device(const std::string& path);
  /// Level, on the mast of the city, amid the statues, or 0.3 m above a world's first Lidar, from
  /// where its robot is below.
  const Pose& viewpoint() const { return viewpoint_; }

  /// Makes the visible shapes again, in an engine of its own. With `seconds` each body that can
  /// move moves at 10 m/s, as far as it gets in that time, from one end of a batch to the other.
  bench::MakeScene maker(double seconds = 0) const;
  /// Adds them to a scene.
  void add_to(RayScene& scene, double seconds = 0) const;
  /// What a sensor is given; with `whole_sweep` a step is as long as a spinning head takes for a
  /// revolution, of which it has many steps otherwise.
  SampleInput input_for(const DeviceModel& sensor, const Pose& X_WS, bool whole_sweep) const;

 private:
  void load(const std::string& world);

  std::string name_;
  std::unique_ptr<Simulation> simulation_;
  std::vector<VisualGroup> statues_;
  const std::vector<VisualGroup>* visuals_ = &statues_;
  std::unique_ptr<SurfaceTable> own_surfaces_;
  const SurfaceTable* surfaces_ = nullptr;
  Pose viewpoint_ = Pose::translation({0, 0, 1.9});
};

/// A file, or a name in the folder of the demo worlds. `threads` are those of rays. Throws
/// std::runtime_error.
std::unique_ptr<Simulation> load_bench_world(const std::filesystem::path& world, int threads = 1);

}  // namespace protobeam
