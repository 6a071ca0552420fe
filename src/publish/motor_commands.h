// How messages move the motors of a robot: as a controller would, before what the robot's
// controller says in the coming step, if it has one.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "output/message_sink.h"
#include "publish/joint_trajectory.h"
#include "sim/simulation.h"

namespace protobeam {

class MotorCommands {
 public:
  enum class Kind { kPosition, kVelocity, kEffort };
  using State = TrajectoryOfJoints::State;

  /// `note` gets, once each, what is wrong with messages; may be null.
  MotorCommands(const Simulation& simulation, const RobotInfo& robot,
                std::function<void(const std::string&)> note)
      : simulation_(simulation), robot_(robot), note_(std::move(note)) {}

  /// Of the joint's axis that the motor moves.
  State state_of(const Device& motor) const;
  void send(const Topic& topic, Device& motor, Kind kind, double number);
  /// It stays where it is.
  void hold(const Topic& topic, Device& motor) {
    send(topic, motor, Kind::kPosition, state_of(motor).position);
  }
  /// How hard and how fast the motor may move to its targets; a speed of 0: as it can.
  void limit(const Topic& topic, Device& motor, double effort, double speed);
  /// Notes what is wrong with a message of the topic.
  void complain(const Topic& topic, const std::string& problem);

  const Simulation& simulation() const { return simulation_; }
  void take_over(const MotorCommands& before) {
    at_speed_ = before.at_speed_;
    told_ = before.told_;
  }

 private:
  const Simulation& simulation_;
  const RobotInfo& robot_;
  std::function<void(const std::string&)> note_;
  std::set<std::string> at_speed_;  ///< motors whose last command here was a speed
  std::set<std::string> told_;
};

/// Why a goal is rejected.
inline constexpr const char* kNotActive = "its controller is not active";

/// What a client has a robot's motors do that takes a while.
class MotorTask {
 public:
  virtual ~MotorTask() = default;
  /// Of its topic or its action.
  virtual const std::string& name() const = 0;
  /// A message of its topic.
  virtual void receive(const message::Bytes& cdr) = 0;
  virtual void after_step() = 0;
  /// What it does is ended by its controller's deactivation; meanwhile there are no goals.
  virtual void set_alive(bool alive) = 0;
  /// Goes on with what `before`, of the same name, was doing.
  virtual void take_over(MotorTask& before) = 0;
  /// Whoever waits for a goal does so in vain.
  virtual void end(const std::string& why) = 0;
};

}  // namespace protobeam
