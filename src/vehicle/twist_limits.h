// Limits within which a drive follows its twists: of speeds, of how fast they change, and of how
// fast that changes.
#pragma once

#include <limits>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"
#include "base/state_archive.h"
#include "vehicle/twist.h"

namespace protobeam {

/// What is allowed, from the least to the greatest.
struct Interval {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
};

/// A number that follows its set-point within limits: the jerk comes first, then the acceleration,
/// then the number itself (gz-math, SpeedLimiter). As there, a jerk that is limited lets it swing
/// about the set-point.
class LimitedNumber {
 public:
  LimitedNumber(Interval itself, Interval rate, Interval jerk)
      : itself_(itself), rate_(rate), jerk_(jerk) {}

  /// What it is `dt` seconds after the last call.
  double next(double wanted, double dt);

  void visit_state(StateArchive& archive) { archive(now_, rate_now_); }

 private:
  Interval itself_, rate_, jerk_;
  double now_ = 0, rate_now_ = 0;
};

/// A twist that follows its set-point, each of its numbers for itself.
class TwistLimiter {
 public:
  /// Of a node with the fields of with_twist_limits(). Throws std::invalid_argument naming the
  /// field for limits that are none.
  explicit TwistLimiter(const Fields& fields);

  Twist next(const Twist& wanted, double dt) {
    return {ahead_.next(wanted.vx, dt), aside_.next(wanted.vy, dt), turn_.next(wanted.omega, dt)};
  }

  void visit_state(StateArchive& archive) { archive(ahead_, aside_, turn_); }

 private:
  LimitedNumber ahead_, aside_, turn_;
};

/// The fields, and after them those of a TwistLimiter.
std::vector<FieldSpec> with_twist_limits(std::vector<FieldSpec> fields);

}  // namespace protobeam
