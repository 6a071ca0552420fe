#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "app/bench/bare_bullet.h"
#include "app/bench/boxes.h"
#include "app/bench_place.h"
#include "app/bench_report.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

constexpr int kSteps = 300;  // 3 s: they fall, tumble, and the heap comes to rest
constexpr int kUntilAsleep = 150;

/// A simulation of the same boxes and nothing else.
class OurBoxes {
 public:
  explicit OurBoxes(const std::vector<bench::BenchBox>& boxes)
      : file_(fs::temp_directory_path() / fmt::format("protobeam-bench-{}.wbt", getpid())) {
    std::ofstream(file_) << bench::boxes_world(boxes);
  }
  ~OurBoxes() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  OurBoxes(const OurBoxes&) = delete;
  OurBoxes& operator=(const OurBoxes&) = delete;

  std::unique_ptr<Simulation> load() const { return load_bench_world(file_); }

 private:
  fs::path file_;
};

bench::BulletSettings settings_of(const physics::World& world) {
  const physics::WorldSpec& spec = world.spec();
  return {.time_step = spec.time_step,
          .substeps = world.substeps(),
          .iterations = spec.iterations,
          .residual = spec.residual,
          .sleep_time = spec.sleep_time,
          .sleep_linear = spec.sleep_linear,
          .sleep_angular = spec.sleep_angular};
}

/// Of dynamic bodies: how many are awake, and their mean height: that both worlds do the same.
struct Heap {
  int awake = 0;
  double height = 0;
};

Heap heap_of(const physics::World& world, std::size_t fixed) {
  Heap heap;
  const int count = world.body_count();
  for (int body = static_cast<int>(fixed); body < count; ++body) {
    heap.awake += !world.asleep(body);
    heap.height += world.pose(body).p.z();
  }
  heap.height /= std::max(1, count - static_cast<int>(fixed));
  return heap;
}

/// Simulation::step as a whole against Bullet's, step by step in turn, after so many steps from the
/// start in each repetition.
void measure(BenchReport& report, const std::string& name,
             const std::vector<bench::BenchBox>& boxes, int steps_before = 0) {
  const OurBoxes ours(boxes);
  const auto fixed = static_cast<std::size_t>(
      std::ranges::count_if(boxes, [](const auto& box) { return box.mass == 0; }));
  const int count = static_cast<int>(boxes.size() - fixed);
  std::vector<double> our_seconds, bullet_seconds, ratios;
  double time_step = 0;
  Heap our_heap, bullet_heap;
  const int repetitions = std::max(3, report.repetitions() / 3);
  for (int turn = 0; turn < repetitions; ++turn) {
    const auto simulation = ours.load();
    const physics::World& world = *simulation->model().physics;
    bench::BareBullet bullet(boxes, settings_of(world));
    time_step = world.spec().time_step;
    for (int i = 0; i < steps_before; ++i) {
      simulation->step();
      bullet.step();
    }
    double our_time = 0, bullet_time = 0;
    for (int i = 0; i < kSteps; ++i) {
      const double begin = bench::cpu_seconds();
      simulation->step();
      const double middle = bench::cpu_seconds();
      bullet.step();
      our_time += middle - begin;
      bullet_time += bench::cpu_seconds() - middle;
    }
    our_seconds.push_back(our_time / kSteps);
    bullet_seconds.push_back(bullet_time / kSteps);
    ratios.push_back(our_time / bullet_time);
    our_heap = heap_of(world, fixed);
    bullet_heap = {bullet.awake(), bullet.mean_height()};
  }
  const double our_ms = 1e3 * bench::median(our_seconds), bullet_ms = 1e3 * bench::median(bullet_seconds);
  const double ratio = bench::median(ratios), real_time = 1e3 * time_step / our_ms;
  report.add(name, {{"ratio", ratio, BenchFigure::Better::kLess, ratios}},
             {{"median_ms", our_ms},
              {"baseline_ms", bullet_ms},
              {"bodies", count},
              {"threads", 1},
              {"real_time", real_time},
              {"awake_at_end", our_heap.awake},
              {"baseline_awake_at_end", bullet_heap.awake},
              {"mean_height", our_heap.height},
              {"baseline_mean_height", bullet_heap.height},
              {"meaning", "a step / Bullet's with the same settings"}},
             fmt::format("{:>7.2f}  {:>9.3f} ms / {:>9.3f} ms a step, {:.1f} times real time; awake at "
                         "the end {} / {}, mean height {:.3f} / {:.3f} m",
                         ratio, our_ms, bullet_ms, real_time, our_heap.awake, bullet_heap.awake,
                         our_heap.height, bullet_heap.height));
}

}  // namespace

void bench_bodies(BenchReport& report) {
  for (const int count : {100, 300}) {
    const std::string name = fmt::format("bodies/{}", count);
    if (report.wants(name)) measure(report, name, bench::tumbling_boxes(count));
  }
  if (report.wants("bodies/asleep"))
    measure(report, "bodies/asleep", bench::resting_boxes(1000), kUntilAsleep);
  for (const int count : {10, 30, 100, 300, 1000}) {
    const std::string name = fmt::format("growth/boxes/{}", count);
    if (report.wants_also(name, "growth")) measure(report, name, bench::tumbling_boxes(count));
  }
}

}  // namespace protobeam
