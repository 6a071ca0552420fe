// How a scan grows with beams, triangles and threads; docs/plots/benchmarks.py draws it.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/bench/statues.h"
#include "app/bench_place.h"
#include "app/bench_report.h"
#include "app/bench_sensors.h"

namespace protobeam {
namespace {

constexpr int kLayers = 64;

/// All around, at even angles.
std::unique_ptr<DeviceModel> head(BenchSensors& sensors, int columns) {
  return sensors.make("Lidar",
                      fmt::format("numberOfLayers {} horizontalResolution {} fieldOfView 6.2832 "
                                  "verticalFieldOfView 0.5 maxRange 120 noise 0.0002",
                                  kLayers, columns));
}

void measure_beams(BenchReport& report, const std::string& name, int columns) {
  const BenchPlace city("city");
  BenchSensors sensors;
  const auto sensor = head(sensors, columns);
  const auto c =
      bench::compare_with_bare_trace(*sensor, city.input_for(*sensor, city.viewpoint(), true),
                                     city.maker(), 1, report.repetitions());
  report.add(name, c, "scan / bare trace");
}

void measure_triangles(BenchReport& report, const std::string& name, int triangles) {
  constexpr int kStatues = 25;
  std::vector<std::pair<std::shared_ptr<const Geometry>, Pose>> field;
  for (bench::PlacedMesh& one : bench::statue_field(kStatues, triangles / kStatues)) {
    field.emplace_back(std::make_shared<Geometry>(std::move(one.mesh)), one.X_WM);
  }
  const bench::MakeScene make = [&](int threads) {
    auto scene = make_embree_scene({threads});
    for (const auto& [mesh, X_WM] : field) scene->add({{mesh, {}}}, X_WM);
    return scene;
  };
  BenchSensors sensors;
  const auto sensor = head(sensors, 2048);
  SampleInput input;
  input.X_WS = Pose::translation({0, 0, 1.9});
  input.period = input.step = input.time = 0.1;
  input.noise = {1, 1, 0, 0};
  const auto c = bench::compare_with_bare_trace(*sensor, input, make, 1, report.repetitions());
  report.add(name, c, "scan / bare trace");
}

void measure_threads(BenchReport& report, const std::string& name, int threads) {
  const BenchPlace city("city");
  BenchSensors sensors;
  const auto sensor = head(sensors, 2048);
  const auto c = bench::compare_threads(*sensor, city.input_for(*sensor, city.viewpoint(), true),
                                        city.maker(), threads, 4 * report.repetitions());
  report.add_speed_up(name, c);
}

}  // namespace

void bench_growth(BenchReport& report) {
  const auto each = [&](const char* what, std::initializer_list<int> counts, auto measure,
                        int factor) {
    for (const int count : counts) {
      const std::string name = fmt::format("growth/{}/{}", what, factor * count);
      if (report.wants_also(name, "growth")) measure(report, name, count);
    }
  };
  each("beams", {64, 256, 1024, 4096, 16384}, measure_beams, kLayers);
  each("triangles", {10'000, 40'000, 160'000, 640'000, 2'560'000}, measure_triangles, 1);
  for (int threads = 1; threads <= static_cast<int>(std::thread::hardware_concurrency());
       threads *= 2) {
    each("threads", {threads}, measure_threads, 1);
  }
}

}  // namespace protobeam
