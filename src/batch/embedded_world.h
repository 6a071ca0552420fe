// A world in the process of who uses it: stepped by calls, its devices commanded by calls, its
// samples in memory that may be kept for longer than the world.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "batch/sample_memory.h"
#include "sim/simulation.h"

namespace protobeam {

class EmbeddedWorld {
 public:
  /// Robot and device, as WorldModel numbers them.
  using DeviceNumber = std::pair<int, int>;
  /// Where the samples of a device are, in an array of several worlds'.
  struct Slot {
    std::shared_ptr<SampleMemory> memory;
    std::size_t index = 0;
  };
  using MemorySource = std::function<Slot(DeviceNumber, std::size_t size)>;

  explicit EmbeddedWorld(std::unique_ptr<Simulation> simulation);

  /// Between steps. Throws std::logic_error while another thread steps it, and in a process that
  /// was forked off after it was loaded: the threads that cast rays are not in that one.
  Simulation& simulation();
  const Simulation& simulation() const { return const_cast<EmbeddedWorld*>(this)->simulation(); }

  /// So many steps. `go_on` is asked now and then (every 20 ms of computing): false ends it after
  /// the step.
  void step(std::int64_t steps, const std::function<bool()>& go_on = nullptr);
  /// As it was loaded, with that seed or the same; devices that are on stay on.
  void reset(std::optional<std::uint64_t> seed);
  /// See Simulation::save.
  std::vector<std::byte> save();
  /// See Simulation::restore.
  void restore(std::span<const std::byte> state);
  /// Starts what the robots name as controllers, as `protobeam run` does.
  void start_controllers(ControllerLine lines);
  /// Ends them.
  void finish();

  /// Throws std::out_of_range when a supervisor has taken it out of the world.
  Device& device(DeviceNumber number);
  /// Where its samples are from now on.
  Slot memory(DeviceNumber number);
  /// Who gives memory from now on, where none was asked for yet.
  void set_memory_source(MemorySource source) { source_ = std::move(source); }
  /// Throws std::invalid_argument with what is wrong with it.
  void command(DeviceNumber number, std::string_view name, std::vector<double> numbers,
               std::string bytes = {});

  Pose X_WS(int solid) const;
  /// m/s and rad/s in the world, of the Solid's origin.
  std::pair<Vec3, Vec3> velocity(int solid) const;
  /// At once, with all that hangs on it. Throws std::invalid_argument where it cannot be.
  void set_pose(int solid, const Pose& X_WS);
  void set_velocity(int solid, const Vec3& v_W, const Vec3& w_W);

 private:
  class Use;
  const SolidInfo& solid(int index) const;

  std::unique_ptr<Simulation> simulation_;
  pid_t process_;
  std::atomic<bool> busy_ = false;
  MemorySource source_;
  std::map<DeviceNumber, Slot> slots_;
};

}  // namespace protobeam
