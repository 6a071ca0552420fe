// DifferentialDrive: a left and a right side that are driven on their own; nothing steers.
//
// Two torques, left and right. Wheels, in this order:
//   2  left, right
//   3  left, right, caster. The caster is a wheel without motor; it does not swivel, so that it
//      resists turning by what its tyre holds sideways.
//   4  rear left, rear right, front left, front right. Each wheel of a side gets the full torque of
//      its side.
// The odometry looks at the first two. (MVSim, docs/vehicles.rst, Differential Drive;
// modules/simulator/src/VehicleDynamics/DynamicsDifferential.cpp.)
#include <array>

#include "vehicle/plugin.h"
#include "vehicle/require.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {"DifferentialDrive",
          "VehicleDrive",
          "Two driven sides without steering; wheels: left, right; left, right, caster; or rear "
          "left, rear right, front left, front right.",
          {}};
}

class DifferentialDrive final : public Drive {
 public:
  DifferentialDrive(const Fields&, VehicleLayout layout) : Drive(std::move(layout)) {
    const std::size_t count = this->layout().wheels.size();
    require(count >= 2 && count <= 4, "wheels of a DifferentialDrive must be 2, 3 or 4, got ",
            count);
    require_pair(0, 1);
    if (count == 4) require_pair(2, 3);
  }

  std::string_view type() const override { return "DifferentialDrive"; }
  std::span<const TorqueInput> inputs() const override { return kInputs; }

  void distribute(std::span<const double> torque, std::span<const double>,
                  std::span<double> wheel_torque) const override {
    for (std::size_t i = 0; i < wheel_torque.size(); ++i) wheel_torque[i] = torque[i % 2];
    if (wheel_torque.size() == 3) wheel_torque[2] = 0;
  }

 private:
  static constexpr std::array<TorqueInput, 2> kInputs = {{{"left", 0}, {"right", 1}}};
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DRIVE_PLUGIN(protobeam::schema(), protobeam::DifferentialDrive)
