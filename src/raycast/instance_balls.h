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
  /// m; the squares of no greater distances are far from overflow in float.
  static constexpr double kReach = 1e15;

  /// As the record says now. Radius -1: the instance cannot be seen.
  void set(std::uint32_t instance, const InstanceRecord& record);
  std::size_t size() const { return radius_.size(); }
  /// Of 16 instances, as vectors from a point (W) with other axes (S). Beyond the reach there are
  /// none; those that are larger are around the point.
  struct Seen {
    alignas(64) float x[kBlock];
    alignas(64) float y[kBlock];
    alignas(64) float z[kBlock];
    alignas(64) float radius[kBlock];
  };
  void look(std::size_t first, const Vec3& p_W, const Mat3& R_SW, Seen& to) const;

 private:
  std::vector<double> x_, y_, z_;  ///< W
  std::vector<float> radius_;
};

}  // namespace protobeam
