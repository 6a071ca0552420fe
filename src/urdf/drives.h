// Plugins of Gazebo and controllers of ros2_control that drive a robot by its wheels, as MotorDrive
// nodes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "urdf/base_frame.h"
#include "urdf/import.h"
#include "urdf/wheels.h"

namespace protobeam::urdf {

/// Gazebo's and ROS' plugins for wheels and for ros2_control, and those that publish what is
/// published anyway.
bool is_known_plugin(const Element& plugin);

class Drives {
 public:
  /// Looks at all <gazebo> elements; what has no effect goes into import.ignored.
  explicit Drives(Import& import);

  /// The nodes, for the children of the Robot.
  std::vector<wbt::NodePtr> nodes() const { return nodes_; }
  /// One of them moves the robot.
  bool any_drive() const { return any_drive_; }
  /// Controllers that hand commands on to joints.
  const std::vector<Forwarder>& forwarders() const { return forwarders_; }
  /// Controllers that tell the states of joints.
  const std::vector<ManagedController>& broadcasters() const { return broadcasters_; }
  /// What a plugin says of the motor of a wheel.
  struct WheelMotor {
    double max_torque = 0;  ///< N m; 0: nothing
    std::optional<double> gain;  ///< 1/s, of its position control
  };
  /// Null for joints that no plugin drives.
  const WheelMotor* motor_of(const Joint& joint) const;
  /// It drives by the belt of that link.
  bool drives_track(const Link& link) const { return tracks_.contains(&link); }
  /// The drive pushes the robot where it goes: what it stands on must not hold it back.
  bool is_smooth(int link) const { return all_smooth_ || smooth_.contains(link); }

 private:
  void add(Import& import, const Wheels& wheels);
  /// A plugin that gives the robot a velocity.
  void add_velocity(Import& import, const Element& plugin);
  /// A plugin that tells where the robot is, as odometry.
  void add_truth(Import& import, const Element& plugin);
  /// A plugin that tells where the robot is, whatever odometry says.
  void add_p3d(Import& import, const Element& plugin);
  /// What its frame is called, and what stands before all of the robot.
  void name_root(const FrameNames& frames, const Place& place);

  std::vector<wbt::NodePtr> nodes_;
  std::vector<Forwarder> forwarders_;
  std::vector<ManagedController> broadcasters_;
  std::map<const Joint*, WheelMotor> motors_;
  bool any_drive_ = false;
  bool all_smooth_ = false;
  bool tells_odometry_ = false, tells_truth_ = false;
  std::set<int> smooth_;  ///< links
  std::set<const Link*> tracks_;
};

}  // namespace protobeam::urdf
