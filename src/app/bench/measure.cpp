#include "app/bench/measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>
#include <vector>

#include "app/bench/bare_trace.h"
#include "app/bench/recording_scene.h"

namespace protobeam::bench {

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

namespace {

/// Seconds of this thread's CPU, or of the clock.
double now(bool cpu) {
  if (!cpu) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
  return cpu_seconds();
}

/// Runs both alternately, once each to warm up.
template <typename Ours, typename Baseline>
Comparison compare(bool cpu, int repetitions, Ours ours, Baseline baseline) {
  const auto seconds = [&](auto& work) {
    const double start = now(cpu);
    work();
    return now(cpu) - start;
  };
  ours();
  baseline();
  std::vector<double> a, b, ratio;
  for (int turn = 0; turn < std::max(repetitions, 1); ++turn) {
    a.push_back(seconds(ours));
    b.push_back(seconds(baseline));
    ratio.push_back(a.back() / b.back());
  }
  Comparison result;
  result.median_ms = 1e3 * median(a);
  result.baseline_ms = 1e3 * median(b);
  result.ratio = median(ratio);
  result.ratios = std::move(ratio);
  return result;
}

/// A sensor at work in a scene.
class Scan {
 public:
  Scan(DeviceModel& sensor, const SampleInput& input, RayScene& scene)
      : sensor_(sensor), input_(input), data_(sensor.layout().size + 64) {
    input_.visible = &scene;
  }
  Scan(const ScanSetup& setup, RayScene& scene) : Scan(setup.sensor, setup.input, scene) {
    change_ = setup.change;
  }
  void operator()() {
    input_.frame = input_.noise.frame = ++frame_;
    if (change_) change_(*input_.visible, frame_);
    const auto address = reinterpret_cast<std::uintptr_t>(data_.data());
    const std::span<std::byte> all(data_);
    Sample out(all.subspan(-address % 64, sensor_.layout().size), sensor_.layout());
    sensor_.sample(input_, out);
  }

 private:
  DeviceModel& sensor_;
  SampleInput input_;
  std::function<void(RayScene&, std::uint64_t)> change_;
  std::vector<std::byte> data_;
  std::uint64_t frame_ = 0;
};

/// The rays of the sensor's next sample.
std::vector<std::unique_ptr<RecordedRays>> rays_of(DeviceModel& sensor, const SampleInput& input,
                                                   RayScene& scene) {
  RecordingScene recorder(scene);
  Scan(sensor, input, recorder)();
  return recorder.take();
}

std::size_t count(const std::vector<std::unique_ptr<RecordedRays>>& casts) {
  std::size_t rays = 0;
  for (const auto& cast : casts) rays += cast->batch.count;
  return rays;
}

}  // namespace

Comparison compare_with_bare_trace(DeviceModel& sensor, const SampleInput& input,
                                   const MakeScene& make, int threads, int repetitions) {
  const auto scene = make(threads);
  const auto casts = rays_of(sensor, input, *scene);
  std::vector<BareTrace> bare;
  std::vector<float> range(count(casts));
  for (const auto& cast : casts) bare.emplace_back(*scene, cast->batch);
  Comparison result = compare(threads == 1, repetitions, Scan(sensor, input, *scene), [&] {
    for (const BareTrace& trace : bare) trace.run(range, threads);
  });
  result.rays = range.size();
  result.threads = threads;
  return result;
}

Comparison compare_with_bare_trace(const ScanSetup& ours, const ScanSetup& rays, int repetitions) {
  const auto scene = ours.make(1), bare_scene = rays.make(1);
  const auto casts = rays_of(rays.sensor, rays.input, *bare_scene);
  std::vector<BareTrace> bare;
  std::vector<float> range(count(casts));
  for (const auto& cast : casts) bare.emplace_back(*bare_scene, cast->batch);
  Comparison result = compare(true, repetitions, Scan(ours, *scene), [&] {
    for (const BareTrace& trace : bare) trace.run(range);
  });
  result.rays = range.size();
  return result;
}

Comparison compare_scans(const ScanSetup& ours, const ScanSetup& baseline, int repetitions) {
  const auto scene = ours.make(1), other = baseline.make(1);
  Comparison result = compare(true, repetitions, Scan(ours, *scene), Scan(baseline, *other));
  result.rays = count(rays_of(ours.sensor, ours.input, *scene));
  return result;
}

Comparison compare_threads(DeviceModel& sensor, const SampleInput& input, const MakeScene& make,
                           int threads, int repetitions) {
  const auto one = make(1), many = make(threads);
  const std::size_t rays = count(rays_of(sensor, input, *one));
  Comparison result =
      compare(false, repetitions, Scan(sensor, input, *many), Scan(sensor, input, *one));
  result.rays = rays;
  result.threads = threads;
  return result;
}

EngineComparison compare_with_engine(DeviceModel& sensor, const SampleInput& input,
                                     const MakeScene& make, const CastRay& cast, int repetitions) {
  const auto scene = make(1);
  const auto casts = rays_of(sensor, input, *scene);
  std::vector<float> ours(count(casts)), theirs(ours.size());
  EngineComparison result;
  result.time = compare(
      true, repetitions,
      [&] {
        float* out = theirs.data();
        for (const auto& rays : casts) {
          const Vec3& origin = rays->batch.X_WS.p;
          for (std::size_t i = 0; i < rays->batch.count; ++i) {
            *out++ = static_cast<float>(
                cast(origin, rays->direction_W(i), rays->batch.t_near, rays->batch.t_far));
          }
        }
      },
      [&] {
        float* out = ours.data();
        for (const auto& rays : casts) {
          scene->cast(rays->batch, [out](const RayBlock& block) {
            std::copy_n(block.range, block.count, out + block.first);
          });
          out += rays->batch.count;
        }
      });
  result.time.rays = ours.size();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool same = ours[i] == theirs[i] || std::abs(ours[i] - theirs[i]) <= 0.01f;
    result.differ += same ? 0 : 1;
  }
  return result;
}

}  // namespace protobeam::bench
