// Speed control by PID, one loop for each torque input of a drive. Shared by the controllers that
// take speeds.
//
// Each loop compares the rolling speed that the wheel of its input should have with the one that
// the odometry (wheels 0 and 1) says it has, so that a slipping vehicle believes its wheels.
#pragma once

#include <vector>

#include "base/field_table.h"
#include "base/fields.h"
#include "vehicle/drive.h"
#include "vehicle/drive_controller.h"
#include "vehicle/pid.h"

namespace protobeam {

struct SpeedControlSettings {
  PidSettings pid;               ///< N m from m/s
  double feed_forward_gain = 0;  ///< of the torque that holds the chassis on the slope
  int filter_order = 0;          ///< of the set-point's low-pass; 0: none
  double filter_tau = 0.1;       ///< s
  double zero_speed = 0.001;     ///< m/s: a set-point below asks to stand
  double stop_speed = 0.05;      ///< m/s: below, a vehicle that is asked to stand stands
};

/// The fields of SpeedControlSettings with the given default for kp.
std::vector<FieldSpec> speed_control_fields(const char* kp);
/// Their values. Throws std::invalid_argument naming the field.
SpeedControlSettings speed_control_from(const Fields& fields);

class SpeedControl {
 public:
  SpeedControl(const Drive& drive, const SpeedControlSettings& settings);

  /// Torques that bring the vehicle to `wanted` while the wheels stand at `yaw`, the angle that
  /// they have in this step. What the odometry measured was at that of the step before (MVSim,
  /// VehicleAckermann_ControllerTwistFrontSteerPID.cpp).
  ///
  /// Asked to stand (all set-points zero, filtered or not): no torque and a fresh memory once the
  /// wheels hardly turn; until then torque only brakes, so that the vehicle does not roll back.
  void step(const Twist& wanted, std::span<const double> yaw, const DriveState& state,
            std::span<double> torque);
  void reset();
  void visit_state(StateArchive& archive) {
    for (Loop& loop : loops_) archive(loop.pid, loop.filter);
    archive.fixed(last_yaw_);
  }

 private:
  struct Loop {
    Pid pid;
    ReferenceFilter filter;
    double set_point = 0, actual = 0;  ///< m/s, of this step
  };
  double speed_of(const TorqueInput& input, const Twist& twist, std::span<const double> yaw) const;
  double feed_forward(const Vec3& gravity_V) const;
  void forget_loops();

  const Drive& drive_;
  SpeedControlSettings settings_;
  double weight_to_torque_;  ///< m kg: torque of one input per m/s^2 of pull along x
  std::vector<Loop> loops_;
  std::vector<double> last_yaw_;  // of the wheels, in the step before
};

}  // namespace protobeam
