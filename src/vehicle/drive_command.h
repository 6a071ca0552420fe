// What a controller program asks of a vehicle, and for how long that holds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/state_archive.h"
#include "vehicle/twist.h"

namespace protobeam {

/// Torques of the motors, each held until the next command.
struct TorqueCommand {
  std::vector<double> torque;  ///< N m, forward positive, one for each input of the drive
  double steering = 0;         ///< rad, left positive, of the central steering

  void visit_state(StateArchive& archive) { archive(torque, steering); }
};

/// What the driver of a car asks for.
struct SpeedCommand {
  double speed = 0;     ///< m/s, of the vehicle's origin along x
  double steering = 0;  ///< rad, left positive, of the central steering
};

using DriveCommand = std::variant<Twist, TorqueCommand, SpeedCommand>;

/// "a twist", "a torque set-point", "a speed and steering set-point".
std::string_view what(const DriveCommand& command);
/// "" when all numbers are finite, else a message naming the one that is not.
std::string not_finite(const DriveCommand& command);

/// Keeps the last command. One that is older than the timeout counts no more.
class CommandClock {
 public:
  /// `timeout` in s of simulated time; 0 or less: commands hold for ever.
  explicit CommandClock(double timeout) : timeout_(timeout) {}

  void give(DriveCommand command, double now);
  /// No command has come yet.
  bool waiting() const { return !command_; }
  /// The last command that came. There must be one.
  const DriveCommand& last() const { return *command_; }
  bool expired(double now) const;
  /// Until the next command comes.
  void expire() { left_ = true; }
  void reset() {
    command_.reset();
    left_ = false;
  }

  void visit_state(StateArchive& archive) { archive(command_, given_, left_); }

 private:
  double timeout_;
  std::optional<DriveCommand> command_;
  double given_ = 0;
  bool left_ = false;  // by whoever gave it
};

}  // namespace protobeam
