// FrontSteerPid: follows a twist with a car: the steering by geometry, the speed by PID.
//
// Takes twists: vx and omega; vy is ignored, since the rear axle of a car has none. The steering
// angle is atan(wheelbase omega / vx), limited; the speeds of the driven wheels are those of the
// motion that this steering gives. One PID loop for each torque that the drive takes: for each
// front wheel of an AckermannDrive, or one on vx for an AckermannDrivetrain. The speeds that they
// have come from the odometry, so from the spins of the rear wheels. When commands stop coming the
// vehicle brakes to a stand. (MVSim, docs/vehicles.rst, Twist PID Controllers;
// modules/simulator/src/VehicleDynamics/DynamicsAckermann.cpp.)
#include <vector>

#include "vehicle/plugin.h"
#include "vehicle/require.h"
#include "vehicle/speed_control.h"
#include "vehicle/steering_law.h"
#include "vehicle/twist_fields.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  NodeSchema out{"FrontSteerPid", "DriveController",
                 "Follows a twist with a car: steering by geometry, speed by PID.",
                 initial_twist_fields()};
  for (const FieldSpec& field : speed_control_fields("100")) out.fields.push_back(field);
  return out;
}

class FrontSteerPid final : public DriveController, public KeepsState {
 public:
  FrontSteerPid(const Fields& fields, const Drive& drive)
      : DriveController(drive, initial_twist_from(fields), fields.number("commandTimeout")),
        speed_(steered(drive), speed_control_from(fields)),
        yaw_(drive.layout().wheels.size()) {
    check_initial();
  }

  void visit_state(StateArchive& archive) override {
    archive(speed_);
    archive.fixed(yaw_);
  }

 private:
  static const Drive& steered(const Drive& drive) {
    require(drive.max_steering() > 0, "the controller FrontSteerPid steers, but a ", drive.type(),
            " does not; use TwistPid");
    return drive;
  }

  std::string refuse(const DriveCommand& command) const override {
    if (std::holds_alternative<Twist>(command)) return "";
    return takes_only("FrontSteerPid", "twists", command);
  }
  DriveCommand stop(const DriveCommand&) const override { return Twist{}; }
  DriveOutput act(const DriveCommand& command, const DriveState& state) override {
    const SteeredMotion motion = steered_motion(std::get<Twist>(command), drive());
    DriveOutput out;
    out.steering = motion.steering;
    drive().steer(motion.steering, yaw_);
    speed_.step(motion.twist, yaw_, state, out.torque);
    return out;
  }
  void forget() override { speed_.reset(); }

  SpeedControl speed_;
  std::vector<double> yaw_;  // of the wheels in this step
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_CONTROLLER_PLUGIN(protobeam::schema(), protobeam::FrontSteerPid)
