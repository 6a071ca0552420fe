#include "sim/vehicle/ground_region.h"

namespace protobeam {

GroundProperties ground_at(std::span<const std::unique_ptr<GroundRegion>> regions,
                           const Vec3& p_W) {
  GroundProperties out;
  for (const auto& region : regions) {
    if (!region->contains(p_W)) continue;
    const GroundProperties& here = region->properties();
    if (!out.friction) out.friction = here.friction;
    if (!out.rolling_resistance) out.rolling_resistance = here.rolling_resistance;
  }
  return out;
}

}  // namespace protobeam
