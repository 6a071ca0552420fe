#include "raycast/view_load.h"

#include <span>

namespace protobeam {
namespace {

/// With more triangles in view for each ray than so many, tracing takes less time: a line from
/// point to point over the layers of clusters on a ray's way, which take long in Embree's trees.
/// Measured with AVX-512, time of a cast / of the same one traced: over hills of 20 layers at 0.5
/// triangles 0.6, at 1.1 0.8, at 2.2 1.2; in a city of 75 to 90 layers at 1.7 0.65 to 0.9,
/// at 3.4 1.2; among the trees of a campus, 85 to 110 layers, at 2.0 to 2.7 0.6 to 0.7, at 6 0.8;
/// of a million triangles in 5 layers at 3.6 1.25. Of rays with origins of their own: over the
/// hills at 0.5 0.9, at 1.1 1.1; in the city at 0.75 to 1.1 0.8 to 0.9, at 1.7 0.9 to 1.1; on the
/// campus at 2.3 to 2.8 0.85 to 0.9, at 4 1.0.
struct DrawingLimit {
  float layers, triangles;
};
constexpr DrawingLimit kLimitOfRays[] = {{0, 1.5f}, {80, 2.6f}, {110, 7}};
constexpr DrawingLimit kLimitOfLines[] = {{0, 0.25f}, {110, 2.95f}};

std::span<const DrawingLimit> limits_of(bool lines) {
  return lines ? std::span<const DrawingLimit>(kLimitOfLines) : kLimitOfRays;
}

float limit_at(std::span<const DrawingLimit> limits, float layers) {
  for (std::size_t i = 1; i < limits.size(); ++i) {
    const DrawingLimit &low = limits[i - 1], &high = limits[i];
    if (layers > high.layers) continue;
    const float share = (layers - low.layers) / (high.layers - low.layers);
    return low.triangles + share * (high.triangles - low.triangles);
  }
  return limits.back().triangles;
}

}  // namespace

bool ViewLoad::is_light(const BeamRays& rays, bool lines, bool sampled) const {
  // Of samples, triangles were 6 % too many, layers 28 % too few.
  const float more = sampled ? 1.15f : 1, higher = sampled ? 1.4f : 1;
  return static_cast<float>(triangles_) * rays.blur <=
         more * limit_at(limits_of(lines), higher * layers_) * static_cast<float>(rays.count);
}

std::size_t ViewLoad::most_triangles(const BeamRays& rays, bool lines) {
  const float most = limits_of(lines).back().triangles * static_cast<float>(rays.count);
  return static_cast<std::size_t>(most / rays.blur);
}

}  // namespace protobeam
