// The wheels of a robot and how it is told to drive, as a plugin of Gazebo or a controller of
// ros2_control says it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "urdf/controllers.h"
#include "urdf/import.h"

namespace protobeam::urdf {

/// What odometry calls its frames; "": nothing is said.
struct SaidFrames {
  std::string odometry, base;
  std::string prefix = {};  ///< of all frames of the robot, as Topics have it
};

/// A controller of ros2_control, and the node of its controller manager.
struct ManagedController {
  ControllerFacts facts;
  std::string manager;
};

struct Wheels {
  enum class Kind : std::uint8_t {
    kNone,
    kDifferential,
    kMecanum,
    kPlanar,
    kAckermann,
    kTricycle,
    kTracked
  };
  /// A message of the drive, where it is not as it would be; see node Topic.
  struct Named {
    std::string message, name, type;
    bool enabled = true;
  };

  std::string who;  ///< says it: "Gazebo's <plugin> 'x.so'"
  Place place;      ///< where
  Kind kind = Kind::kDifferential;
  std::vector<const Joint*> left, right;  ///< mecanum: front and rear; planar: none
  std::vector<const Link*> left_tracks, right_tracks;  ///< instead of wheels
  std::vector<const Joint*> steering;     ///< of a car: left and right, or one
  std::optional<double> separation, radius, wheelbase, acceleration, timeout;
  std::optional<double> steering_separation, steering_limit;
  TwistBounds bounds;
  std::optional<double> steering_gain;  ///< 1/s: wheels steer by it times what they lack
  bool twist_steers = false;  ///< the yaw rate of its twists is a steering angle
  double torque = 0;          ///< N m; 0: nothing is said
  std::vector<Named> topics;
  SaidFrames frames;
  std::optional<double> odometry_rate;  ///< Hz
  std::optional<ManagedController> controller;  ///< that says all this
};

/// A controller of ros2_control that hands numbers on to joints.
struct Forwarder {
  std::vector<std::string> joints;
  std::string interface;  ///< position, velocity, effort, trajectory, gripper
  std::string topic;      ///< or the name of a gripper's action
  std::string type;       ///< "": the usual one
  GoalRules rules;
  ManagedController controller;
};

/// What kind of wheels a plugin of Gazebo drives; kNone for other plugins.
Wheels::Kind drive_kind_of(const Element& plugin);
/// It tells where the robot is.
bool is_odometry_publisher(const Element& plugin);
/// It tells where a link is in the world.
bool is_ground_truth(const Element& plugin);
/// It gives the model a velocity.
bool is_velocity_control(const Element& plugin);
/// It is the one of ros2_control.
bool is_control_plugin(const Element& plugin);
/// Whether the file of a plugin has these words, joined as in Gazebo Classic.
bool file_has(const Element& plugin, const char* words);

/// Those of <gazebo> and those that the robot has besides.
std::vector<const Element*> all_plugins(const Robot& robot);

/// Of a plugin that drives; what has no effect goes into import.ignored.
Wheels wheels_of_plugin(Import& import, const Element& plugin);
/// Of the controller that fits the robot's wheels best, the first of several, in the files of
/// parameters that the plugin names; a warning for each other one. Adds those that are not of
/// wheels to the others.
std::optional<Wheels> wheels_of_controllers(Import& import, const Element& plugin,
                                            std::vector<Forwarder>& forwarders,
                                            std::vector<ManagedController>& broadcasters);
/// The node of the controller manager of a plugin for ros2_control.
std::string manager_of(const Element& plugin);

/// The joint of that name that turns, a wheel's on and on; null with a warning.
const Joint* joint_named(Import& import, const std::string& name, const Place& place,
                         const std::string& what, bool wheel);

/// Of the cylinder or sphere with which its wheel touches the ground.
std::optional<double> shape_radius(const Import& import, const Joint& joint);
/// A length is that which the robot has, but for a calibration.
bool agree(double said, double measured);

/// Of the joint's child, at the start.
Pose start_pose_in_root(const Robot& robot, const Joint& joint);
/// Of its anchor.
Vec3 start_in_root(const Robot& robot, const Joint& joint);

}  // namespace protobeam::urdf
