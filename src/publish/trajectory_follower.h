// Motors that follow trajectories, as joint_trajectory_controller of ros2_control does
// (ros2_controllers, joint_trajectory_controller.cpp and tolerances.hpp): messages on a topic, and
// goals of the action follow_joint_trajectory beside it, as MoveIt sends them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "message/control_actions.h"
#include "output/publish_settings.h"
#include "publish/action_server.h"
#include "publish/joint_trajectory.h"
#include "publish/motor_commands.h"
#include "publish/rate.h"

namespace protobeam {

class Stream;

class TrajectoryFollower final : public MotorTask, GoalWorker<message::FollowJointTrajectory> {
 public:
  /// `topic` is that of trajectories: "/arm/joint_trajectory". All must outlive this.
  TrajectoryFollower(MotorCommands& commands, ServiceTable& services, Topic topic,
                     std::vector<Device*> motors, const TrajectoryTolerances& tolerances);

  const std::string& name() const override { return topic_.name; }
  /// A trajectory, which takes the place of the one under way.
  void receive(const message::Bytes& cdr) override;
  void after_step() override;
  void set_alive(bool alive) override;
  void take_over(MotorTask& before) override;
  /// Publishes a JointTrajectoryControllerState at that rate, Hz.
  void publish_state_on(Stream& stream, double rate);
  void end(const std::string& why) override;

 private:
  using Action = message::FollowJointTrajectory;
  using Outcome = Action::Outcome;
  using State = TrajectoryOfJoints::State;
  /// Largest differences; 0: any.
  struct Tolerance {
    double position = 0, velocity = 0;
  };
  struct Joint {
    std::string name;   ///< as the trajectory has it
    std::size_t motor;  ///< index
    Tolerance path, goal;
  };
  struct Work {
    TrajectoryOfJoints trajectory;
    std::vector<Joint> joints;
    double goal_time = 0;  ///< s after the end, at which the goal must be reached; 0: any time
    bool arrived = false;  ///< at its end, where it waits until the goal is reached
  };

  bool begin_goal(const Action::Goal& goal) override;
  Outcome cancel_goal() override;
  Outcome no_goal() const override;
  message::Time now() const override;

  /// Throws std::invalid_argument that says what is wrong.
  Work work_of(const message::JointTrajectory& wanted) const;
  void take_tolerances(const Action::Goal& goal, Work& work);
  void take(const std::vector<message::JointTolerance>& wanted, Tolerance Joint::*which,
            Work& work);
  void begin(Work work);
  State state_of(const Joint& joint) const { return commands_.state_of(*motors_[joint.motor]); }
  void follow();
  void judge();
  void hold(std::size_t motor);
  void stop();
  void publish_feedback();
  void publish_state();

  MotorCommands& commands_;
  const Topic topic_;
  const std::vector<Device*> motors_;
  const TrajectoryTolerances tolerances_;
  ActionServer<Action> server_;
  std::optional<Work> work_;
  Rate feedback_rate_;
  std::vector<State> wanted_;  ///< of each motor: where it should be
  bool alive_ = true;
  Stream* state_stream_ = nullptr;
  Rate state_rate_{0};
};

}  // namespace protobeam
