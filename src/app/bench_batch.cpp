// Worlds in batches, as Python has them: TurtleBot3 with its LDS-01 of 360 beams in
// worlds/arena.wbt.
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "app/bench_place.h"
#include "app/bench_report.h"
#include "batch/embedded_world.h"
#include "batch/task_pool.h"

namespace protobeam {
namespace {

using Clock = std::chrono::steady_clock;

/// MB of this process that are in memory.
double resident_mb() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

class Batch {
 public:
  /// A scan every `period` s.
  Batch(std::size_t count, double period) {
    for (std::size_t i = 0; i < count; ++i) {
      worlds_.push_back(std::make_unique<EmbeddedWorld>(load_bench_world("arena.wbt")));
      Simulation& simulation = worlds_.back()->simulation();
      simulation.enable(*simulation.find_device("robot/lidar"), period);
      drive_ = {0, static_cast<int>(simulation.find_device("robot/drive") -
                                    simulation.model().robots[0].devices.data())};
    }
    items_.resize(count);
    std::iota(items_.begin(), items_.end(), std::size_t{0});
  }

  /// World steps a second of wall time, with a command to each robot every 20 steps.
  double rate(TaskPool& pool, int turns) {
    const auto begin = Clock::now();
    for (int turn = 0; turn < turns; ++turn) {
      for (const std::size_t i : items_) command(i, turn);
      pool.each(items_, [this](std::size_t i) { worlds_[i]->step(kSteps); });
    }
    return rate(turns, begin);
  }

  /// The same where each thread has its own worlds for all turns, and nobody waits between them.
  double rate_apart(TaskPool& pool, int turns) {
    const auto threads = static_cast<std::size_t>(pool.threads());
    const auto begin = Clock::now();
    pool.each(std::span(items_).first(threads), [&](std::size_t first) {
      for (int turn = 0; turn < turns; ++turn) {
        for (std::size_t i = first; i < worlds_.size(); i += threads) {
          command(i, turn);
          worlds_[i]->step(kSteps);
        }
      }
    });
    return rate(turns, begin);
  }

 private:
  static constexpr int kSteps = 20;

  void command(std::size_t i, int turn) {
    const double sign = (i + static_cast<std::size_t>(turn / 8)) % 2 == 0 ? 1 : -1;
    worlds_[i]->command(drive_, "twist", {0.15 * sign, 0, 0.5 * sign});
  }
  double rate(int turns, Clock::time_point begin) const {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    return static_cast<double>(worlds_.size()) * turns * kSteps / seconds;
  }

  std::vector<std::unique_ptr<EmbeddedWorld>> worlds_;
  std::vector<std::size_t> items_;
  EmbeddedWorld::DeviceNumber drive_;
};

void measure(BenchReport& report, const std::string& name, double period) {
  constexpr std::size_t kWorlds = 64;
  const double before = resident_mb();
  Batch batch(kWorlds, period);
  TaskPool one(1), two(2);
  batch.rate(one, 5);
  const double mb = (resident_mb() - before) / static_cast<double>(kWorlds);
  // In short turns by turns: what else goes on at the machine's cores then hits both alike.
  std::vector<double> alone, together, gains, gains_apart;
  for (int i = 0; i < 10 * report.repetitions(); ++i) {
    alone.push_back(batch.rate(one, 2));
    together.push_back(batch.rate(two, 2));
    gains.push_back(together.back() / alone.back());
    gains_apart.push_back(batch.rate_apart(two, 2) / alone.back());
  }
  using bench::quantile;
  const double rate = quantile(alone, 0.5), gain = quantile(gains, 0.5);
  const double apart = quantile(gains_apart, 0.5);
  const double best = quantile(alone, 0.95), best_two = quantile(together, 0.95);
  constexpr auto kMore = BenchFigure::Better::kMore;
  report.add(
      name, {{"ratio", gain, kMore, gains}, {"world_steps_per_s", rate, kMore, alone}},
      {{"ratio_apart", apart},
       {"best_ratio", best_two / best},
       {"best_world_steps_per_s", best},
       {"worlds", kWorlds},
       {"mb_per_world", mb},
       {"meaning",
        "two threads / one thread; apart: two threads that do not wait for each other; best: of the "
        "95th percentiles of the rates"}},
      fmt::format("{:>7.2f}  {:>9.0f} world steps/s on one thread, {:.1f} MB a world  two threads / "
                  "one ({:.2f} undisturbed; {:.2f} without a barrier)",
                  gain, rate, mb, best_two / best, apart));
}

/// What each world takes beside the first one of the same file, after a scan of every lidar.
void measure_memory(BenchReport& report, const std::string& name, const std::string& world) {
  constexpr int kFurther = 4;
  std::vector<std::unique_ptr<EmbeddedWorld>> worlds;
  const auto load = [&] {
    auto& added = worlds.emplace_back(std::make_unique<EmbeddedWorld>(load_bench_world(world, 1)));
    Simulation& simulation = added->simulation();
    const double step = simulation.model().basic_time_step;
    for (const std::string& path : simulation.device_paths()) {
      Device& device = *simulation.find_device(path);
      if (device.type == "Lidar") simulation.enable(device, step);
    }
    added->step(20);
  };
  malloc_trim(0);  // what others have left behind would be used again
  const double empty = resident_mb();
  load();
  const double first = resident_mb();
  for (int i = 0; i < kFurther; ++i) load();
  const double further = (resident_mb() - first) / kFurther;
  report.add(name, {{"mb_further", further}},
             {{"mb_first", first - empty},
              {"meaning", "MB of a further world of the same file"}},
             fmt::format("{:>7.1f}  MB a further world, {:.1f} the first", further, first - empty));
}

}  // namespace

void bench_batch(BenchReport& report) {
  // First, before others leave free memory behind.
  if (report.wants("batch/memory/city")) measure_memory(report, "batch/memory/city", "city.wbt");
  if (report.wants("batch/memory/arena")) measure_memory(report, "batch/memory/arena", "arena.wbt");
  if (report.wants("batch/turtlebot/5hz")) measure(report, "batch/turtlebot/5hz", 0.2);
  if (report.wants("batch/turtlebot/every-step"))
    measure(report, "batch/turtlebot/every-step", 0.01);
}

}  // namespace protobeam
