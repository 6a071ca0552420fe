// Actions of control_msgs (ros-controls/control_msgs): how MoveIt and others move arms and
// grippers. The definitions are those of Humble to Jazzy (control_msgs 3.0 to 5).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "message/action_msgs.h"
#include "message/sensor_msgs.h"
#include "message/trajectory_msgs.h"

namespace protobeam::message {

/// How far a joint may be from where it should be. 0: as the controller has it, -1: any distance.
struct JointTolerance {
  static constexpr MessageName kName{"control_msgs", "JointTolerance"};
  std::string name;
  double position = 0;      ///< rad or m
  double velocity = 0;      ///< rad/s or m/s
  double acceleration = 0;  ///< rad/s^2 or m/s^2
  static void each(auto& m, auto&& f) {
    f("name", m.name);
    f("position", m.position);
    f("velocity", m.velocity);
    f("acceleration", m.acceleration);
  }
};

/// The same for one of several axes of a joint.
struct JointComponentTolerance {
  static constexpr MessageName kName{"control_msgs", "JointComponentTolerance"};
  static constexpr Constant kConstants[] = {{"uint16", "X_AXIS", "1"},
                                            {"uint16", "Y_AXIS", "2"},
                                            {"uint16", "Z_AXIS", "3"},
                                            {"uint16", "TRANSLATION", "4"},
                                            {"uint16", "ROTATION", "5"}};
  std::string joint_name;
  std::uint16_t component = 0;
  double position = 0;
  double velocity = 0;
  double acceleration = 0;
  static void each(auto& m, auto&& f) {
    f("joint_name", m.joint_name);
    f("component", m.component);
    f("position", m.position);
    f("velocity", m.velocity);
    f("acceleration", m.acceleration);
  }
};

struct FollowJointTrajectoryParts {
  template <Literal Part>
  static constexpr MessageName kPart = action_part<"control_msgs", "FollowJointTrajectory", Part>();

  struct Goal {
    static constexpr MessageName kName = kPart<"_Goal">;
    JointTrajectory trajectory;
    MultiDOFJointTrajectory multi_dof_trajectory;
    std::vector<JointTolerance> path_tolerance;
    std::vector<JointComponentTolerance> component_path_tolerance;
    std::vector<JointTolerance> goal_tolerance;
    std::vector<JointComponentTolerance> component_goal_tolerance;
    Duration goal_time_tolerance;
    static void each(auto& m, auto&& f) {
      f("trajectory", m.trajectory);
      f("multi_dof_trajectory", m.multi_dof_trajectory);
      f("path_tolerance", m.path_tolerance);
      f("component_path_tolerance", m.component_path_tolerance);
      f("goal_tolerance", m.goal_tolerance);
      f("component_goal_tolerance", m.component_goal_tolerance);
      f("goal_time_tolerance", m.goal_time_tolerance);
    }
  };
  struct Outcome {
    static constexpr MessageName kName = kPart<"_Result">;
    static constexpr Constant kConstants[] = {{"int32", "SUCCESSFUL", "0"},
                                              {"int32", "INVALID_GOAL", "-1"},
                                              {"int32", "INVALID_JOINTS", "-2"},
                                              {"int32", "OLD_HEADER_TIMESTAMP", "-3"},
                                              {"int32", "PATH_TOLERANCE_VIOLATED", "-4"},
                                              {"int32", "GOAL_TOLERANCE_VIOLATED", "-5"}};
    enum Code : std::int32_t {
      kGoalViolated = -5,
      kPathViolated,
      kOldStamp,
      kInvalidJoints,
      kInvalidGoal,
      kSuccessful
    };
    std::int32_t error_code = kSuccessful;
    std::string error_string;
    static void each(auto& m, auto&& f) {
      f("error_code", m.error_code);
      f("error_string", m.error_string);
    }
  };
  struct Progress {
    static constexpr MessageName kName = kPart<"_Feedback">;
    Header header;
    std::vector<std::string> joint_names;
    JointTrajectoryPoint desired;
    JointTrajectoryPoint actual;
    JointTrajectoryPoint error;
    std::vector<std::string> multi_dof_joint_names;
    MultiDOFJointTrajectoryPoint multi_dof_desired;
    MultiDOFJointTrajectoryPoint multi_dof_actual;
    MultiDOFJointTrajectoryPoint multi_dof_error;
    static void each(auto& m, auto&& f) {
      f("header", m.header);
      f("joint_names", m.joint_names);
      f("desired", m.desired);
      f("actual", m.actual);
      f("error", m.error);
      f("multi_dof_joint_names", m.multi_dof_joint_names);
      f("multi_dof_desired", m.multi_dof_desired);
      f("multi_dof_actual", m.multi_dof_actual);
      f("multi_dof_error", m.multi_dof_error);
    }
  };
};
using FollowJointTrajectory =
    DerivedAction<"control_msgs", "FollowJointTrajectory", FollowJointTrajectoryParts>;

/// Feedback that clients of later definitions can read, too: from 6.3 (Kilted) on a number `index`
/// follows `error`, and another one the end. All behind `error` is zero here, so that eight more
/// bytes are those of the later definition with both numbers 0.
struct FollowJointTrajectoryFeedback : FollowJointTrajectory::Feedback {
  std::array<std::uint8_t, 8> later{};
  static void each(auto& m, auto&& f) {
    FollowJointTrajectory::Feedback::each(m, f);
    f("later", m.later);
  }
};

struct GripperCommandParts {
  template <Literal Part>
  static constexpr MessageName kPart = action_part<"control_msgs", "GripperCommand", Part>();

  struct Command {
    static constexpr MessageName kName{"control_msgs", "GripperCommand"};
    double position = 0;    ///< rad or m
    double max_effort = 0;  ///< N or Nm; 0: as the motor has it
    static void each(auto& m, auto&& f) {
      f("position", m.position);
      f("max_effort", m.max_effort);
    }
  };
  struct Goal {
    static constexpr MessageName kName = kPart<"_Goal">;
    Command command;
    static void each(auto& m, auto&& f) { f("command", m.command); }
  };
  /// The same in results and in feedback.
  struct State {
    double position = 0;   ///< rad or m
    double effort = 0;     ///< N or Nm
    bool stalled = false;  ///< it does not move, and is not where it should be
    bool reached_goal = false;
    static void each(auto& m, auto&& f) {
      f("position", m.position);
      f("effort", m.effort);
      f("stalled", m.stalled);
      f("reached_goal", m.reached_goal);
    }
  };
  struct Outcome : State {
    static constexpr MessageName kName = kPart<"_Result">;
  };
  struct Progress : State {
    static constexpr MessageName kName = kPart<"_Feedback">;
  };
};
using GripperCommand = DerivedAction<"control_msgs", "GripperCommand", GripperCommandParts>;

/// Of two fingers that move as one joint (control_msgs 5.1 and later).
struct ParallelGripperCommandParts {
  template <Literal Part>
  static constexpr MessageName kPart =
      action_part<"control_msgs", "ParallelGripperCommand", Part>();

  /// One position; velocity and effort are the most that is allowed, if they are there.
  struct Goal {
    static constexpr MessageName kName = kPart<"_Goal">;
    JointState command;
    static void each(auto& m, auto&& f) { f("command", m.command); }
  };
  struct Outcome {
    static constexpr MessageName kName = kPart<"_Result">;
    JointState state;
    bool stalled = false;
    bool reached_goal = false;
    static void each(auto& m, auto&& f) {
      f("state", m.state);
      f("stalled", m.stalled);
      f("reached_goal", m.reached_goal);
    }
  };
  struct Progress {
    static constexpr MessageName kName = kPart<"_Feedback">;
    JointState state;
    static void each(auto& m, auto&& f) { f("state", m.state); }
  };
};
using ParallelGripperCommand =
    DerivedAction<"control_msgs", "ParallelGripperCommand", ParallelGripperCommandParts>;

}  // namespace protobeam::message
