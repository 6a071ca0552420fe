#include "app/bench_place.h"

#include <stdexcept>

#include "app/bench/statues.h"
#include "app/world_options.h"
#include "sim/build_config.h"
#include "sim/paths.h"
#include "sim/surfaces.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr double kTimeStep = 0.01;   ///< s, where no world says it
constexpr double kAboveLidar = 0.3;  ///< m

const Device* first_lidar(const WorldModel& model) {
  for (const RobotInfo& robot : model.robots) {
    for (const Device& device : robot.devices) {
      if (device.type == "Lidar") return &device;
    }
  }
  return nullptr;
}

/// Statues of 40,000 triangles each, each one a mesh of its own.
std::vector<VisualGroup> field_of_statues() {
  std::vector<VisualGroup> groups;
  for (bench::PlacedMesh& one : bench::statue_field(25, 40'000)) {
    VisualGroup& group = groups.emplace_back();
    group.instance = static_cast<RayScene::Instance>(groups.size() - 1);
    group.X_BG = one.X_WM;
    group.geometries = {std::make_shared<Geometry>(std::move(one.mesh))};
    group.materials = {std::make_shared<Material>()};
    group.shape_poses = {Pose{}};
  }
  return groups;
}

}  // namespace

std::unique_ptr<Simulation> load_bench_world(const fs::path& world, int threads) {
  const fs::path worlds = installed_paths().source_tree
                              ? fs::path(kSourceDir) / "worlds"
                              : installed_paths().catalogue.parent_path() / "worlds";
  WorldArguments arguments;
  arguments.world = (worlds / world).string();
  arguments.threads = threads;
  auto simulation = load_simulation(arguments);
  if (!simulation) throw std::runtime_error("cannot load " + arguments.world);
  return simulation;
}

BenchPlace::BenchPlace(const std::string& name) : name_(name) {
  if (name == "statues") {
    statues_ = field_of_statues();
  } else {
    load(name);
  }
  if (!surfaces_) {
    own_surfaces_ = SurfaceBuilder().table(*visuals_);
    surfaces_ = own_surfaces_.get();
  }
}

void BenchPlace::load(const std::string& world) {
  simulation_ = load_bench_world(world + ".wbt");
  visuals_ = &model().visuals;
  surfaces_ = model().surfaces.get();  // null where its own lidars need none
  const Device* lidar = world == "city" ? nullptr : first_lidar(model());
  if (lidar)
    viewpoint_ = Pose::translation(simulation_->pose_of(*lidar).p + Vec3(0, 0, kAboveLidar));
}

Device& BenchPlace::device(const std::string& path) {
  Device* device = simulation_->find_device(path);
  if (!device) throw std::runtime_error(name_ + " has no '" + path + "'");
  return *device;
}

void BenchPlace::add_to(RayScene& scene, double seconds) const {
  for (const VisualGroup& group : *visuals_) {
    std::vector<VisibleShape> shapes;
    for (std::size_t i = 0; i < group.geometries.size(); ++i) {
      shapes.push_back({group.geometries[i], group.shape_poses[i]});
    }
    const bool moves = group.body != physics::kWorldBody;
    const Pose X_WG =
        (moves ? simulation_->model().physics->pose(group.body) : Pose{}) * group.X_BG;
    const RayScene::Instance instance = scene.add(shapes, X_WG);
    if (moves && seconds > 0) {
      scene.set_motion(instance, X_WG * Pose::translation({-10 * seconds, 0, 0}), X_WG);
    }
  }
}

bench::MakeScene BenchPlace::maker(double seconds) const {
  return [this, seconds](int threads) {
    auto scene = make_embree_scene({threads});
    add_to(*scene, seconds);
    return scene;
  };
}

SampleInput BenchPlace::input_for(const DeviceModel& sensor, const Pose& X_WS,
                                  bool whole_sweep) const {
  SampleInput input;
  input.X_WS = X_WS;
  input.surfaces = surfaces_;
  const Properties properties = sensor.properties();
  const auto rate = properties.find("defaultFrequency");
  input.period = 1 / (rate == properties.end() ? 10 : std::get<double>(rate->second));
  // A spinning head with the time of a whole revolution scans all of its beams at once.
  const double time_step = simulation_ ? simulation_->model().basic_time_step : kTimeStep;
  input.step = whole_sweep || sensor.every_step() ? input.period : time_step;
  input.time = input.period;
  input.noise = {1, 1, 0, 0};
  input.gravity_W = simulation_ ? simulation_->model().gravity : Vec3(0, 0, -9.81);
  return input;
}

}  // namespace protobeam
