// An axis without a body: of what turns or runs by its motor alone, as propellers and belts do, and
// of joints that move nothing.
#pragma once

#include <optional>

#include "device/ports.h"
#include "physics/motor.h"

namespace protobeam {

/// Nothing resists its motor, whose load the owner of the axis reports. Without a motor, and while
/// its motor is told an effort instead of a velocity, it stands still.
class FreeAxis final : public JointPort {
 public:
  explicit FreeAxis(bool linear, double position = 0) : linear_(linear), position_(position) {}

  /// Once a step, then before each substep.
  void decide(double time_step);
  void advance(double h);

  bool linear() const override { return linear_; }
  double position() const override { return position_; }
  double velocity() const override { return velocity_; }
  double motor_effort() const override { return motor_ ? load_ : 0; }
  void add_motor(const MotorSpec& spec) override {
    motor_.emplace(spec, position_);
    most_load_ = spec.max_effort;
  }
  void set_motor_position(double target) override;
  void set_motor_velocity(double velocity) override;
  void set_motor_acceleration(double acceleration) override;
  void set_motor_effort(double effort) override;
  void set_motor_available_effort(double effort) override;
  void set_motor_pid(double p, double i, double d) override;
  void set_brake(double) override {}  // nothing moves it but the motor
  void set_load(double effort) override { load_ = effort; }
  double most_load() const override { return most_load_; }

  void visit_state(StateArchive& archive) {
    if (motor_) motor_->visit_state(archive);
    archive(position_, velocity_, load_, most_load_);
  }

 private:
  bool linear_;
  std::optional<physics::Motor> motor_;
  double position_ = 0, velocity_ = 0, load_ = 0, most_load_ = 0;
};

}  // namespace protobeam
