// What a tyre plugin is: the rules by which one wheel pushes on the ground during one step.
//
// Frame: the wheel's own: x along its rolling direction, y to its left, in the plane of the ground.
// A wheel's spin is positive when it rolls forward, and so is the torque of its motor.
//
// The rules are those of MVSim (public repository MRPT/mvsim, docs/physics.rst, docs/vehicles.rst;
// modules/simulator/src/FrictionModels/*.cpp). A tyre first asks which force would stop all slip
// within the step, and then gives as much of it as friction allows.
#pragma once

#include <optional>

#include "base/math.h"
#include "base/state_archive.h"

namespace protobeam {

/// One wheel in one step.
struct TyreInput {
  Vec2 velocity = Vec2::Zero();     ///< m/s, of the wheel's centre, in the wheel's frame
  double spin = 0;                  ///< rad/s
  double motor_torque = 0;          ///< N m, on the wheel
  double mass = 0;                  ///< kg, what the force has to move: share of chassis, and wheel
  double normal_load = 0;           ///< N, wheel on ground; 0 in the air
  Vec2 slope_force = Vec2::Zero();  ///< N, gravity's pull on `mass` along the ground, wheel's frame
  double radius = 0;                ///< m
  double inertia = 0;               ///< kg m^2, about the axle
  double dt = 0;                    ///< s, the step
  std::optional<double> friction;   ///< coefficient of the ground here, instead of the tyre's own
  std::optional<double> rolling_resistance;  ///< the same for rolling resistance
};

/// How a tyre moves over the ground.
struct Slip {
  /// (spin radius - vx) / |spin radius|, in [-1, 1]: 1 spinning on the spot, -1 locked.
  double ratio = 0;
  Vec2 velocity = Vec2::Zero();  ///< m/s, of the wheel's centre, in its frame

  /// rad, in [-pi/2, pi/2]: from the direction of motion to the wheel's axis x, positive to the
  /// left; that of the mirrored motion when it rolls backward. 0 at a standstill. Found when asked
  /// for: most tyres do not, and arc tangents take time.
  double angle() const;

  void visit_state(StateArchive& archive) { archive(ratio, velocity); }
};

struct TyreOutput {
  Vec2 force = Vec2::Zero();  ///< N, of the ground on the wheel, in the wheel's frame
  double spin = 0;            ///< rad/s, at the end of the step
  Slip slip;                  ///< at its start
};

class Tyre {
 public:
  virtual ~Tyre() = default;
  /// Without memory: the same input gives the same output.
  virtual TyreOutput step(const TyreInput& in) const = 0;
};

/// Both slips from the velocity in the wheel's frame and the spin.
Slip slip_of(const TyreInput& in);

/// What a wheel's step starts from: resistances, and the forces that would leave no slip.
struct WheelBalance {
  double torque = 0;        ///< N m, motor less bearing and rolling resistance
  double longitudinal = 0;  ///< N, that makes the spin match the rolling speed within the step
  double lateral = 0;       ///< N, that stops sideways motion and holds against the slope
};

/// `bearing_damping` in N m s/rad; `rolling_resistance` (without unit) is the torque that the
/// ground takes, per normal load and radius.
WheelBalance balance(const TyreInput& in, double bearing_damping, double rolling_resistance);

/// The step of a wheel whose force is limited to +-longitudinal_limit, +-lateral_limit (N, >= 0).
/// `rolling_drag` (N) is a force on the tread that counts within the longitudinal limit. What is
/// left of that limit holds the wheel's load against the slope.
TyreOutput settle(const TyreInput& in, const WheelBalance& balance, double longitudinal_limit,
                  double lateral_limit, double rolling_drag = 0);

}  // namespace protobeam
