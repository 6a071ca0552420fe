// From what the beams hit to what the device reports: the stage between the ray scene and the
// image. Whatever a real receiver does with an echo happens here and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/fields.h"
#include "base/rng.h"
#include "raycast/ray_scene.h"
#include "sensor/sensor.h"

namespace protobeam {

/// What happens to each range, in this order: noise, resolution, limits.
struct RangeModel {
  double sigma = 0;         ///< m
  double resolution = -1;   ///< m, -1: none
  double min = 0, max = 1;  ///< m
};

/// Some consecutive rays of a block that the ray scene has delivered.
struct Echoes {
  static constexpr std::size_t kMost = 1024;

  const RayBlock* block = nullptr;
  std::size_t first = 0, count = 0;  ///< in the block, count <= kMost
  NoiseKey noise;
  const std::uint32_t* places =
      nullptr;  ///< [count] in the sweep, ascending; null: from first_place
  std::size_t first_place = 0;
};

/// What the device says about them.
struct Reports {
  float range[Echoes::kMost];  ///< m, +inf: no return
  std::size_t returned = 0;
};

class Receiver {
 public:
  /// Reads the fields about ranges; throws std::invalid_argument when they contradict each other.
  explicit Receiver(const Fields& fields);

  const RangeModel& model() const { return model_; }
  double near() const { return near_; }
  double noise() const { return noise_; }

  /// Rays as this receiver needs them, at the pose of the sensor; directions are up to the caller.
  RayBatch batch(const SensorInput& in) const;
  void report(const Echoes& echoes, Reports& out) const;

 private:
  RangeModel model_;
  double near_, noise_;
};

}  // namespace protobeam
