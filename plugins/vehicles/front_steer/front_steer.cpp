// FrontSteer: drives a car as its driver does: a steering angle and a speed, held by PID.
//
// Takes speed and steering set-points. The steering angle is taken as it is, standing or not; the
// PID loops on the speed are those of FrontSteerPid at the yaw rate that this angle gives. When
// commands stop coming the vehicle brakes to a stand and the steering stays. (MVSim's controller
// front_steer_pid: modules/simulator/src/VehicleDynamics/DynamicsAckermann.cpp.)
#include <vector>

#include "vehicle/plugin.h"
#include "vehicle/require.h"
#include "vehicle/speed_control.h"
#include "vehicle/steering_law.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  using enum FieldType;
  NodeSchema out{"FrontSteer",
                 "DriveController",
                 "Holds the commanded speed by PID and the commanded steering angle.",
                 {{"speed", kFloat, "0", "m/s", Range::any(),
                   "set-point until the first command: forward speed"},
                  {"steering", kFloat, "0", "rad", Range::any(),
                   "set-point until the first command: central steering, left positive"}}};
  for (const FieldSpec& field : speed_control_fields("100")) out.fields.push_back(field);
  return out;
}

class FrontSteer final : public DriveController, public KeepsState {
 public:
  FrontSteer(const Fields& fields, const Drive& drive)
      : DriveController(drive, SpeedCommand{fields.number("speed"), fields.number("steering")},
                        fields.number("commandTimeout")),
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
    require(drive.max_steering() > 0, "the controller FrontSteer steers, but a ", drive.type(),
            " does not; use TwistPid");
    return drive;
  }

  std::string refuse(const DriveCommand& command) const override {
    if (std::holds_alternative<SpeedCommand>(command)) return "";
    return takes_only("FrontSteer", "speed and steering set-points", command);
  }
  DriveCommand stop(const DriveCommand& last) const override {
    return SpeedCommand{0, std::get<SpeedCommand>(last).steering};
  }
  DriveOutput act(const DriveCommand& command, const DriveState& state) override {
    const auto& wanted = std::get<SpeedCommand>(command);
    const SteeredMotion motion = steered_motion(wanted.speed, wanted.steering, drive());
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

PROTOBEAM_CONTROLLER_PLUGIN(protobeam::schema(), protobeam::FrontSteer)
