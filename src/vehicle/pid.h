// A PID controller in discrete time, and a low-pass for its set-point.
#pragma once

#include <limits>

#include "base/state_archive.h"

namespace protobeam {

struct PidSettings {
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();

  double kp = 0, ki = 0, kd = 0;  ///< output per error, per error s, per error / s
  /// 1/s, corner of the low-pass in the derivative kd s n / (s + n); 0: no low-pass.
  double derivative_filter = 0;
  double max_integral = kUnlimited;  ///< the integral part stays within +-this, in output's units
  double max_output = kUnlimited;
  bool anti_windup = false;  ///< back-calculation: what the output cannot do leaves the integral
  /// With a derivative_filter: it gets kd times the error instead of its rate, and the derivative
  /// part is no derivative, kd n / (s + n). MVSim's controllers do this.
  bool filter_error = false;
};

/// Throws std::invalid_argument naming the setting when one is not a number or out of range.
void check_pid(const PidSettings& settings);

class Pid {
 public:
  explicit Pid(const PidSettings& settings);

  /// One step of dt > 0 s. The integral includes this step's error. `feed_forward` is added to the
  /// output before it is limited. The derivative is 0 in the first step.
  double step(double error, double dt, double feed_forward = 0);
  void reset();
  double integral() const { return integral_; }
  void visit_state(StateArchive& archive) { archive(integral_, derivative_, last_error_, first_); }

 private:
  double next_derivative(double error, double dt) const;

  PidSettings settings_;
  double integral_ = 0;
  double derivative_ = 0;
  double last_error_ = 0;
  bool first_ = true;
};

/// Low-pass of order 0 (none), 1 or 2 with time constant tau, exact for steps of any length.
class ReferenceFilter {
 public:
  /// Throws std::invalid_argument for another order, or tau that is not greater than 0.
  ReferenceFilter(int order, double tau);

  double step(double set_point, double dt);
  void reset();
  void visit_state(StateArchive& archive) { archive(first_, second_); }

 private:
  int order_;
  double tau_;  ///< s
  double first_ = 0, second_ = 0;
};

}  // namespace protobeam
