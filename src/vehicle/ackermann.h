// Steering geometry of a car, and how differentials share torque.
#pragma once

namespace protobeam {

struct FrontAngles {
  double left = 0, right = 0;  ///< rad, positive to the left
};

/// Angles of the front wheels at which the axles of all wheels meet in one point. `central` is that
/// of a single wheel between them:
///   cot(outer) = cot|central| + track / (2 wheelbase)
///   cot(inner) = cot|central| - track / (2 wheelbase)
/// (MVSim, docs/vehicles.rst, Steering Geometry.) Angles above 90 degrees come out as such.
FrontAngles ackermann_angles(double central, double wheelbase, double track);

/// Curvature (1/m, left positive) of the path of the rear axle's middle.
double curvature(double central, double wheelbase);

struct Shares {
  double first = 0.5, second = 0.5;  ///< of the torque; they sum to 1
};

/// An open differential: fixed shares, whatever the wheels do.
inline Shares open_shares(double split) { return {split, 1 - split}; }

/// A torque-biasing (Torsen) differential with bias ratio `bias` >= 1: while the faster side turns
/// more than `bias` times as fast as the other, it loses torque to it. With M and m the greater and
/// the smaller |spin|, k = max(0, 1 - bias m / M):
///   faster side: its split times (1 - k); slower side: its split times (1 + k); scaled to sum 1.
/// The open shares while a side stands still exactly (MVSim, DynamicsAckermannDrivetrain.cpp).
Shares torsen_shares(double spin_first, double spin_second, double bias, double split);

}  // namespace protobeam
