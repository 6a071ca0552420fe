// Limits of the twists of a drive, as its text says them.
#pragma once

#include <optional>

namespace protobeam::urdf {

/// What is not there is no limit.
struct Bounds {
  std::optional<double> least, greatest;

  bool any() const { return least || greatest; }
  bool same_both_ways() const { return least && greatest && *least == -*greatest; }
};

/// m/s, rad/s, and what follows from them.
struct TwistBounds {
  Bounds speed, yaw_rate, acceleration, yaw_acceleration, jerk, yaw_jerk;
};

}  // namespace protobeam::urdf
