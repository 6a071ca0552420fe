#ifndef PROTOBEAM_VEHICLE_HPP
#define PROTOBEAM_VEHICLE_HPP

#include <protobeam/vehicle.h>

#include <string>
#include <vector>
#include <webots/Device.hpp>

namespace protobeam {

/// A vehicle's drive: dynamic_cast what Robot::getDevice() returns. See protobeam/vehicle.h.
class Vehicle : public webots::Device {
 public:
  using webots::Device::Device;

  void setTwist(double vx, double vy, double omega) { pb_vehicle_set_twist(tag(), vx, vy, omega); }
  void setSpeed(double speed, double steering) { pb_vehicle_set_speed(tag(), speed, steering); }
  void setTorques(const std::vector<double>& torques, double steering = 0) {
    pb_vehicle_set_torques(tag(), torques.data(), static_cast<int>(torques.size()), steering);
  }

  virtual void enable(int samplingPeriod) { pb_vehicle_enable(tag(), samplingPeriod); }
  virtual void disable() { pb_vehicle_disable(tag()); }
  int getSamplingPeriod() const { return pb_vehicle_get_sampling_period(tag()); }

  PbTwist getOdometryTwist() const { return pb_vehicle_get_odometry_twist(tag()); }
  PbPose getOdometryPose() const { return pb_vehicle_get_odometry_pose(tag()); }
  PbTwist getTrueTwist() const { return pb_vehicle_get_true_twist(tag()); }
  PbPose getTruePose() const { return pb_vehicle_get_true_pose(tag()); }
  bool hasCollided() const { return pb_vehicle_has_collided(tag()); }
  PbWheel getWheel(int wheel) const { return pb_vehicle_get_wheel(tag(), wheel); }

  std::string getDrive() const { return pb_vehicle_get_drive(tag()); }
  std::string getController() const { return pb_vehicle_get_controller(tag()); }
  bool takes(PbSetPoint kind) const { return pb_vehicle_takes(tag(), kind); }
  int getNumberOfTorques() const { return pb_vehicle_get_number_of_torques(tag()); }
  double getMaxTorque() const { return pb_vehicle_get_max_torque(tag()); }
  double getMaxSteering() const { return pb_vehicle_get_max_steering(tag()); }
  double getWheelbase() const { return pb_vehicle_get_wheelbase(tag()); }
  int getNumberOfWheels() const { return pb_vehicle_get_number_of_wheels(tag()); }
  double getWheelRadius(int wheel) const { return pb_vehicle_get_wheel_radius(tag(), wheel); }
  bool isWheelDriven(int wheel) const { return pb_vehicle_is_wheel_driven(tag(), wheel); }
  const double* getWheelPosition(int wheel) const {
    return pb_vehicle_get_wheel_position(tag(), wheel);
  }
};

}  // namespace protobeam

#endif  // PROTOBEAM_VEHICLE_HPP
