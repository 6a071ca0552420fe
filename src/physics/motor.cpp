#include "physics/motor.h"

#include <algorithm>
#include <cmath>

namespace protobeam::physics {

Motor::Motor(const MotorSpec& spec, double position)
    : spec_(spec),
      target_(position),
      commanded_velocity_(spec.max_velocity),
      acceleration_(spec.acceleration),
      available_effort_(spec.max_effort) {}

bool Motor::velocity_control() const { return std::isinf(target_); }

void Motor::set_position(double target) {
  if (std::isnan(target)) return;
  if (std::isfinite(target) && spec_.min_position != spec_.max_position)
    target = std::clamp(target, spec_.min_position, spec_.max_position);
  target_ = target;
  effort_.reset();
}

void Motor::set_velocity(double velocity) {
  if (!std::isfinite(velocity)) return;
  commanded_velocity_ = std::clamp(velocity, -spec_.max_velocity, spec_.max_velocity);
}

void Motor::set_acceleration(double acceleration) {
  if (std::isfinite(acceleration)) acceleration_ = acceleration;
}

void Motor::set_effort(double effort) {
  if (std::isfinite(effort)) effort_ = std::clamp(effort, -available_effort_, available_effort_);
}

void Motor::set_available_effort(double effort) {
  if (std::isfinite(effort)) available_effort_ = std::clamp(effort, 0.0, spec_.max_effort);
}

void Motor::set_pid(double p, double i, double d) {
  if (!std::isfinite(p) || !std::isfinite(i) || !std::isfinite(d)) return;
  spec_.p = p;
  spec_.i = i;
  spec_.d = d;
  integral_ = 0;
  previous_error_.reset();
}

void Motor::set_limits(const MotorSpec& spec) {
  spec_.max_velocity = spec.max_velocity;
  spec_.max_effort = spec.max_effort;
  spec_.min_position = spec.min_position;
  spec_.max_position = spec.max_position;
}

void Motor::decide(double position, double time_step) {
  if (available_effort_ == 0) {  // it does not control the joint
    wanted_velocity_ = velocity_ = 0;
    return;
  }
  if (velocity_control()) {
    wanted_velocity_ = commanded_velocity_;
    return;
  }
  const double error = target_ - position;
  integral_ += error * time_step;
  const double rate = previous_error_ ? (error - *previous_error_) / time_step : 0;
  previous_error_ = error;
  const double limit = std::abs(commanded_velocity_);
  wanted_velocity_ =
      std::clamp(spec_.p * error + spec_.i * integral_ + spec_.d * rate, -limit, limit);
}

void Motor::decide_kinematic(double position, double time_step) {
  constexpr double kThere = 1e-6;  // rad or m
  wanted_velocity_ = 0;
  if (effort_) return;
  double target = target_, way = target_ > position ? 1 : -1;
  double wanted = way * std::abs(commanded_velocity_), now = way * std::abs(velocity_);
  if (velocity_control()) {
    const bool limited = spec_.min_position != spec_.max_position;
    wanted = commanded_velocity_;
    now = velocity_;
    way = wanted < 0 ? -1 : 1;
    target = !limited ? way * kUnlimited : wanted < 0 ? spec_.min_position : spec_.max_position;
  }
  const double left = way * (target - position);
  if (left < kThere) {
    velocity_ = 0;
    return;
  }
  const double acceleration =
      acceleration_ >= 0 ? std::min(acceleration_, available_effort_) : available_effort_;
  const double change = acceleration * time_step;
  velocity_ = now + std::clamp(wanted - now, -change, change);
  wanted_velocity_ = way * std::min(way * velocity_, left / time_step);
}

double Motor::advance(double h) {
  const double change = wanted_velocity_ - velocity_;
  const double most = acceleration_ >= 0 ? acceleration_ * h : kUnlimited;
  velocity_ += std::clamp(change, -most, most);
  return velocity_;
}

bool Motor::busy() const {
  constexpr double kNearlyThere = 1e-6;  // rad/s or m/s: the P law never quite ends
  if (effort_) return *effort_ != 0;
  return std::abs(wanted_velocity_) > kNearlyThere || std::abs(velocity_) > kNearlyThere;
}

}  // namespace protobeam::physics
