// trajectory_msgs (ros2/common_interfaces; ros/common_msgs).
#pragma once

#include <string>
#include <vector>

#include "message/geometry_msgs.h"

namespace protobeam::message {

struct JointTrajectoryPoint {
  static constexpr MessageName kName{"trajectory_msgs", "JointTrajectoryPoint"};
  std::vector<double> positions;
  std::vector<double> velocities;
  std::vector<double> accelerations;
  std::vector<double> effort;
  Duration time_from_start;
  static void each(auto& m, auto&& f) {
    f("positions", m.positions);
    f("velocities", m.velocities);
    f("accelerations", m.accelerations);
    f("effort", m.effort);
    f("time_from_start", m.time_from_start);
  }
};

struct JointTrajectory {
  static constexpr MessageName kName{"trajectory_msgs", "JointTrajectory"};
  Header header;
  std::vector<std::string> joint_names;
  std::vector<JointTrajectoryPoint> points;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("joint_names", m.joint_names);
    f("points", m.points);
  }
};

/// Of joints with several axes.
struct MultiDOFJointTrajectoryPoint {
  static constexpr MessageName kName{"trajectory_msgs", "MultiDOFJointTrajectoryPoint"};
  std::vector<Transform> transforms;
  std::vector<Twist> velocities;
  std::vector<Twist> accelerations;
  Duration time_from_start;
  static void each(auto& m, auto&& f) {
    f("transforms", m.transforms);
    f("velocities", m.velocities);
    f("accelerations", m.accelerations);
    f("time_from_start", m.time_from_start);
  }
};

struct MultiDOFJointTrajectory {
  static constexpr MessageName kName{"trajectory_msgs", "MultiDOFJointTrajectory"};
  Header header;
  std::vector<std::string> joint_names;
  std::vector<MultiDOFJointTrajectoryPoint> points;
  static void each(auto& m, auto&& f) {
    f("header", m.header);
    f("joint_names", m.joint_names);
    f("points", m.points);
  }
};

}  // namespace protobeam::message
