// Robots with lidars, on one thread and on several: whole steps of the simulation.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "app/bench/lidar_robots.h"
#include "app/bench_place.h"
#include "app/bench_report.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

std::unique_ptr<Simulation> load(int robots, const std::vector<std::string>& lidars, int threads) {
  const fs::path file = fs::temp_directory_path() / fmt::format("protobeam-bench-{}.wbt", getpid());
  std::ofstream(file) << bench::lidar_robots_world(robots, lidars);
  auto simulation = load_bench_world(file, threads);
  fs::remove(file);
  for (const std::string& path : simulation->device_paths()) {
    Device& device = *simulation->find_device(path);
    if (device.model->every_step()) {
      device.model->send_command("frequency", {10});
      simulation->enable(device, simulation->model().basic_time_step);
    } else {
      simulation->enable(device, 0.1);
    }
  }
  return simulation;
}

/// Of a tenth of a second, in which each lidar scans all around.
double seconds_of_sweep(Simulation& simulation) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) simulation.step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void measure(BenchReport& report, const std::string& name, int robots,
             const std::vector<std::string>& lidars, int threads) {
  const auto one = load(robots, lidars, 1), many = load(robots, lidars, threads);
  for (Simulation* simulation : {one.get(), many.get()}) seconds_of_sweep(*simulation);
  // In turn: what else goes on at the machine then hits both alike.
  std::vector<double> alone, together, gains;
  for (int i = 0; i < 2 * report.repetitions(); ++i) {
    alone.push_back(seconds_of_sweep(*one));
    together.push_back(seconds_of_sweep(*many));
    gains.push_back(alone.back() / together.back());
  }
  std::size_t points = 0;
  for (const RobotInfo& robot : many->model().robots) {
    for (const Device& device : robot.devices) points += device.points;
  }
  bench::Comparison c;
  c.median_ms = 1e3 * bench::median(together);
  c.baseline_ms = 1e3 * bench::median(alone);
  c.threads = threads;
  c.rays = points / (2 * static_cast<std::size_t>(report.repetitions()) + 1);
  const bool same = one->state_hash() == many->state_hash();
  report.add(name, {"ratio", bench::median(gains), BenchFigure::Better::kMore, gains}, c,
             fmt::format("on one thread / on {}, 0.1 s each{}", threads,
                         same ? "" : "; DIFFERENT STATES"));
}

}  // namespace

void bench_robots(BenchReport& report) {
  const std::vector<std::string> one = {"VelodyneVLP-16"},
                                 three = {"VelodyneVLP-16", "OusterOS1", "LivoxMid70"};
  for (const int robots : {1, 2, 4, 8}) {
    const std::string name = fmt::format("robots/{}x1", robots);
    if (report.wants(name)) measure(report, name, robots, one, 2);
  }
  for (const int robots : {1, 2, 4, 8, 16}) {
    const std::string name = fmt::format("growth/robots/{}", robots);
    if (report.wants_also(name, "growth")) measure(report, name, robots, one, 2);
  }
  if (report.wants("robots/1x3")) measure(report, "robots/1x3", 1, three, 2);
}

}  // namespace protobeam
