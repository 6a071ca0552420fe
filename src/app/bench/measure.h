// Measurements of the ray caster against its physical limit and against Bullet.
//
// Each compares two implementations in one process, in interleaved repetitions, and takes medians,
// so that a busy machine disturbs both alike. One thread is timed by its CPU time, several by the
// clock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "raycast/ray_scene.h"
#include "device/device_model.h"

namespace protobeam::bench {

struct Comparison {
  double median_ms = 0;    ///< ours
  double baseline_ms = 0;  ///< what it is compared with
  double ratio = 0;        ///< median of the ratios of the repetitions, ours / baseline
  std::vector<double> ratios;  ///< of the repetitions
  std::size_t rays = 0;
  int threads = 1;
};

/// What the calling thread has used.
double cpu_seconds();
/// Of at least one value.
double median(std::vector<double> values);
/// The value that `share` of them lie below, 0..1; of at least one.
double quantile(std::vector<double> values, double share);

/// Makes the scene that is measured, for a number of threads.
using MakeScene = std::function<std::unique_ptr<RayScene>(int threads)>;

/// A whole scan (poses, rays, noise, limits, points) against the bare trace of the same rays:
/// Embree packets in the sensor's own tile order, only the range kept.
Comparison compare_with_bare_trace(DeviceModel& sensor, const SampleInput& input, const MakeScene& make,
                                   int threads, int repetitions);

/// What is scanned: a sensor, what it is given, and the scene that it looks at.
struct ScanSetup {
  DeviceModel& sensor;
  const SampleInput& input;
  const MakeScene& make;
  /// Changes the scene before each scan, which is timed with it; or null.
  std::function<void(RayScene&, std::uint64_t scan)> change = nullptr;
};

/// A whole scan of `ours` against the bare trace of the rays of another one (the same lidar at
/// rest, when what motion costs is asked); one thread.
Comparison compare_with_bare_trace(const ScanSetup& ours, const ScanSetup& rays, int repetitions);

/// Two whole scans; one thread.
Comparison compare_scans(const ScanSetup& ours, const ScanSetup& baseline, int repetitions);

/// A scan on one thread (ours) against the same on `threads`: the ratio is the speed-up inverted.
Comparison compare_threads(DeviceModel& sensor, const SampleInput& input, const MakeScene& make,
                           int threads, int repetitions);

/// Nearest hit of a ray, in metres; +inf for none.
using CastRay = std::function<double(const Vec3& origin_W, const Vec3& unit_direction_W,
                                     double near, double far)>;
struct EngineComparison {
  Comparison time;         ///< ours is the other engine, the baseline our ray scene
  std::size_t differ = 0;  ///< rays whose ranges are more than 1 cm apart
};
/// Another engine, ray by ray, against our trace of the same rays; one thread.
EngineComparison compare_with_engine(DeviceModel& sensor, const SampleInput& input,
                                     const MakeScene& make, const CastRay& cast, int repetitions);

}  // namespace protobeam::bench
