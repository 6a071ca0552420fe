#include "vehicle/drive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "vehicle/ackermann.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

constexpr double kDegrees = 180 / kPi;

VehicleLayout checked(VehicleLayout layout) {
  check_layout(layout);
  return layout;
}

}  // namespace

Drive::Drive(VehicleLayout layout) : layout_(checked(std::move(layout))) {}

void Drive::steer(double, std::span<double> yaw) const {
  for (std::size_t i = 0; i < yaw.size(); ++i) yaw[i] = layout_.wheels[i].yaw;
}

Twist Drive::odometry(std::span<const double> spin) const {
  const Wheel& left = layout_.wheels[0];
  const Wheel& right = layout_.wheels[1];
  const double v_left = spin[0] * left.radius(), v_right = spin[1] * right.radius();
  const double omega = (v_right - v_left) / (left.planar().y() - right.planar().y());
  return {v_left + omega * left.planar().y(), 0, omega};
}

double Drive::torque_gain() const {
  std::array<double, kMaxInputs> ones;
  ones.fill(1);
  const std::vector<double> at_rest(layout_.wheels.size(), 0.0);
  std::vector<double> torque(layout_.wheels.size());
  distribute(std::span(ones).first(inputs().size()), at_rest, torque);
  return std::accumulate(torque.begin(), torque.end(), 0.0);
}

void Drive::require_pair(std::size_t left, std::size_t right) const {
  require(layout_.wheels[left].planar().y() > layout_.wheels[right].planar().y(), "wheels[", left,
          "] of a ", type(), " must lie to the left of wheels[", right,
          "]: its position needs the greater y");
}

SteeredDrive::SteeredDrive(VehicleLayout layout, double max_steering)
    : Drive(std::move(layout)), max_steering_(max_steering) {
  const auto& wheels = this->layout().wheels;
  require(wheels.size() == 4,
          "wheels must be 4: rear left, rear right, front left, front right; got ", wheels.size());
  const auto p = [&](std::size_t i) { return wheels[i].planar(); };
  require(p(kRearLeft).y() > p(kRearRight).y() && p(kFrontLeft).y() > p(kFrontRight).y(),
          "wheels must stand in the order rear left, rear right, front left, front right: the left "
          "ones need the greater y in their position");
  wheelbase_ = p(kFrontLeft).x() - p(kRearLeft).x();
  track_ = p(kFrontLeft).y() - p(kFrontRight).y();
  require(wheelbase_ > 0,
          "wheels must stand in the order rear left, rear right, front left, front right: the "
          "front ones need the greater x in their position");
  require(std::isfinite(max_steering) && max_steering > 0 && max_steering < kPi / 2,
          "maxSteeringAngle must be greater than 0 and below 90 degrees (pi / 2), got ",
          max_steering, " rad");
  const double inner = ackermann_angles(max_steering, wheelbase_, track_).left;
  require(inner < kPi / 2, "maxSteeringAngle ", max_steering,
          " rad turns the inner front wheel by ", inner * kDegrees,
          " degrees, given the wheelbase ", wheelbase_, " m and the track ", track_,
          " m; it must stay below 90 degrees");
}

void SteeredDrive::steer(double central, std::span<double> yaw) const {
  Drive::steer(central, yaw);
  const double limited = std::clamp(central, -max_steering_, max_steering_);
  const FrontAngles front = ackermann_angles(limited, wheelbase_, track_);
  yaw[kFrontLeft] += front.left;
  yaw[kFrontRight] += front.right;
}

FieldSpec max_steering_field() {
  Range range = Range::between(0, kPi / 2);
  range.min_open = range.max_open = true;
  return {"maxSteeringAngle",
          FieldType::kFloat,
          "0.523599",
          "rad",
          range,
          "greatest angle of the central steering; the inner wheel turns further"};
}

}  // namespace protobeam
