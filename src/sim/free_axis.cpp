#include "sim/free_axis.h"

namespace protobeam {

void FreeAxis::decide(double time_step) {
  if (motor_) motor_->decide(position_, time_step);
}

void FreeAxis::advance(double h) {
  const double velocity = motor_ ? motor_->advance(h) : 0;
  velocity_ = motor_ && motor_->effort() ? 0 : velocity;
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

}  // namespace protobeam
