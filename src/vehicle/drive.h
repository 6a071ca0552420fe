// What a drive plugin is: how set-points of torque and steering reach the wheels, and what the
// turning wheels say about the vehicle's motion.
//
// Torques are positive forward. Steering angles are positive to the left. Geometry and shares as in
// MVSim (public repository MRPT/mvsim, docs/vehicles.rst; modules/simulator/src/VehicleDynamics).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/field_table.h"
#include "vehicle/twist.h"
#include "vehicle/vehicle_layout.h"

namespace protobeam {

/// A torque that a controller gives: of one wheel or side, or of the one motor of a drivetrain.
struct TorqueInput {
  std::string_view name;  ///< for messages: "left", "front right", "drive"
  /// The wheel whose rolling speed this torque governs; -1: the speed of the vehicle as a whole.
  int wheel = -1;
};

class Drive {
 public:
  static constexpr std::size_t kMaxInputs = 4;

  /// Throws std::invalid_argument as check_layout does.
  explicit Drive(VehicleLayout layout);
  virtual ~Drive() = default;

  const VehicleLayout& layout() const { return layout_; }
  /// The node type, for messages.
  virtual std::string_view type() const = 0;
  /// At most kMaxInputs.
  virtual std::span<const TorqueInput> inputs() const = 0;
  /// Motor torque of each wheel (N m) from the torque of each input, at the wheels' spins (rad/s).
  virtual void distribute(std::span<const double> torque, std::span<const double> spin,
                          std::span<double> wheel_torque) const = 0;

  /// Greatest angle of the central steering (rad); 0: this vehicle does not steer.
  virtual double max_steering() const { return 0; }
  /// From the rear to the front axle (m); 0 for a vehicle that does not steer.
  virtual double wheelbase() const { return 0; }
  /// Yaw of each wheel from the central steering angle, which is limited to +-max_steering().
  virtual void steer(double central, std::span<double> yaw) const;

  /// Twist of the vehicle from the spins of wheels 0 (left) and 1 (right), as if they did not slip:
  ///   omega = (spin_1 R_1 - spin_0 R_0) / (y_0 - y_1), vx = spin_0 R_0 + omega y_0, vy = 0.
  Twist odometry(std::span<const double> spin) const;
  /// Sum of the wheels' motor torques when each input gives 1 N m.
  double torque_gain() const;

 protected:
  /// Throws std::invalid_argument unless wheel `left` lies to the left of wheel `right`.
  void require_pair(std::size_t left, std::size_t right) const;

 private:
  VehicleLayout layout_;
};

/// A drive with steered front wheels. Wheels in this order: rear left, rear right, front left,
/// front right.
class SteeredDrive : public Drive {
 public:
  static constexpr std::size_t kRearLeft = 0, kRearRight = 1, kFrontLeft = 2, kFrontRight = 3;

  /// Throws std::invalid_argument as check_layout does, and for another number or order of wheels,
  /// or a steering angle at which the inner front wheel would stand across (90 degrees or more).
  SteeredDrive(VehicleLayout layout, double max_steering);

  double max_steering() const override { return max_steering_; }
  double wheelbase() const override { return wheelbase_; }
  /// Between the front wheels, m.
  double track() const { return track_; }
  void steer(double central, std::span<double> yaw) const override;

 private:
  double max_steering_, wheelbase_, track_;
};

/// The field `maxSteeringAngle` of steered drives.
FieldSpec max_steering_field();

}  // namespace protobeam
