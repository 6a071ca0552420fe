// Scans of bodies that move, against the same bodies at rest: what it costs that nothing can be
// kept.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "app/bench/statues.h"
#include "app/bench_report.h"
#include "app/bench_sensors.h"
#include "base/libm.h"

namespace protobeam {
namespace {

constexpr double kStep = 0.1;  ///< s, of a scan
constexpr double kWalk = 5;    ///< m/s
constexpr double kTurn = 1;    ///< rad/s

/// Statues that walk around the sensor, each on a circle of its own and turning.
class Walkers {
 public:
  Walkers(int count, int triangles) : count_(count) {
    for (int kind = 0; kind < count; ++kind) {
      meshes_.push_back(std::make_shared<Geometry>(bench::statue(triangles, kind)));
    }
  }

  /// In a scene of their own, above a ground; they are its first instances.
  std::unique_ptr<RayScene> scene() const {
    auto scene = make_embree_scene({1});
    for (int i = 0; i < count_; ++i) {
      scene->add({{meshes_[static_cast<std::size_t>(i)], {}}}, pose(i, 0));
    }
    scene->add({{std::make_shared<Geometry>(Plane{{200, 200}}), {}}}, {});
    return scene;
  }
  void move(RayScene& scene, std::uint64_t scan, bool within) const {
    const double time = kStep * static_cast<double>(scan);
    for (int i = 0; i < count_; ++i) {
      const auto instance = static_cast<RayScene::Instance>(i);
      scene.set_motion(instance, pose(i, within ? time - kStep : time), pose(i, time));
    }
  }

 private:
  /// 4 to 40 m away, evenly around.
  Pose pose(int i, double time) const {
    const double radius = 4 + 36.0 * i / count_, angle = 2.4 * i + kWalk * time / radius;
    return {axis_angle(Vec3::UnitZ(), i + kTurn * time),
            {radius * libm::cos(angle), radius * libm::sin(angle), 0}};
  }

  int count_;
  std::vector<std::shared_ptr<const Geometry>> meshes_;
};

SampleInput sample_input() {
  SampleInput input;
  input.X_WS = Pose::translation({0, 0, 1.5});
  input.period = input.step = input.time = kStep;
  input.noise = {1, 1, 0, 0};
  input.gravity_W = {0, 0, -9.81};
  return input;
}

void measure(BenchReport& report, const std::string& proto, bool within, int bodies, int triangles,
             const std::string& name) {
  const Walkers walkers(bodies, triangles);
  BenchSensors sensors;
  const auto moved = sensors.make(proto, within ? kDatasheet : ""),
             still = sensors.make(proto, within ? kDatasheet : "");
  const SampleInput input = sample_input();
  const bench::MakeScene make = [&](int) { return walkers.scene(); };
  const bench::ScanSetup ours{*moved, input, make, [&](RayScene& scene, std::uint64_t scan) {
                                walkers.move(scene, scan, within);
                              }};
  const auto c = bench::compare_scans(ours, {*still, input, make}, report.repetitions());
  report.add(name, c, "scan of moving bodies / of the same at rest");
}

}  // namespace

void bench_moving(BenchReport& report) {
  constexpr int kBodies = 50, kTriangles = 10'000;
  for (const char* proto : {"VelodyneVLP-16", "VelodyneHDL-64E", "OusterOS1"}) {
    for (const bool within : {false, true}) {
      const std::string name =
          fmt::format("moving/{}{}/{}x{}", proto, within ? "-datasheet" : "", kBodies, kTriangles);
      if (report.wants(name)) measure(report, proto, within, kBodies, kTriangles, name);
    }
  }
  for (const int bodies : {1, 4, 16, 64, 256}) {
    const std::string name = fmt::format("growth/moving bodies/{}", bodies);
    if (report.wants_also(name, "growth")) measure(report, "OusterOS1", false, bodies, 1000, name);
  }
}

}  // namespace protobeam
