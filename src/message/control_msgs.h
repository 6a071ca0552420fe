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

}  // namespace protobeam::message
