#include <chrono>
#include <limits>
#include <string>

#include "app/bench_place.h"
#include "app/bench_report.h"
#include "physics/bullet_rays.h"

namespace protobeam {
namespace {

/// The lidars of worlds/city.wbt's robot "probe".
const char* const kScans[] = {"Velodyne VLP-16", "Velodyne HDL-64E", "128 x 1024"};
/// Real-time factors are for these, at 10 Hz, with the traffic driving.
const char* const kRealTime[] = {"Velodyne VLP-16", "Velodyne HDL-32E", "Velodyne HDL-64E"};

/// "Velodyne VLP-16" -> "VelodyneVLP-16"
std::string short_name(std::string_view device) {
  std::string name(device);
  std::erase(name, ' ');
  return name;
}

void measure_scan(BenchReport& report, const std::string& name) {
  BenchPlace city("city");
  Device& device = city.device("probe/" + name);
  const WorldModel& model = city.model();
  const bench::MakeScene make = city.maker();
  const SampleInput input = city.input_for(*device.model, city.simulation().pose_of(device), false);
  const std::string what = short_name(name) + "/city";
  device.model->reset();
  device.model->send_command("point cloud", {1});  // end to end: points, too
  const auto one =
      bench::compare_with_bare_trace(*device.model, input, make, 1, report.repetitions());
  report.add("scan/" + what, one, "scan / bare trace");
  const auto two = bench::compare_threads(*device.model, input, make, 2, 4 * report.repetitions());
  report.add_speed_up("threads/" + what, two);
  // One thread: Bullet's ray test of the same rays.
  physics::BulletRays bullet;
  for (const VisualGroup& group : model.visuals) {
    std::vector<physics::BulletRays::Shape> shapes;
    for (std::size_t i = 0; i < group.geometries.size(); ++i)
      shapes.push_back({group.geometries[i], group.shape_poses[i]});
    const Pose X_WB = group.body == physics::kWorldBody ? Pose{} : model.physics->pose(group.body);
    bullet.add(shapes, X_WB * group.X_BG);
  }
  const auto engine = bench::compare_with_engine(
      *device.model, input, make,
      [&](const Vec3& origin, const Vec3& direction, double near, double far) {
        const auto hit = bullet.cast(origin, direction, near, far);
        return hit ? hit->distance : std::numeric_limits<double>::infinity();
      },
      report.quick() ? 1 : 3);
  // The baseline of that comparison is our bare trace; what counts is our whole scan.
  bench::Comparison against = engine.time;
  against.baseline_ms = one.median_ms;
  against.threads = 1;
  report.add("engine/" + what,
             {"ratio", against.median_ms / against.baseline_ms, BenchFigure::Better::kMore},
             against, "Bullet rayTest / our scan");
}

void measure_real_time(BenchReport& report, const std::string& name) {
  BenchPlace city("city");
  Simulation& simulation = city.simulation();
  Device& device = city.device("probe/" + name);
  simulation.start_controllers([](const std::string&, bool, std::string_view) {},
                               [](const RobotInfo& robot) { return robot.name != "probe"; });
  if (device.model->every_step()) {
    device.model->send_command("frequency", {10});
    simulation.enable(device, city.model().basic_time_step);
  } else {
    simulation.enable(device, 0.1);
  }
  const double duration = report.quick() ? 1 : 4;
  const auto begin = std::chrono::steady_clock::now();
  while (simulation.time() < duration) simulation.step();
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  simulation.finish();
  bench::Comparison c;
  c.median_ms = wall * 1000;
  c.baseline_ms = simulation.time() * 1000;
  c.rays = static_cast<std::size_t>(device.frames);
  report.add("real-time/" + short_name(name),
             {"ratio", simulation.time() / wall, BenchFigure::Better::kMore}, c,
             "simulated s / wall s at 10 Hz, bodies moving");
}

/// The three lidars of the car of worlds/mapping.wbt, on two threads, everything else included.
void measure_mapping(BenchReport& report, const std::string& name) {
  const auto simulation = load_bench_world("mapping.wbt", 2);
  simulation->start_controllers([](const std::string&, bool, std::string_view) {});
  const double duration = report.quick() ? 1 : 4;
  const auto begin = std::chrono::steady_clock::now();
  while (simulation->time() < duration) simulation->step();
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  simulation->finish();
  bench::Comparison c;
  c.median_ms = wall * 1000;
  c.baseline_ms = simulation->time() * 1000;
  c.threads = 2;
  for (const Device& device : simulation->model().robots.back().devices) c.rays += device.points;
  report.add(name, {"ratio", simulation->time() / wall, BenchFigure::Better::kMore}, c,
             "simulated s / wall s at 10 Hz, in traffic");
}

}  // namespace

void bench_lidars(BenchReport& report) {
  for (const char* device : kScans) {
    const std::string what = short_name(device);
    if (report.wants("scan/" + what + "/city") || report.wants("threads/" + what + "/city") ||
        report.wants("engine/" + what + "/city")) {
      measure_scan(report, device);
    }
  }
  for (const char* device : kRealTime) {
    if (report.wants("real-time/" + short_name(device))) measure_real_time(report, device);
  }
  const std::string mapping = "real-time/VelodyneVLP-16+OusterOS1+LivoxMid70/mapping";
  if (report.wants(mapping)) measure_mapping(report, mapping);
}

}  // namespace protobeam
