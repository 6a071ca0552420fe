// Where instances are, side by side: a cast passes over those out of its view without a look at
// their records, which lie far apart in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "raycast/trace.h"

namespace protobeam {

/// A ball around the shapes of each instance, structure of arrays, filled up to a multiple of 16.
class InstanceBalls {
 public:
  static constexpr std::size_t kBlock = 16;

  /// As the record says now. Radius -1: the instance cannot be seen.
  void set(std::uint32_t instance, const InstanceRecord& record);
  std::size_t size() const { return radius_.size(); }
  /// Of 16 instances, as vectors from a point (W) with other axes (S).
  struct Seen {
    alignas(64) float x[kBlock];
    alignas(64) float y[kBlock];
    alignas(64) float z[kBlock];
  };
  void look(std::size_t first, const Vec3& p_W, const Mat3& R_SW, Seen& to) const;
  const float* radius(std::size_t first) const { return &radius_[first]; }

 private:
  std::vector<double> x_, y_, z_;  ///< W
  std::vector<float> radius_;
};

}  // namespace protobeam
