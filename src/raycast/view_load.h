// What a cast has to draw, and whether it would be traced faster.
#pragma once

#include <cstddef>

#include "raycast/lookout.h"

namespace protobeam {

/// The triangles of the clusters in view, and how many layers of clusters lie before the rays, in
/// the mean.
class ViewLoad {
 public:
  /// Of so many rows of tiles; `half_bearings` as Lookout has it.
  ViewLoad(int rows, float half_bearings)
      : per_bearing_(1 / half_bearings), per_row_(1 / static_cast<float>(rows)) {}
  /// Of `times` clusters.
  void add(const Sight& sight, std::size_t triangles, std::size_t times = 1);
  void add(const ViewLoad& more) { triangles_ += more.triangles_, layers_ += more.layers_; }

  /// Whether they are drawn over the rays faster than these are traced, or, by a sample of the
  /// clusters, may be. `lines`: of rays with origins of their own.
  bool is_light(const BeamRays& rays, bool lines, bool sampled = false) const;
  /// With more of them none is.
  static std::size_t most_triangles(const BeamRays& rays, bool lines);
  std::size_t triangles() const { return triangles_; }

 private:
  std::size_t triangles_ = 0;
  float layers_ = 0;
  float per_bearing_, per_row_;
};

inline void ViewLoad::add(const Sight& sight, std::size_t triangles, std::size_t times) {
  const float around = sight.bearing_half * per_bearing_;
  const float upward = static_cast<float>(sight.end_row - sight.first_row) * per_row_;
  triangles_ += times * triangles;
  layers_ += static_cast<float>(times) * ((around < 1 ? around : 1) * upward);
}

}  // namespace protobeam
