// Cameras in worlds/city.wbt: what an image costs beyond the bare trace of the rays through its
// pixels, and what it costs that a camera sits in something; one thread.
#include <memory>
#include <string>
#include <vector>

#include "app/bench_place.h"
#include "app/bench_report.h"
#include "sim/sample_inputs.h"

namespace protobeam {
namespace {

/// Cameras of the city's robot "probe", 640 x 480.
const char* const kCameras[] = {"depth camera", "camera"};

/// One of them, ready for an image.
struct CityCamera {
  BenchPlace city{"city"};
  Device& device;
  SampleInputs inputs;
  SampleInput input;

  explicit CityCamera(const std::string& name)
      : device(city.device("probe/" + name)),
        inputs(city.model(), city.simulation().tree()),
        input(inputs.prepare(device, city.simulation().time())) {
    input.noise = {city.model().seed, device.key, 0, 0};
    device.model->reset();
  }
  /// With the shadow map that it has after the first second.
  std::unique_ptr<RayScene> scene(int threads) const {
    RaySceneOptions options{threads};
    options.lines_before_map = 1;
    auto scene = make_embree_scene(options);
    city.add_to(*scene);
    return scene;
  }
};

void measure(BenchReport& report, const std::string& name) {
  const CityCamera camera(name);
  const bench::MakeScene make = [&](int threads) { return camera.scene(threads); };
  bench::Comparison c = bench::compare_with_bare_trace(*camera.device.model, camera.input, make, 1,
                                                       report.repetitions());
  report.add("cameras/" + name + "/city", c,
             std::to_string(static_cast<double>(c.rays) / c.median_ms / 1000).substr(0, 4) +
                 " Mpixel/s; image / bare trace of its pixels");
}

/// What it costs that a camera sits in the body of its robot.
void measure_in_housing(BenchReport& report, const std::string& name) {
  CityCamera inside(name);
  const CityCamera outside(name);
  const auto body = std::make_shared<const Geometry>(Box{{0.9, 0.6, 0.8}});
  inside.input.fixed_shapes =
      std::make_shared<const std::vector<FixedShape>>(std::vector<FixedShape>{{body, {}}});
  const bench::MakeScene with = [&](int threads) {
    auto scene = inside.scene(threads);
    scene->add({{body, {}}}, inside.input.X_WS);
    return scene;
  };
  const bench::MakeScene without = [&](int threads) { return outside.scene(threads); };
  const auto c =
      bench::compare_scans({*inside.device.model, inside.input, with},
                           {*outside.device.model, outside.input, without}, report.repetitions());
  report.add("housing/" + name + "/city", c, "image from inside a body / without the body");
}

}  // namespace

void bench_cameras(BenchReport& report) {
  for (const char* name : kCameras) {
    if (report.wants("cameras/" + std::string(name) + "/city")) measure(report, name);
    if (report.wants("housing/" + std::string(name) + "/city")) measure_in_housing(report, name);
  }
}

}  // namespace protobeam
