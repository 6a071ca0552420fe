// Webots' motor law, for one axis: a target position becomes a velocity, the velocity changes with
// a limited acceleration, and the joint reaches it with a limited effort.
#pragma once

#include <optional>

#include "base/state_archive.h"
#include "physics/world.h"

namespace protobeam::physics {

class Motor {
 public:
  Motor(const MotorSpec& spec, double position);

  void set_position(double target);
  void set_velocity(double velocity);
  void set_acceleration(double acceleration);
  void set_effort(double effort);
  void set_available_effort(double effort);
  void set_pid(double p, double i, double d);
  /// Velocity, effort and positions of `spec` limit the commands from now on; those given before
  /// stay as they are (Webots, WbMotor::updateMaxVelocity).
  void set_limits(const MotorSpec& spec);

  /// Once a step: the velocity that the law demands at `position`.
  void decide(double position, double time_step);
  /// The same for a child that nothing resists, of which the velocity is exact for the whole step:
  /// it gathers speed by `acceleration`, but by no more than the available effort (as if it weighed
  /// 1 kg or 1 kg m^2), until it is at its target, and stops there at once. The PID law plays no
  /// part (Webots, WbMotor::runKinematicControl).
  void decide_kinematic(double position, double time_step);
  /// The velocity `h` seconds on: the decided one as far as the acceleration allows.
  double advance(double h);

  double velocity() const { return velocity_; }
  /// What decide_kinematic() has decided.
  double kinematic_velocity() const { return wanted_velocity_; }
  /// Set: this force or torque instead of a velocity.
  const std::optional<double>& effort() const { return effort_; }
  double available_effort() const { return available_effort_; }
  /// Whether the joint has yet to move, so that its bodies must not fall asleep.
  bool busy() const;

  void visit_state(StateArchive& archive) {
    archive(spec_.p, spec_.i, spec_.d, target_, commanded_velocity_, acceleration_,
            available_effort_, effort_, integral_, previous_error_, wanted_velocity_, velocity_);
  }

 private:
  bool velocity_control() const;

  MotorSpec spec_;
  double target_;
  double commanded_velocity_;
  double acceleration_;
  double available_effort_;
  std::optional<double> effort_;
  double integral_ = 0;
  std::optional<double> previous_error_;
  double wanted_velocity_ = 0, velocity_ = 0;
};

}  // namespace protobeam::physics
