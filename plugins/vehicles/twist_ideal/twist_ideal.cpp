// TwistIdeal: the vehicle has the commanded twist at once, whatever ground and motors say.
//
// Takes twists. A vehicle that steers turns only as far as its steering allows: its yaw rate is
// limited to vx tan(maxSteeringAngle) / wheelbase. The wheels roll along and push on nothing. When
// commands stop coming the vehicle stands. (MVSim, docs/vehicles.rst, Ideal Controllers.)
#include "vehicle/plugin.h"
#include "vehicle/steering_law.h"
#include "vehicle/twist_fields.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {"TwistIdeal", "DriveController", "Moves the vehicle with the commanded twist at once.",
          initial_twist_fields()};
}

class TwistIdeal final : public DriveController, public Stateless {
 public:
  TwistIdeal(const Fields& fields, const Drive& drive)
      : DriveController(drive, initial_twist_from(fields), fields.number("commandTimeout")) {
    check_initial();
  }

 private:
  std::string refuse(const DriveCommand& command) const override {
    if (std::holds_alternative<Twist>(command)) return "";
    return takes_only("TwistIdeal", "twists", command);
  }
  DriveCommand stop(const DriveCommand&) const override { return Twist{}; }
  DriveOutput act(const DriveCommand& command, const DriveState&) override {
    DriveOutput out;
    Twist twist = std::get<Twist>(command);
    if (drive().max_steering() > 0) {
      const SteeredMotion motion = steered_motion(twist, drive());
      out.steering = motion.steering;
      twist.omega = motion.twist.omega;
    }
    out.imposed = twist;
    return out;
  }
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_CONTROLLER_PLUGIN(protobeam::schema(), protobeam::TwistIdeal)
