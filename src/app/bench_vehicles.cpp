#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "app/bench/fleet.h"
#include "app/bench_place.h"
#include "app/bench_report.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// Simulation::step as a whole, by the CPU time of its thread, from the start in each repetition.
void measure(BenchReport& report, const std::string& name, int vehicles, bool terrain) {
  const fs::path file = fs::temp_directory_path() / fmt::format("protobeam-bench-{}.wbt", getpid());
  std::ofstream(file) << bench::fleet_world(vehicles, terrain);
  const int warm_up = 200, steps = std::clamp(20'000 / vehicles, 200, 4'000);
  double time_step = 0;
  std::vector<double> repetitions;
  for (int turn = 0; turn < report.repetitions(); ++turn) {
    const auto simulation = load_bench_world(file);
    time_step = simulation->model().basic_time_step;
    for (int i = 0; i < warm_up; ++i) simulation->step();
    const double begin = bench::cpu_seconds();
    for (int i = 0; i < steps; ++i) simulation->step();
    repetitions.push_back((bench::cpu_seconds() - begin) / steps);
  }
  std::error_code ignored;
  fs::remove(file, ignored);
  const double middle = bench::median(repetitions);
  const double rate = vehicles / middle, real_time = time_step / middle;
  std::vector<double> rates;
  for (const double seconds : repetitions) rates.push_back(vehicles / seconds);
  report.add(
      name, {{"vehicle_steps_per_s", rate, BenchFigure::Better::kMore, rates}},
      {{"ratio", real_time},
       {"median_ms", middle * 1000},
       {"vehicles", vehicles},
       {"threads", 1},
       {"meaning", "simulated s / CPU s"}},
      fmt::format("{:>7.1f}  {:>9.4f} ms a step, {:>9.0f} vehicle steps/s  simulated s / CPU s",
                  real_time, middle * 1000, rate));
}

}  // namespace

void bench_vehicles(BenchReport& report) {
  for (const bool terrain : {false, true}) {
    for (const int vehicles : {1, 10, 100}) {
      const std::string name =
          fmt::format("vehicles/{}/{}", vehicles, terrain ? "terrain" : "flat");
      if (report.wants(name)) measure(report, name, vehicles, terrain);
    }
  }
}

}  // namespace protobeam
