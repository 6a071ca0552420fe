// control_msgs (ros-controls/control_msgs; ROS 1's has the first ones under other names): what
// controllers tell of themselves. As ROS 2 Jazzy has them.
#pragma once

#include <string>
#include <vector>

#include "message/trajectory_msgs.h"

namespace protobeam::message {

struct JointTrajectoryControllerState {
  static constexpr MessageName kName{"control_msgs", "JointTrajectoryControllerState"};
  Header header;
  std::vector<std::string> joint_names;
  JointTrajectoryPoint reference;  ///< where they should be
  JointTrajectoryPoint feedback;   ///< where they are
  JointTrajectoryPoint error;      ///< what they lack
  JointTrajectoryPoint output;     ///< what they were told
  std::vector<std::string> multi_dof_joint_names;
  MultiDOFJointTrajectoryPoint multi_dof_reference;
  MultiDOFJointTrajectoryPoint multi_dof_feedback;
  MultiDOFJointTrajectoryPoint multi_dof_error;
  MultiDOFJointTrajectoryPoint multi_dof_output;
  double speed_scaling_factor = 1;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("joint_names", m.joint_names);
    f({"desired", "reference"}, m.reference);
    f({"actual", "feedback"}, m.feedback);
    f("error", m.error);
    f({nullptr, "output"}, m.output);
    f({nullptr, "multi_dof_joint_names"}, m.multi_dof_joint_names);
    f({nullptr, "multi_dof_reference"}, m.multi_dof_reference);
    f({nullptr, "multi_dof_feedback"}, m.multi_dof_feedback);
    f({nullptr, "multi_dof_error"}, m.multi_dof_error);
    f({nullptr, "multi_dof_output"}, m.multi_dof_output);
    f({nullptr, "speed_scaling_factor"}, m.speed_scaling_factor);
  }
};

/// Of the controllers of steering_controllers_library; as ROS 2 Humble has it, too.
struct SteeringControllerStatus {
  static constexpr MessageName kName{"control_msgs", "SteeringControllerStatus"};
  Header header;
  std::vector<double> traction_wheels_position;  ///< or their velocity, as it is fed back
  std::vector<double> traction_wheels_velocity;
  std::vector<double> steer_positions;
  std::vector<double> linear_velocity_command;  ///< rad/s, of the wheels
  std::vector<double> steering_angle_command;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("traction_wheels_position", m.traction_wheels_position);
    f("traction_wheels_velocity", m.traction_wheels_velocity);
    f("steer_positions", m.steer_positions);
    f("linear_velocity_command", m.linear_velocity_command);
    f("steering_angle_command", m.steering_angle_command);
  }
};

/// Of mecanum_drive_controller; as ROS 2 Humble has it, too.
struct MecanumDriveControllerState {
  static constexpr MessageName kName{"control_msgs", "MecanumDriveControllerState"};
  Header header;
  double front_left_wheel_velocity = 0;
  double back_left_wheel_velocity = 0;
  double back_right_wheel_velocity = 0;
  double front_right_wheel_velocity = 0;
  Twist reference_velocity;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("front_left_wheel_velocity", m.front_left_wheel_velocity);
    f("back_left_wheel_velocity", m.back_left_wheel_velocity);
    f("back_right_wheel_velocity", m.back_right_wheel_velocity);
    f("front_right_wheel_velocity", m.front_right_wheel_velocity);
    f("reference_velocity", m.reference_velocity);
  }
};

}  // namespace protobeam::message
