// bench: speed as ratios in one process and run: against the bare Embree trace of the same rays,
// against Bullet's ray test, one thread against two, and against the clock of the real sensor.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/bench/fleet.h"
#include "app/bench/measure.h"
#include "app/commands.h"
#include "app/log.h"
#include "app/world_options.h"
#include "physics/bullet_rays.h"
#include "sim/build_config.h"
#include "sim/paths.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

struct BenchArguments {
  std::string name;
  bool json = false, quick = false;
};

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

std::unique_ptr<Simulation> load(const fs::path& world, int threads) {
  WorldArguments arguments;
  arguments.world = world.string();
  arguments.threads = threads;
  auto simulation = load_simulation(arguments);
  if (!simulation) throw std::runtime_error("cannot load " + world.string());
  return simulation;
}

/// The visible shapes of a built world again, for an engine of its own.
void copy_scene(const WorldModel& model, RayScene& scene) {
  for (const VisualGroup& group : model.visuals) {
    std::vector<VisibleShape> shapes;
    for (std::size_t i = 0; i < group.geometries.size(); ++i)
      shapes.push_back({group.geometries[i], group.shape_poses[i]});
    const Pose X_WB = group.body == physics::kWorldBody ? Pose{} : model.physics->pose(group.body);
    scene.add(shapes, X_WB * group.X_BG);
  }
}

class Bench {
 public:
  Bench(const BenchArguments& arguments)
      : arguments_(arguments), turns_(arguments.quick ? 5 : 15) {}

  int run() {
    const fs::path worlds = installed_paths().source_tree
                                ? fs::path(kSourceDir) / "worlds"
                                : installed_paths().catalogue.parent_path() / "worlds";
    for (const char* device : kScans) {
      if (wanted("scan/" + short_name(device) + "/city"))
        measure_scan(worlds / "city.wbt", "city", device);
    }
    for (const char* device : kRealTime) {
      if (wanted("real-time/" + short_name(device))) measure_real_time(worlds / "city.wbt", device);
    }
    for (const bool terrain : {false, true}) {
      for (const int vehicles : {1, 10, 100}) {
        const std::string name =
            fmt::format("vehicles/{}/{}", vehicles, terrain ? "terrain" : "flat");
        if (wanted(name)) measure_vehicles(name, vehicles, terrain);
      }
    }
    if (results_.empty()) {
      log_error(fmt::format("no benchmark matches '{}'", arguments_.name));
      return kExitData;
    }
    if (arguments_.json) {
      fmt::print("{}\n", nlohmann::json{{"machine", machine()}, {"results", results_}}.dump());
    }
    return kExitGood;
  }

 private:
  bool wanted(const std::string& name) const {
    return arguments_.name.empty() || name.find(arguments_.name) != std::string::npos ||
           arguments_.name.find(name) != std::string::npos;
  }

  static nlohmann::json machine() {
    std::ifstream in("/proc/cpuinfo");
    std::string line, model;
    while (model.empty() && std::getline(in, line)) {
      if (line.rfind("model name", 0) == 0) model = line.substr(line.find(':') + 2);
    }
    return {{"cpu", model}, {"cores", std::thread::hardware_concurrency()}, {"version", kVersion}};
  }

  void add(const std::string& name, double ratio, const bench::Comparison& c,
           const std::string& meaning) {
    results_.push_back({{"name", name},
                        {"ratio", ratio},
                        {"median_ms", c.median_ms},
                        {"baseline_ms", c.baseline_ms},
                        {"rays", c.rays},
                        {"threads", c.threads},
                        {"meaning", meaning}});
    if (!arguments_.json) {
      fmt::print("{:<36} {:>7.2f}  {:>9.3f} ms / {:>9.3f} ms  {:>7} rays  {} thread{}  {}\n", name,
                 ratio, c.median_ms, c.baseline_ms, c.rays, c.threads, c.threads == 1 ? "" : "s",
                 meaning);
      std::fflush(stdout);
    }
  }

  static Device& probe(Simulation& simulation, const std::string& name) {
    Device* device = simulation.find_device("probe/" + name);
    if (!device) throw std::runtime_error("the city's probe has no '" + name + "'");
    return *device;
  }

  void measure_scan(const fs::path& world, const std::string& scene, const std::string& name) {
    auto simulation = load(world, 1);
    Device* device = &probe(*simulation, name);
    const WorldModel& model = simulation->model();
    const bench::MakeScene make = [&](int threads) {
      auto made = make_embree_scene({threads});
      copy_scene(model, *made);
      return made;
    };
    SensorInput input;
    input.X_WS = simulation->pose_of(*device);
    input.step = model.basic_time_step;
    input.surfaces = model.surfaces.get();
    // A rotating head that is given a whole turn scans all of its beams at once.
    const auto rate = device->properties.find("defaultFrequency");
    const double hz = rate == device->properties.end() ? 10 : std::get<double>(rate->second);
    if (device->sensor->every_step()) input.step = 1 / hz;
    input.period = 1 / hz;
    input.noise = {model.seed, device->key, 0, 0};
    input.gravity_W = model.gravity;
    const std::string what = short_name(name) + "/" + scene;
    device->sensor->reset();
    device->sensor->command({0, DeviceOp::kLidarPointCloud, {1}, {}});  // end to end: points, too
    const auto one = bench::compare_with_bare_trace(*device->sensor, input, make, 1, turns_);
    add("scan/" + what, one.ratio, one, "scan / bare trace");
    const auto two = bench::compare_threads(*device->sensor, input, make, 2, 4 * turns_);
    add("threads/" + what, 1 / two.ratio, two, "1 thread / 2 threads");
    // One thread: Bullet's ray test of the same rays.
    physics::BulletRays bullet;
    for (const VisualGroup& group : model.visuals) {
      std::vector<physics::BulletRays::Shape> shapes;
      for (std::size_t i = 0; i < group.geometries.size(); ++i)
        shapes.push_back({group.geometries[i], group.shape_poses[i]});
      const Pose X_WB =
          group.body == physics::kWorldBody ? Pose{} : model.physics->pose(group.body);
      bullet.add(shapes, X_WB * group.X_BG);
    }
    const auto engine = bench::compare_with_engine(
        *device->sensor, input, make,
        [&](const Vec3& origin, const Vec3& direction, double near, double far) {
          const auto hit = bullet.cast(origin, direction, near, far);
          return hit ? hit->distance : std::numeric_limits<double>::infinity();
        },
        arguments_.quick ? 1 : 3);
    // The baseline of that comparison is our bare trace; what counts is our whole scan.
    bench::Comparison against = engine.time;
    against.baseline_ms = one.median_ms;
    against.threads = 1;
    add("engine/" + what, against.median_ms / against.baseline_ms, against,
        "Bullet rayTest / our scan");
  }

  void measure_real_time(const fs::path& world, const std::string& name) {
    auto simulation = load(world, 1);
    Device* device = &probe(*simulation, name);
    simulation->start_controllers([](const std::string&, bool, std::string_view) {},
                                  [](const RobotInfo& robot) { return robot.name != "probe"; });
    if (device->sensor->every_step()) {
      device->sensor->command({0, DeviceOp::kLidarFrequency, {10}, {}});
      simulation->enable(*device, simulation->model().basic_time_step);
    } else {
      simulation->enable(*device, 0.1);
    }
    const double duration = arguments_.quick ? 1 : 4;
    const auto begin = std::chrono::steady_clock::now();
    while (simulation->time() < duration) simulation->step();
    const double wall =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    simulation->finish();
    bench::Comparison c;
    c.median_ms = wall * 1000;
    c.baseline_ms = simulation->time() * 1000;
    c.rays = static_cast<std::size_t>(device->frames);
    add("real-time/" + short_name(name), simulation->time() / wall, c,
        "simulated s / wall s at 10 Hz, bodies moving");
  }

  /// Simulation::step as a whole, by the CPU time of its thread, from the start in each turn.
  void measure_vehicles(const std::string& name, int vehicles, bool terrain) {
    const fs::path file =
        fs::temp_directory_path() / fmt::format("protobeam-bench-{}.wbt", getpid());
    std::ofstream(file) << bench::fleet_world(vehicles, terrain);
    const auto cpu_seconds = [] {
      timespec t{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const int warm_up = 200, steps = std::clamp(20'000 / vehicles, 200, 4'000);
    double time_step = 0;
    std::vector<double> turns;
    for (int turn = 0; turn < turns_; ++turn) {
      auto simulation = load(file, 1);
      time_step = simulation->model().basic_time_step;
      for (int i = 0; i < warm_up; ++i) simulation->step();
      const double begin = cpu_seconds();
      for (int i = 0; i < steps; ++i) simulation->step();
      turns.push_back((cpu_seconds() - begin) / steps);
    }
    std::error_code ignored;
    fs::remove(file, ignored);
    std::nth_element(turns.begin(), turns.begin() + turns_ / 2, turns.end());
    const double step = turns[static_cast<std::size_t>(turns_ / 2)];
    const double rate = vehicles / step, real_time = time_step / step;
    results_.push_back({{"name", name},
                        {"ratio", real_time},
                        {"median_ms", step * 1000},
                        {"vehicles", vehicles},
                        {"vehicle_steps_per_s", rate},
                        {"threads", 1},
                        {"meaning", "simulated s / CPU s"}});
    if (arguments_.json) return;
    fmt::print(
        "{:<36} {:>7.1f}  {:>9.4f} ms a step, {:>9.0f} vehicle steps/s  simulated s / CPU s\n",
        name, real_time, step * 1000, rate);
    std::fflush(stdout);
  }

  const BenchArguments& arguments_;
  int turns_;
  nlohmann::json results_ = nlohmann::json::array();
};

}  // namespace

void add_bench(CLI::App& app, Command& chosen) {
  auto arguments = std::make_shared<BenchArguments>();
  CLI::App* command =
      app.add_subcommand("bench", "Speed as ratios against bare Embree, Bullet and the clock");
  command->add_option("NAME", arguments->name, "Only benchmarks whose name holds this");
  command->add_flag("--json", arguments->json, "One JSON object on stdout");
  command->add_flag("--quick", arguments->quick, "Fewer repetitions");
  command->callback(
      [&chosen, arguments] { chosen = [arguments] { return Bench(*arguments).run(); }; });
}

}  // namespace protobeam
