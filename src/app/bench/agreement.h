// Rays drawn over by the beam caster against the same rays traced by Embree.
#pragma once

#include <cstddef>
#include <functional>

#include "raycast/ray_scene.h"

namespace protobeam::bench {

struct Agreement {
  std::size_t rays = 0;  ///< that the caster drew
  std::size_t hits = 0;  ///< of these
  // With another hit than Embree's:
  std::size_t coincident = 0;  ///< at the same range: two faces lie in one plane, or cross there
  std::size_t outlines = 0;    ///< at an edge of the nearer one
  std::size_t wrong = 0;       ///< elsewhere
  double widest = 0;           ///< rad, of those at edges the greatest angle to the edge
};

/// Casts at least `rays` random rays: those of heads of 128 x 4096 beams, at random places within
/// 40 m of X_WS and 4 m above, tilted by up to 0.3 rad. `fill` adds the same to each scene. Equal
/// are the bits of ranges, and instances and shapes.
Agreement compare_with_embree(const std::function<void(RayScene&)>& fill, const Pose& X_WS,
                              std::size_t rays);

}  // namespace protobeam::bench
