#include "vehicle/pid.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

constexpr double kNoGain = 1e-12;

double limited(double value, double limit) { return std::clamp(value, -limit, limit); }

}  // namespace

void check_pid(const PidSettings& s) {
  require(std::isfinite(s.kp), "kp must be a finite number, got ", s.kp);
  require(std::isfinite(s.ki), "ki must be a finite number, got ", s.ki);
  require(std::isfinite(s.kd), "kd must be a finite number, got ", s.kd);
  require(std::isfinite(s.derivative_filter) && s.derivative_filter >= 0,
          "derivativeFilter must be at least 0, got ", s.derivative_filter);
  require(s.max_integral > 0, "iMax must be greater than 0 or -1, got ", s.max_integral);
  require(s.max_output > 0, "maxTorque must be greater than 0 or -1, got ", s.max_output);
}

Pid::Pid(const PidSettings& settings) : settings_(settings) { check_pid(settings); }

double Pid::next_derivative(double error, double dt) const {
  const PidSettings& s = settings_;
  const double n = s.derivative_filter;
  if (n > 0 && s.filter_error) {
    // Forward Euler, as MVSim's (modules/simulator/src/PID_Controller.cpp, compute); from n dt = 2
    // on, where that grows without end, what it means: no low-pass.
    const double share = n * dt < 2 ? n * dt : 1;
    return derivative_ + share * (s.kd * error - derivative_);
  }
  // Backward Euler of kd s n / (s + n): stable for any n and dt; the plain difference for n -> inf.
  const double rise = first_ ? 0 : s.kd * (error - last_error_);
  return n > 0 ? (derivative_ + n * rise) / (1 + n * dt) : rise / dt;
}

double Pid::step(double error, double dt, double feed_forward) {
  const PidSettings& s = settings_;
  derivative_ = next_derivative(error, dt);
  last_error_ = error;
  first_ = false;

  integral_ = limited(integral_ + s.ki * error * dt, s.max_integral);
  const double rest = s.kp * error + derivative_ + feed_forward;
  const double wanted = rest + integral_;
  const double given = limited(wanted, s.max_output);
  if (!s.anti_windup || std::abs(s.kp) <= kNoGain || given == wanted) return given;
  integral_ = limited(integral_ + s.ki / s.kp * (given - wanted) * dt, s.max_integral);
  return limited(rest + integral_, s.max_output);
}

void Pid::reset() {
  integral_ = derivative_ = last_error_ = 0;
  first_ = true;
}

ReferenceFilter::ReferenceFilter(int order, double tau) : order_(order), tau_(tau) {
  require(order >= 0 && order <= 2, "referenceFilterOrder must be 0, 1 or 2, got ", order);
  require(std::isfinite(tau) && tau > 0, "referenceFilterTau must be greater than 0, got ", tau,
          " s");
}

double ReferenceFilter::step(double set_point, double dt) {
  if (order_ == 0) return set_point;
  const double kept = libm::exp(-dt / tau_);
  first_ = kept * first_ + (1 - kept) * set_point;
  if (order_ == 1) return first_;
  second_ = kept * second_ + (1 - kept) * first_;
  return second_;
}

void ReferenceFilter::reset() { first_ = second_ = 0; }

}  // namespace protobeam
