// TwistPid: follows a twist with a DifferentialDrive, by one PID loop on the speed of each side.
//
// Takes twists: vx and omega; vy is ignored, since this drive has none. The speed of a side is
// vx - omega y at its first wheel; the speed that it has comes from the odometry, so from the
// wheels' spins. When commands stop coming the vehicle brakes to a stand. (MVSim,
// docs/vehicles.rst, Twist PID Controllers;
// modules/simulator/src/VehicleDynamics/DynamicsDifferential.cpp.)
#include <vector>

#include "vehicle/plugin.h"
#include "vehicle/require.h"
#include "vehicle/speed_control.h"
#include "vehicle/twist_fields.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  NodeSchema out{"TwistPid", "DriveController",
                 "Follows a twist by PID loops on the speeds of both sides of a DifferentialDrive.",
                 initial_twist_fields()};
  for (const FieldSpec& field : speed_control_fields("10")) out.fields.push_back(field);
  return out;
}

class TwistPid final : public DriveController, public KeepsState {
 public:
  TwistPid(const Fields& fields, const Drive& drive)
      : DriveController(drive, initial_twist_from(fields), fields.number("commandTimeout")),
        speed_(unsteered(drive), speed_control_from(fields)),
        yaw_(drive.layout().wheels.size()) {
    drive.steer(0, yaw_);
    check_initial();
  }

  void visit_state(StateArchive& archive) override {
    archive(speed_);
    archive.fixed(yaw_);
  }

 private:
  static const Drive& unsteered(const Drive& drive) {
    require(drive.max_steering() == 0, "the controller TwistPid cannot steer; for this ",
            drive.type(), " use FrontSteerPid");
    return drive;
  }

  std::string refuse(const DriveCommand& command) const override {
    if (std::holds_alternative<Twist>(command)) return "";
    return takes_only("TwistPid", "twists", command);
  }
  DriveCommand stop(const DriveCommand&) const override { return Twist{}; }
  DriveOutput act(const DriveCommand& command, const DriveState& state) override {
    DriveOutput out;
    speed_.step(std::get<Twist>(command), yaw_, state, out.torque);
    return out;
  }
  void forget() override { speed_.reset(); }

  SpeedControl speed_;
  std::vector<double> yaw_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_CONTROLLER_PLUGIN(protobeam::schema(), protobeam::TwistPid)
