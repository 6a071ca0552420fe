// AckermannDrive: a car whose two front wheels steer and have a motor each; the rear wheels roll
// freely.
//
// Two torques, front left and front right. The steering angle is that of one wheel in the middle of
// the front axle; it is limited, and taken at once. The odometry looks at the rear wheels. (MVSim,
// docs/vehicles.rst, Ackermann Steering;
// modules/simulator/src/VehicleDynamics/DynamicsAckermann.cpp.)
#include <algorithm>
#include <array>

#include "vehicle/plugin.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {"AckermannDrive",
          "VehicleDrive",
          "A car with a motor in each steered front wheel; wheels: rear left, rear right, front "
          "left, front right.",
          {max_steering_field()}};
}

class AckermannDrive final : public SteeredDrive {
 public:
  AckermannDrive(const Fields& fields, VehicleLayout layout)
      : SteeredDrive(std::move(layout), fields.number("maxSteeringAngle")) {}

  std::string_view type() const override { return "AckermannDrive"; }
  std::span<const TorqueInput> inputs() const override { return kInputs; }

  void distribute(std::span<const double> torque, std::span<const double>,
                  std::span<double> wheel_torque) const override {
    std::fill(wheel_torque.begin(), wheel_torque.end(), 0.0);
    wheel_torque[kFrontLeft] = torque[0];
    wheel_torque[kFrontRight] = torque[1];
  }

 private:
  static constexpr std::array<TorqueInput, 2> kInputs = {
      {{"front left", kFrontLeft}, {"front right", kFrontRight}}};
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DRIVE_PLUGIN(protobeam::schema(), protobeam::AckermannDrive)
