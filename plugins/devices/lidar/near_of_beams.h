// Where the beams of a lidar in a housing begin to see.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/sample_input.h"
#include "render/near_limits.h"
#include "sweep_pattern.h"

namespace protobeam {

/// For each beam of a sweep, where it has left the shapes of the robot that the lidar stands in.
/// Costs nothing where there are none.
class NearOfBeams {
 public:
  /// Looks around the device: at the first sample, and when its robot's shapes have changed.
  void look(const SampleInput& in);
  /// Works out the limits of a sweep's beams, unless they are known; none is less than `near` (m).
  void fill(const SweepPattern& sweep, float near);
  /// The next sweep has other beams.
  void forget() {
    near_.clear();
    known_ = false;
  }

  /// By place in the sweep; empty: beams see from `near` on.
  const std::vector<float>& limits() const { return near_; }
  /// To some of the beams; `near` is theirs, or null.
  void give(RayBatch& batch, const float* near) const;
  /// m, by which the limits are farther for beams that are cast within the step while S turns.
  float drift() const { return drift_; }
  /// Null: the lidar stands in nothing that it would see.
  const render::Housing* housing() const { return near_.empty() ? nullptr : &housing_; }

 private:
  std::shared_ptr<const std::vector<FixedShape>> shapes_;  ///< that were looked at
  render::Housing housing_;
  std::vector<float> near_;
  bool known_ = false;  ///< whether fill() has looked at these beams
  float drift_ = 0;
};

}  // namespace protobeam
