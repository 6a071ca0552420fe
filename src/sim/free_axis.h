// An axis without a body: of what turns or runs by its motor alone, as propellers and belts do, and
// of joints that move nothing.
#pragma once

#include <optional>

#include "device/ports.h"
#include "physics/motor.h"

namespace protobeam {

/// Nothing resists its motor, whose load the owner of the axis reports. Without a motor it stands
/// still. While its motor is told an effort F instead of a velocity, it has Webots' speed of a belt
/// (WbTrack::prePhysicsStep), (F - b v) step / m, where v is that of the step before, b of a brake
/// and m the mass of the body; without a mass it stands still, too.
class FreeAxis final : public JointPort {
 public:
  explicit FreeAxis(bool linear, double position = 0) : linear_(linear), position_(position) {}

  void set_mass(double kg) { mass_ = kg; }
  /// Its motor goes on by position and velocity whatever effort it is told.
  void ignore_efforts() { ignores_efforts_ = true; }
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
  void set_motor_limits(const MotorSpec& spec) override;
  void set_brake(double damping_constant) override;
  void set_load(double effort, double thrust) override {
    load_ = effort;
    thrust_ = thrust;
  }
  std::optional<double> thrust() const override { return thrust_; }
  double most_load() const override { return most_load_; }

  void visit_state(StateArchive& archive) {
    if (motor_) motor_->visit_state(archive);
    archive(position_, velocity_, load_, thrust_, most_load_, brake_);
  }

 private:
  bool linear_;
  std::optional<physics::Motor> motor_;
  double position_ = 0, velocity_ = 0, load_ = 0, most_load_ = 0;
  std::optional<double> thrust_;  ///< N
  bool ignores_efforts_ = false;
  double mass_ = 0;             ///< kg
  double brake_ = 0;            ///< N s/m
  double driven_velocity_ = 0;  ///< m/s, by the motor's effort, in this step
};

}  // namespace protobeam
