#include "app/bench_city.h"

#include <stdexcept>

#include "app/world_options.h"
#include "sim/build_config.h"
#include "sim/paths.h"
#include "sim/surfaces.h"

namespace protobeam {
namespace fs = std::filesystem;

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

BenchCity::BenchCity() : simulation_(load_bench_world("city.wbt")) {
  // The city's own lidars are nominal and need none.
  if (!model().surfaces) model().surfaces = SurfaceBuilder().table(model().visuals);
}

Device& BenchCity::probe(const std::string& name) {
  Device* device = simulation_->find_device("probe/" + name);
  if (!device) throw std::runtime_error("the city's probe has no '" + name + "'");
  return *device;
}

bench::MakeScene BenchCity::maker(double seconds) {
  return [this, seconds](int threads) {
    auto scene = make_embree_scene({threads});
    for (const VisualGroup& group : model().visuals) {
      std::vector<VisibleShape> shapes;
      for (std::size_t i = 0; i < group.geometries.size(); ++i) {
        shapes.push_back({group.geometries[i], group.shape_poses[i]});
      }
      const bool moves = group.body != physics::kWorldBody;
      const Pose X_WG = (moves ? model().physics->pose(group.body) : Pose{}) * group.X_BG;
      const RayScene::Instance instance = scene->add(shapes, X_WG);
      if (moves && seconds > 0) {
        scene->set_motion(instance, X_WG * Pose::translation({-10 * seconds, 0, 0}), X_WG);
      }
    }
    return scene;
  };
}

SampleInput BenchCity::input_for(const DeviceModel& sensor, const Pose& X_WS) {
  SampleInput input;
  input.X_WS = X_WS;
  input.surfaces = model().surfaces.get();
  const Properties properties = sensor.properties();
  const auto rate = properties.find("defaultFrequency");
  input.period = 1 / (rate == properties.end() ? 10 : std::get<double>(rate->second));
  // A spinning head with the time of a whole revolution scans all of its beams at once.
  input.step = sensor.every_step() ? input.period : model().basic_time_step;
  input.gravity_W = model().gravity;
  return input;
}

}  // namespace protobeam
