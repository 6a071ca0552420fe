// A vehicle in the world: the rules of src/vehicle on a body of the physics.
//
// The body is the Robot's; the wheels have mass but no shape in it. Where they touch the ground is
// found in each step, a spring and damper between wheel and body carries it, and the tyres' forces
// act where the wheel touches. See docs/vehicles.md, "In three dimensions".
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "physics/world.h"
#include "sim/property_region.h"
#include "vehicle/vehicle.h"

namespace protobeam {

/// What presses a wheel on the ground, for its tyre.
enum class WheelLoad {
  kStatic,   ///< an equal share of the chassis and the wheel itself, as in MVSim; 0 in the air
  kDynamic,  ///< its suspension
};

/// Out of the nodes; `V` is the frame of the VehicleDrive.
struct VehicleSpec {
  std::string name;  ///< of the robot, for messages
  int robot = 0, device = 0;
  Pose X_BV;  ///< in the robot's body
  WheelLoad wheel_load = WheelLoad::kStatic;
  std::vector<Vec3> supports_V;  ///< points that glide on the ground without friction
  double linear_damping = 0.1, angular_damping = 0.1;  ///< 1/s
  bool tilts = true;  ///< false: tyres push at the height of the centre of mass
  bool calm = true;   ///< wheels that would turn the vehicle to and fro get a smaller share of it
};

/// Where a wheel (or support) touches the ground.
struct GroundContact {
  bool touches = false;  ///< the rest means something
  Vec3 point_W = Vec3::Zero();
  Vec3 normal_W = Vec3::UnitZ();               ///< out of the ground
  physics::BodyId body = physics::kWorldBody;  ///< what it stands on
  int solid = -1;                              ///< and its index in WorldModel::solids

  void visit_state(StateArchive& archive) { archive(touches, point_W, normal_W, body, solid); }
};

/// A wheel in the world, after the last step. Its spin, yaw, motor torque, tyre force in the
/// vehicle's frame and slip: Vehicle::wheels().
struct WheelInWorld {
  GroundContact ground;
  double compression = 0;       ///< m, of the suspension: the wheel is that far above `position`
  double suspension_force = 0;  ///< N, along the ground's normal on the body
  double normal_load = 0;       ///< N, that the tyre worked with: see WheelLoad; 0 in the air
  Vec3 force_W = Vec3::Zero();  ///< N, of the ground on the tyre, along the ground

  void visit_state(StateArchive& archive) {
    archive(ground, compression, suspension_force, normal_load, force_W);
  }
};

class VehicleHost {
 public:
  /// `vehicle` has the layout of the drive; the body's mass is that of chassis and wheels together.
  VehicleHost(VehicleSpec spec, Vehicle vehicle);
  ~VehicleHost();

  /// The body that carries the vehicle; called once, before the first step. All must live longer.
  void attach(physics::World& world, physics::BodyId body, const Vec3& gravity_W,
              const PropertyRegions& regions);

  const std::string& name() const;  ///< of the robot
  int robot() const;                ///< index in WorldModel::robots
  int device() const;               ///< index in the robot's devices
  physics::BodyId body() const;

  /// A new set-point, from now on. "" or why it was refused; then the last one holds on.
  std::string command(const DriveCommand& command);
  /// Nobody commands it any longer: the last set-point counts as too old.
  void release();
  /// As at the start: no command, wheels stand; the body stays where it is.
  void reset();

  const Vehicle& vehicle() const;
  std::span<const WheelInWorld> wheels() const;
  /// What the wheels say about the motion: vx, omega of V.
  Twist odometry() const;
  /// The truth: of the vehicle's frame V.
  Pose X_WV() const;
  Vec3 velocity_V() const;          ///< m/s, of V's origin, in V
  Vec3 angular_velocity_V() const;  ///< rad/s, in V
  Twist twist() const;              ///< its planar part
  /// In the last step the chassis touched something that is no ground under a wheel.
  bool collided() const;
  /// Where wheel i is seen: in V, its axle along y, steered, turned and on its suspension.
  Pose wheel_pose_V(std::size_t i) const;
  /// The same for what is only steered with it.
  Pose hub_pose_V(std::size_t i) const;
  Pose seen_pose_V(std::size_t i, bool only_steers) const {
    return only_steers ? hub_pose_V(i) : wheel_pose_V(i);
  }
  /// "" or the number that was not finite; the vehicle pushes on nothing from then on.
  const std::string& broken() const;

  void visit_state(StateArchive& archive);

  // For Simulation: around and within a step of the world.

  /// Wheels and suspension push on the body during the substep of `dt` that starts at `time`.
  void substep(double time, double dt);
  /// Before the world's step, after which touched() reports its contacts.
  void before_step();
  /// After the world's step, which ended at `time`.
  void after_step(double time);
  /// The body touched `other`, there the Solid with the index `solid`.
  void touched(physics::BodyId other, int solid);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam
