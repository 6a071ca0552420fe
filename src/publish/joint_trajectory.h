// Where joints are on a trajectory: as ros2_control's joint_trajectory_controller takes it
// (ros2_controllers, joint_trajectory_controller/src/trajectory.cpp).
//
// Between two points joints follow a polynomial through what both of them give: a line through
// positions, a cubic through velocities as well, a quintic through accelerations, too. Before the
// first point they come from where they were when the trajectory began to count.
#pragma once

#include <optional>
#include <vector>

#include "message/trajectory_msgs.h"

namespace protobeam {

class TrajectoryOfJoints {
 public:
  struct State {
    double position = 0, velocity = 0;  ///< rad or m, and their rates
  };

  /// Counts from `now` on, s, when the joints are in the states `from`, in the order of the
  /// message. Throws std::invalid_argument that says what is wrong with it.
  TrajectoryOfJoints(const message::JointTrajectory& wanted, double now,
                     const std::vector<State>& from);

  /// Of one joint. Behind the last point it stays there.
  State at(double time, std::size_t joint) const;
  /// s; the stamp of the message, or when it came.
  double start() const { return start_; }
  double end() const { return points_.back().time; }

 private:
  struct Point {
    double time = 0;  ///< s
    std::vector<double> positions, velocities, accelerations;
  };
  double start_ = 0;
  std::vector<Point> points_;  ///< first where it came from
};

}  // namespace protobeam
