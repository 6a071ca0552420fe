#include "sim/free_axis.h"

#include <algorithm>
#include <cmath>

namespace protobeam {

void FreeAxis::decide(double time_step) {
  if (!motor_) return;
  motor_->decide(position_, time_step);
  const double force = motor_->effort().value_or(0) - brake_ * velocity_;
  driven_velocity_ = mass_ > 0 ? force * time_step / mass_ : 0;
}

void FreeAxis::advance(double h) {
  const double velocity = motor_ ? motor_->advance(h) : 0;
  velocity_ = motor_ && motor_->effort() && !ignores_efforts_ ? driven_velocity_ : velocity;
  position_ += velocity_ * h;
}

void FreeAxis::set_motor_position(double target) {
  if (motor_) motor_->set_position(target);
}
void FreeAxis::set_motor_velocity(double velocity) {
  if (motor_) motor_->set_velocity(velocity);
}
void FreeAxis::set_motor_acceleration(double acceleration) {
  if (motor_) motor_->set_acceleration(acceleration);
}
void FreeAxis::set_motor_effort(double effort) {
  if (motor_) motor_->set_effort(effort);
}
void FreeAxis::set_motor_available_effort(double effort) {
  if (motor_) motor_->set_available_effort(effort);
}
void FreeAxis::set_motor_pid(double p, double i, double d) {
  if (motor_) motor_->set_pid(p, i, d);
}
void FreeAxis::set_motor_limits(const MotorSpec& spec) {
  if (motor_) motor_->set_limits(spec);
  most_load_ = spec.max_effort;
}

void FreeAxis::set_brake(double damping_constant) {
  if (std::isfinite(damping_constant)) brake_ = std::max(0.0, damping_constant);
}

}  // namespace protobeam
