#include "vehicle/vehicle.h"

#include <algorithm>
#include <cmath>

namespace protobeam {

Vehicle::Vehicle(std::unique_ptr<Drive> drive, std::unique_ptr<Tyre> tyre,
                 std::unique_ptr<DriveController> controller)
    : drive_(std::move(drive)), tyre_(std::move(tyre)), controller_(std::move(controller)) {
  const std::size_t count = layout().wheels.size();
  wheels_.resize(count);
  spin_.resize(count);
  yaw_.resize(count);
  torque_.resize(count);
  reset();
}

std::string Vehicle::command(const DriveCommand& command, double now) {
  return controller_->command(command, now);
}

std::optional<Twist> Vehicle::step(const VehicleInput& in) {
  const DriveOutput out = controller_->step({in.time, in.dt, spin_, in.gravity_V});
  drive_->steer(out.steering, yaw_);
  drive_->distribute(std::span(out.torque).first(drive_->inputs().size()), spin_, torque_);
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    turn(i);
    if (out.imposed) {
      follow(i, *out.imposed);
    } else {
      roll(i, in.wheels[i], in);
    }
    spin_[i] = wheels_[i].spin;
    double& angle = wheels_[i].angle;
    angle += wheels_[i].spin * in.dt;
    if (!(std::abs(angle) < 2 * kPi)) angle = std::fmod(angle, 2 * kPi);
  }
  return out.imposed;
}

/// Steers the wheel. Most do not turn from one step to the next, and sines take time.
void Vehicle::turn(std::size_t i) {
  if (wheels_[i].yaw == yaw_[i]) return;
  wheels_[i].yaw = yaw_[i];
  wheels_[i].heading_V = heading_of(yaw_[i]);
}

void Vehicle::roll(std::size_t i, const WheelGround& ground, const VehicleInput& in) {
  const Wheel& wheel = layout().wheels[i];
  WheelState& state = wheels_[i];
  state.motor_torque = torque_[i];
  state.slope_force_V = (in.gravity_V.head<2>() + ground.pull_V) * ground.mass;

  TyreInput tyre;
  tyre.velocity = to_wheel(ground.velocity_V, state.heading_V);
  tyre.spin = state.spin;
  tyre.motor_torque = state.motor_torque;
  tyre.mass = ground.mass;
  tyre.normal_load = ground.normal_load;
  tyre.slope_force = to_wheel(state.slope_force_V, state.heading_V);
  tyre.radius = wheel.radius();
  tyre.inertia = wheel.inertia;
  tyre.dt = in.dt;
  tyre.friction = ground.friction;
  tyre.rolling_resistance = ground.rolling_resistance;
  const TyreOutput result = tyre_->step(tyre);
  state.force_V = from_wheel(result.force, state.heading_V);
  state.spin = result.spin;
  state.slip = result.slip;
}

/// A wheel that rolls without slip under a vehicle that is moved by decree.
void Vehicle::follow(std::size_t i, const Twist& twist) {
  const Wheel& wheel = layout().wheels[i];
  WheelState& state = wheels_[i];
  const Vec2 velocity = to_wheel(velocity_at(twist, wheel.planar()), state.heading_V);
  state = {.yaw = state.yaw,
           .heading_V = state.heading_V,
           .spin = velocity.x() / wheel.radius(),
           .angle = state.angle};
}

bool Vehicle::steers(std::size_t i) const {
  std::vector<double> straight(wheels_.size()), turned(wheels_.size());
  drive_->steer(0, straight);
  drive_->steer(drive_->max_steering(), turned);
  return turned[i] != straight[i];
}

void Vehicle::reset() {
  controller_->reset();
  std::fill(spin_.begin(), spin_.end(), 0.0);
  drive_->steer(0, yaw_);
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    wheels_[i] = {};
    turn(i);
  }
}

void Vehicle::visit_state(StateArchive& archive) {
  archive(*controller_);
  archive.fixed(wheels_, spin_, yaw_, torque_);
}

Twist Vehicle::odometry() const { return drive_->odometry(spin_); }

void even_ground(const VehicleLayout& layout, const Twist& twist, double gravity,
                 std::span<WheelGround> out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double mass = layout.carried_mass(i);
    out[i] = {velocity_at(twist, layout.wheels[i].planar()), mass, mass * gravity, {}, {}};
  }
}

}  // namespace protobeam
