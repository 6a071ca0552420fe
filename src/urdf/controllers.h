// The controllers of wheels, and those that forward commands to joints, among the parameters of
// ros2_control, a file of YAML.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "urdf/twist_bounds.h"

namespace protobeam::urdf {

/// What a controller manager tells of a controller.
struct ControllerFacts {
  std::string name, type;
  Place place;                                ///< of its type
  std::vector<std::string> commands, states;  ///< interfaces: "elbow/position"
  double state_rate = 0;                      ///< Hz, of its controller_state; 0: it has none
  std::string sensor;                         ///< that it publishes; "": none
};

/// Of a diff_drive_controller/DiffDriveController (ros2_controllers,
/// diff_drive_controller/src/diff_drive_controller_parameter.yaml), a
/// mecanum_drive_controller/MecanumDriveController, or one of those that steer
/// (steering_controllers_library/src/steering_controllers_library.yaml): ackermann, bicycle and
/// tricycle_steering_controller; or a tricycle_controller/TricycleController.
struct WheelController {
  enum class Kind : std::uint8_t { kDifferential, kMecanum, kSteering, kTricycle };

  /// A topic of the controller; `~` stands for its name.
  struct Named {
    std::string message;  ///< "cmd_vel", "odom"
    std::string name, type;
  };

  ControllerFacts facts;
  Kind kind = Kind::kDifferential;
  std::vector<std::string> left, right;        ///< joints; mecanum: front, rear
  std::vector<std::string> driving, steering;  ///< joints of one that steers, in any order
  double separation = 0, radius = 0;           ///< m, with their multipliers; 0: nothing is said
  double wheelbase = 0;                        ///< m, of mecanum and of steered wheels
  double steering_separation = 0;              ///< m, of two steered wheels
  double steering_limit = 0;                   ///< rad; 0: nothing is said
  double acceleration = 0;                     ///< m/s^2, of the rims of wheels; 0: any
  double timeout = 0.5;                        ///< s, of commands
  TwistBounds bounds;
  std::vector<Named> topics;
  bool tells_transform = true;  ///< from odom to the robot's base
  std::string odometry_frame, base_frame;  ///< "": nothing is said
  std::string frame_prefix;                ///< of these; ~ at its begin: the controller's namespace
  double odometry_rate = 0;                ///< Hz; 0: nothing is said
};

/// When a controller takes a goal for reached or missed; what is not there is as it would be.
struct GoalRules {
  std::optional<double> goal_time, stopped_velocity;
  std::vector<double> path, goal;  ///< tolerances of each joint
  bool allow_stalling = false;     ///< of a gripper
};

/// A forward_command_controller/ForwardCommandController, or one of the position, velocity and
/// effort controllers that are made of it (JointGroupPositionController, ...), or a
/// joint_trajectory_controller/JointTrajectoryController, or a gripper's.
struct ForwardController {
  ControllerFacts facts;
  std::vector<std::string> joints;
  std::string interface;  ///< position, velocity, effort, trajectory, gripper
  std::string type;       ///< of its topic or action; "": the usual one
  GoalRules rules;
};

struct RobotControllers {
  std::vector<WheelController> wheels;
  std::vector<ForwardController> forwards;
  std::vector<ControllerFacts> broadcasters;  ///< of the states of joints, and of sensors
};

/// All in the file, in its order. What is wrong is an error with its place in the file, a
/// controller that drives and that nobody knows here a warning.
RobotControllers robot_controllers_of(const std::filesystem::path& file, std::size_t most_bytes,
                                      Diagnostics& diagnostics);

}  // namespace protobeam::urdf
