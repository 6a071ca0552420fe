#include "vehicle/twist_limits.h"

#include <algorithm>
#include <string_view>

#include "vehicle/require.h"

namespace protobeam {
namespace {

Interval interval(const Fields& fields, const char* field) {
  const std::vector<double> both = fields.numbers(field);
  if (both.empty()) return {};
  require(both.size() == 2 && both[0] <= 0 && both[1] >= 0, "field '", field,
          "' must be empty or the least, at most 0, and the greatest, at least 0");
  return {both[0], both[1]};
}

}  // namespace

double LimitedNumber::next(double wanted, double dt) {
  const double asked = (wanted - now_) / dt;
  double rate = std::clamp(asked, rate_now_ + jerk_.least * dt, rate_now_ + jerk_.greatest * dt);
  rate = std::clamp(rate, rate_.least, rate_.greatest);
  const double to =
      std::clamp(rate == asked ? wanted : now_ + rate * dt, itself_.least, itself_.greatest);
  rate_now_ = (to - now_) / dt;
  now_ = to;
  return now_;
}

TwistLimiter::TwistLimiter(const Fields& fields)
    : ahead_(interval(fields, "speedLimits"), interval(fields, "accelerationLimits"),
             interval(fields, "jerkLimits")),
      aside_(ahead_),
      turn_(interval(fields, "yawRateLimits"), interval(fields, "yawAccelerationLimits"),
            interval(fields, "yawJerkLimits")) {}

std::vector<FieldSpec> with_twist_limits(std::vector<FieldSpec> fields) {
  const auto add = [&](const char* name, const char* unit, const char* meaning) {
    fields.push_back({name, FieldType::kMFFloat, "[ ]", unit, {}, meaning});
  };
  add("speedLimits", "m/s", "Least and greatest vx and vy that twists may ask for; empty: none");
  add("yawRateLimits", "rad/s", "Likewise of the yaw rate");
  add("accelerationLimits", "m/s^2",
      "Least and greatest by which the vx and vy that it drives by change a second; empty: none");
  add("yawAccelerationLimits", "rad/s^2", "Likewise of the yaw rate");
  add("jerkLimits", "m/s^3", "Least and greatest by which these accelerations change; empty: none");
  add("yawJerkLimits", "rad/s^3", "Likewise of the yaw rate");
  return fields;
}

}  // namespace protobeam
