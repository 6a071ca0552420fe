// What a vehicle tells its controller program: facts once, and a sample of odometry, truth and
// wheels (vehicle/drive_type.h).
#pragma once

#include <vector>

#include "base/device_data.h"
#include "base/fields.h"
#include "base/rng.h"
#include "base/state_archive.h"
#include "device/odometry.h"
#include "device/sample_input.h"
#include "sim/vehicle/vehicle_host.h"

namespace protobeam {

/// The fields odometryScale and odometryNoise of a VehicleDrive: of x, y and yaw.
struct OdometryErrors {
  Vec3 scale = Vec3::Ones();  ///< the wheels' motion times this
  Vec3 noise = Vec3::Zero();  ///< m, m, rad after 1 m of way or 1 rad of turn
};
/// Throws std::invalid_argument naming the field.
OdometryErrors odometry_errors_from(const Fields& drive);

/// Properties "drive", "controller", "takes", "inputs", "maxTorque", "maxSteering", "wheelbase",
/// "wheelRadii", "drivenWheels" and "wheelPositions" of the device. `controller` is as made, before
/// its first step, and left so; `max_torque` is -1 where it has no limit.
Properties vehicle_facts(const Drive& drive, DriveController& controller,
                         const std::string& controller_type, double max_torque);

class VehicleFeedback {
 public:
  explicit VehicleFeedback(const OdometryErrors& errors) : errors_(errors) {}

  /// After a step of `dt`: integrates the odometry, looks for collisions. `noise.frame` is the
  /// number of the step.
  void step(const VehicleHost& vehicle, double dt, const NoiseKey& noise);
  /// Writes a sample. It tells collisions since the one before.
  void write(const VehicleHost& vehicle, Sample& out);

  /// As the wheels tell, with odometryScale and odometryNoise; the twist is that of the last step.
  WheelOdometry odometry() const { return {pose_, twist_.vx, twist_.vy, twist_.omega}; }

  void visit_state(StateArchive& archive) {
    archive(twist_, pose_.x, pose_.y, pose_.yaw, angle_, collided_);
    archive.raw(pose_.covariance.data(), 9 * sizeof(double));
  }

 private:
  /// By the noise of a step of `motion` (m, m, rad in the vehicle's frame) along the chord `c`,
  /// `s`.
  void spread_covariance(const Vec3& motion, double c, double s, double spread);

  OdometryErrors errors_;
  Twist twist_;
  OdometryPose pose_;
  std::vector<double> angle_;  // of the wheels, not wrapped
  bool collided_ = false;
};

}  // namespace protobeam
