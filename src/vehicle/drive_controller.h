// What a controller plugin of a vehicle is: it turns set-points into torques and a steering angle.
//
// It sees the vehicle as its own electronics would: through the spins of the wheels and an
// inclinometer, not through its true pose.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "base/field_table.h"
#include "base/fields.h"
#include "vehicle/drive.h"
#include "vehicle/drive_command.h"

namespace protobeam {

/// What a controller may look at in one step.
struct DriveState {
  double time = 0;                 ///< s, simulated, at the start of the step
  double dt = 0;                   ///< s, the step
  std::span<const double> spin;    ///< rad/s, of each wheel, in the order of the layout
  Vec3 gravity_V = {0, 0, -9.81};  ///< m/s^2, in the vehicle's frame: x < 0 uphill
};

struct DriveOutput {
  std::array<double, Drive::kMaxInputs> torque{};  ///< N m, of each input of the drive
  double steering = 0;                             ///< rad, central
  /// Set: the vehicle moves with this twist, whatever forces say.
  std::optional<Twist> imposed;
};

class DriveController {
 public:
  /// `initial` holds until the first command comes, however long. `drive` must live longer.
  DriveController(const Drive& drive, DriveCommand initial, double command_timeout);
  virtual ~DriveController() = default;

  /// A new set-point at simulated time `now`. Returns "" or a message that says why it was refused;
  /// then the last one holds on.
  std::string command(const DriveCommand& command, double now);
  /// Torques and steering for the step that starts. A command older than the timeout is replaced by
  /// stop(): the vehicle stops.
  DriveOutput step(const DriveState& state);
  /// Nobody commands it any longer: the last command counts as expired.
  void release() { clock_.expire(); }
  /// As at the start: no command, no memory.
  void reset();
  /// What was commanded, and what the class keeps (KeepsState, Stateless).
  void visit_state(StateArchive& archive);

 protected:
  /// "" or why this controller cannot do what is asked. All numbers are finite.
  virtual std::string refuse(const DriveCommand& command) const = 0;
  /// The command that stops the vehicle which drives by `last`.
  virtual DriveCommand stop(const DriveCommand& last) const = 0;
  virtual DriveOutput act(const DriveCommand& command, const DriveState& state) = 0;
  virtual void forget() {}

  const Drive& drive() const { return drive_; }
  /// Throws std::invalid_argument when the initial set-point is one that refuse() refuses. Called
  /// by derived constructors, since refuse() is theirs.
  void check_initial() const;

 private:
  const Drive& drive_;
  DriveCommand initial_;
  CommandClock clock_;
};

/// Message of a controller of node type `type` that takes only `wanted` ("a twist").
std::string takes_only(std::string_view type, std::string_view wanted, const DriveCommand& got);

}  // namespace protobeam
