// What goes into the receiver and what comes out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/rng.h"
#include "device/label_table.h"
#include "raycast/ray_scene.h"
#include "render/near_limits.h"

namespace protobeam {

/// What happens to each range, in this order: noise, resolution, limits.
struct RangeModel {
  double sigma = 0;         ///< m
  double resolution = -1;   ///< m, -1: none
  double min = 0, max = 1;  ///< m

  /// Resolution and limits: what is out of them does not return. Gives back how many do.
  std::size_t finish(float* range, std::size_t n) const;
};

/// Beams that are cast together.
struct PulseBatch {
  RayBatch batch;
  NoiseKey noise;
  const std::uint32_t* places = nullptr;  ///< in the sweep, ascending; null: from first_place
  std::size_t first_place = 0;
  /// Around the device, which batch.near leaves out; null: nothing.
  const render::Housing* housing = nullptr;
  float drift = 0;  ///< m, by which batch.near is farther

  std::size_t place(std::size_t beam) const { return places ? places[beam] : first_place + beam; }
};

/// What a device with a signal model adds.
struct SignalReturns {
  const float* intensity = nullptr;  ///< as BeamReturn has them; 0 without a return
  const float* signal = nullptr;
  const float* ambient = nullptr;       ///< null: the device does not count photons
  const float* second_range = nullptr;  ///< m, +inf: no second return; null: single returns
  const float* second_intensity = nullptr;
  const float* second_signal = nullptr;
};

/// What the device says about beams [first, first + count) of a batch of pulses.
struct Returns {
  static constexpr std::size_t kMost = 1024;

  std::size_t first = 0, count = 0;  ///< count <= kMost
  const float* range = nullptr;      ///< m, +inf: no return
  std::size_t returned = 0;
  const SignalReturns* signal = nullptr;  ///< null: it only measures ranges
  /// What was hit (SampleInput::labels); null: nobody records it.
  const std::uint32_t* label = nullptr;
  const std::uint32_t* second_label = nullptr;  ///< null: single returns
};
/// Labels of hits [first, first + n) of a block.
inline void read_labels(const LabelTable& labels, const RayBlock& block, std::size_t first,
                        std::size_t n, std::uint32_t* out) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = labels.at(block.instance[first + i], block.shape[first + i]);
  }
}

/// Called from worker threads, each beam once, in any order.
using ReceiverCallback = std::function<void(const Returns&)>;

}  // namespace protobeam
