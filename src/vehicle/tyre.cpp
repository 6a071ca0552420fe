#include "vehicle/tyre.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam {
namespace {

constexpr double kStandstillSpeed = 1e-3;  // m/s: below, the direction of motion means nothing
constexpr double kSlowSpin = 1e-5;         // rad/s: below, the slip ratio would divide by nothing
constexpr double kSlowTread = 1e-5;        // m/s, what it divides by instead
constexpr double kRestingSpin = 1e-4;      // rad/s: below, nothing rolls and nothing resists
constexpr double kRollingSharpness = 100;  // s/rad, of the sign of the spin
constexpr double kTanhIsOne = 20;          // beyond, the hyperbolic tangent is 1 to the last bit

double clamped(double value, double limit) { return std::clamp(value, -limit, limit); }

/// From -1 to 1, without a step at rest.
double sign_of(double spin) {
  const double x = kRollingSharpness * spin;
  return std::abs(x) > kTanhIsOne ? std::copysign(1.0, x) : libm::tanh(x);
}

}  // namespace

double Slip::angle() const {
  if (!(velocity.cwiseAbs().maxCoeff() > kStandstillSpeed)) return 0;
  return libm::atan2(-velocity.y(), std::abs(velocity.x()));
}

Slip slip_of(const TyreInput& in) {
  Slip slip;
  const double tread = std::abs(in.spin) > kSlowSpin ? in.spin * in.radius : kSlowTread;
  slip.ratio = clamped((tread - in.velocity.x()) / std::abs(tread), 1);
  slip.velocity = in.velocity;
  return slip;
}

WheelBalance balance(const TyreInput& in, double bearing_damping, double rolling_resistance) {
  WheelBalance out;
  const double c_rr = in.rolling_resistance.value_or(rolling_resistance);
  const double rolling = c_rr > 0 && std::abs(in.spin) > kRestingSpin
                             ? c_rr * in.normal_load * in.radius * sign_of(in.spin)
                             : 0;
  out.torque = in.motor_torque - bearing_damping * in.spin - rolling;
  const double acceleration = (in.velocity.x() / in.radius - in.spin) / in.dt;
  out.longitudinal = (out.torque - in.inertia * acceleration) / in.radius;
  out.lateral = -in.velocity.y() * in.mass / in.dt - in.slope_force.y();
  return out;
}

TyreOutput settle(const TyreInput& in, const WheelBalance& balance, double longitudinal_limit,
                  double lateral_limit, double rolling_drag) {
  TyreOutput out;
  out.slip = slip_of(in);
  double fx = clamped(balance.longitudinal + rolling_drag, longitudinal_limit);
  // The hold against the slope below acts between chassis and ground; it does not turn the wheel.
  out.spin = in.spin + in.dt * (balance.torque - in.radius * fx) / in.inertia;
  fx -= clamped(in.slope_force.x(), longitudinal_limit - std::abs(fx));
  out.force = {fx, clamped(balance.lateral, lateral_limit)};
  return out;
}

}  // namespace protobeam
