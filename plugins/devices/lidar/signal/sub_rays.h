// A beam with a width: rays that sample its cross-section.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "raycast/ray_scene.h"

namespace protobeam {

inline constexpr std::size_t kSubRays = 16;  ///< a packet of the ray scene

/// Offsets from the middle of a Gaussian beam, in half divergences (to 1/e^2 of the irradiance):
/// one ray in the middle, 5 and 10 on rings, each for a sixteenth of the power. A ring lies where
/// half of the power of its rays is inside it: within a radius r there is 1 - exp(-2 r^2)
/// (A. Siegman, "Lasers", 1986, 17.1).
std::array<std::array<float, 2>, kSubRays> sub_ray_offsets();

/// The rays of beams [first, first + count) of a batch, beam after beam.
class SubRays {
 public:
  explicit SubRays(double divergence);

  /// A batch that lives until the next call and as long as `beams` does. Without divergence it is
  /// a part of `beams` itself. Where each ray begins to see (RayBatch::near) is up to the caller.
  RayBatch expand(const RayBatch& beams, std::size_t first, std::size_t count);
  std::size_t rays_per_beam() const { return divergence_ > 0 ? kSubRays : 1; }

 private:
  double divergence_;
  std::array<std::array<float, 2>, kSubRays> offsets_;
  std::vector<float> dx_, dy_, dz_, ox_, oy_, oz_, time_;
};

}  // namespace protobeam
