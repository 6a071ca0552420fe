// RawControl: set-points of torque go to the motors as they are, and a steering angle to the
// steering. Takes torque set-points only.
//
// When commands stop coming the torques are zero and the steering stays: the vehicle rolls out.
// (MVSim, docs/vehicles.rst, Raw Controllers. There, negative torque drives forward; here,
// positive.)
#include <algorithm>
#include <sstream>

#include "vehicle/plugin.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  using enum FieldType;
  return {"RawControl",
          "DriveController",
          "Torques and steering angle as they are commanded, for any drive.",
          {{"maxTorque", kFloat, "-1", "N m", Range::positive().or_special(-1),
            "of each torque: commands beyond are cut; what the throttle of wbu_driver_* is a share "
            "of; -1: no limit"},
           {"torque", kMFFloat, "[ ]", "N m", Range::any(),
            "until the first command: one for each torque that the drive takes, forward positive; "
            "empty: none"},
           {"steering", kFloat, "0", "rad", Range::any(),
            "until the first command: angle of the central steering, left positive"}}};
}

class RawControl final : public DriveController, public Stateless {
 public:
  RawControl(const Fields& fields, const Drive& drive)
      : DriveController(drive, initial(fields, drive), fields.number("commandTimeout")),
        max_torque_(fields.number("maxTorque")) {
    check_initial();
  }

 private:
  static TorqueCommand initial(const Fields& fields, const Drive& drive) {
    TorqueCommand command{fields.numbers("torque"), fields.number("steering")};
    if (command.torque.empty()) command.torque.assign(drive.inputs().size(), 0.0);
    return command;
  }

  std::string refuse(const DriveCommand& command) const override {
    const auto* raw = std::get_if<TorqueCommand>(&command);
    if (!raw) return takes_only("RawControl", "torque set-points", command);
    const auto inputs = drive().inputs();
    if (raw->torque.size() != inputs.size()) {
      std::ostringstream out;
      out << "torque has " << raw->torque.size() << " values; " << drive().type() << " takes "
          << inputs.size() << ":";
      for (const TorqueInput& input : inputs) {
        out << (&input == &inputs.front() ? " " : ", ") << input.name;
      }
      return out.str();
    }
    if (raw->steering != 0 && drive().max_steering() == 0) {
      return text_of("steering must be 0, got ", raw->steering, " rad: a ", drive().type(),
                     " does not steer");
    }
    return "";
  }

  DriveCommand stop(const DriveCommand& last) const override {
    TorqueCommand out = std::get<TorqueCommand>(last);
    std::fill(out.torque.begin(), out.torque.end(), 0.0);
    return out;
  }

  DriveOutput act(const DriveCommand& command, const DriveState&) override {
    const auto& raw = std::get<TorqueCommand>(command);
    DriveOutput out;
    std::transform(raw.torque.begin(), raw.torque.end(), out.torque.begin(), [&](double torque) {
      return max_torque_ > 0 ? std::clamp(torque, -max_torque_, max_torque_) : torque;
    });
    out.steering = raw.steering;
    return out;
  }

  double max_torque_;  // N m; -1: no limit
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_CONTROLLER_PLUGIN(protobeam::schema(), protobeam::RawControl)
