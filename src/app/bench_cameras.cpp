// Cameras in worlds/city.wbt: what an image costs beyond the bare trace of the rays through its
// pixels, one thread.
#include <string>

#include "app/bench_place.h"
#include "app/bench_report.h"
#include "sim/sample_inputs.h"

namespace protobeam {
namespace {

/// Cameras of the city's robot "probe", 640 x 480.
const char* const kCameras[] = {"depth camera", "camera"};

void measure(BenchReport& report, const std::string& name) {
  BenchPlace city("city");
  Device& device = city.device("probe/" + name);
  SampleInputs inputs(city.model(), city.simulation().tree());
  SampleInput input = inputs.prepare(device, city.simulation().time());
  input.noise = {city.model().seed, device.key, 0, 0};
  device.model->reset();
  // With the shadow map that it has after the first second.
  const bench::MakeScene make = [&city](int threads) {
    RaySceneOptions options{threads};
    options.lines_before_map = 1;
    auto scene = make_embree_scene(options);
    city.add_to(*scene);
    return scene;
  };
  bench::Comparison c =
      bench::compare_with_bare_trace(*device.model, input, make, 1, report.repetitions());
  report.add("cameras/" + name + "/city", c,
             std::to_string(static_cast<double>(c.rays) / c.median_ms / 1000).substr(0, 4) +
                 " Mpixel/s; image / bare trace of its pixels");
}

}  // namespace

void bench_cameras(BenchReport& report) {
  for (const char* name : kCameras) {
    if (report.wants("cameras/" + std::string(name) + "/city")) measure(report, name);
  }
}

}  // namespace protobeam
