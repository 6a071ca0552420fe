// A vehicle: controller, drive and one tyre model for all wheels, put together for one step.
//
// It knows no bodies. Whoever moves the vehicle tells how it moves now, and gets the forces of the
// ground on each wheel. They act during one step, at the wheels' positions, in the vehicle's plane.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vehicle/drive.h"
#include "vehicle/drive_controller.h"
#include "vehicle/tyre.h"

namespace protobeam {

/// The ground under one wheel, and how the wheel moves over it.
struct WheelGround {
  Vec2 velocity_V = Vec2::Zero();  ///< m/s, of the wheel's centre, in V
  double mass = 0;                 ///< kg, that the wheel carries, itself included
  double normal_load = 0;          ///< N; 0: in the air
  std::optional<double> friction, rolling_resistance;  ///< of a place with its own ground
  /// m/s^2, in V: what pulls at `mass` along the ground beside gravity, for the tyre to hold.
  Vec2 pull_V = Vec2::Zero();
};

struct VehicleInput {
  double time = 0;                      ///< s, simulated, at the start of the step
  double dt = 0;                        ///< s, the step
  Vec3 gravity_V = {0, 0, -9.81};       ///< m/s^2, in V
  std::span<const WheelGround> wheels;  ///< in the order of the layout
};

/// A wheel after a step.
struct WheelState {
  double yaw = 0;               ///< rad, left: own yaw and steering
  Vec2 heading_V = {1, 0};      ///< heading_of(yaw)
  double spin = 0;              ///< rad/s
  double angle = 0;             ///< rad, in (-2 pi, 2 pi): how far it has rolled, for what is seen
  double motor_torque = 0;      ///< N m
  Vec2 force_V = Vec2::Zero();  ///< N, of the ground on the wheel, in V, at its position
  Vec2 slope_force_V = Vec2::Zero();  ///< N, pull of gravity along V's plane on what it carries
  Slip slip;

  void visit_state(StateArchive& archive) {
    archive(yaw, heading_V, spin, angle, motor_torque, force_V, slope_force_V, slip);
  }
};

class Vehicle {
 public:
  /// All three are set.
  Vehicle(std::unique_ptr<Drive> drive, std::unique_ptr<Tyre> tyre,
          std::unique_ptr<DriveController> controller);

  /// See DriveController::command.
  std::string command(const DriveCommand& command, double now);
  /// See DriveController::release.
  void release() { controller_->release(); }
  /// Rolls and steers the wheels by one step. Returns the twist that the vehicle takes whatever the
  /// forces are (they are zero then), or nothing.
  std::optional<Twist> step(const VehicleInput& in);
  void visit_state(StateArchive& archive);
  /// Wheels stand still and point straight ahead; no command.
  void reset();

  const VehicleLayout& layout() const { return drive_->layout(); }
  std::span<const WheelState> wheels() const { return wheels_; }
  /// Whether the vehicle's steering turns wheel i.
  bool steers(std::size_t i) const;
  /// What the wheels say about the motion.
  Twist odometry() const;

 private:
  void turn(std::size_t i);
  void roll(std::size_t i, const WheelGround& ground, const VehicleInput& in);
  void follow(std::size_t i, const Twist& twist);

  std::unique_ptr<Drive> drive_;
  std::unique_ptr<Tyre> tyre_;
  std::unique_ptr<DriveController> controller_;  // refers to *drive_
  std::vector<WheelState> wheels_;
  std::vector<double> spin_, yaw_, torque_;  // of the wheels, as Drive takes them
};

/// Grounds of a vehicle that moves with `twist` and whose wheels all carry the same share of the
/// chassis, wherever its centre of mass is: no load transfer, full weight on slopes too.
void even_ground(const VehicleLayout& layout, const Twist& twist, double gravity,
                 std::span<WheelGround> out);

}  // namespace protobeam
