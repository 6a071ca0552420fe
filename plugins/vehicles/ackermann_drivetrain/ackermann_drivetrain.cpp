// AckermannDrivetrain: a car with one motor, whose torque differentials share between wheels.
//
// One torque, "drive". Steering and odometry as in AckermannDrive. `drivetrain` says which wheels
// are driven and by which differentials: open ones share by their splits alone; torsen ones give
// less to a side that spins away. With four driven wheels the centre differential compares the sums
// of the spins of both axles. (MVSim, docs/vehicles.rst, Ackermann with Drivetrain;
// modules/simulator/src/VehicleDynamics/DynamicsAckermannDrivetrain.cpp.)
#include <array>
#include <cmath>

#include "vehicle/ackermann.h"
#include "vehicle/plugin.h"
#include "vehicle/require.h"
#include "vehicle/tyre_fields.h"

namespace protobeam {
namespace {

FieldSpec split_field(const char* name, const char* meaning) {
  return {name, FieldType::kFloat, "0.5", "", Range::between(0, 1), meaning};
}

FieldSpec bias_field(const char* name, const char* meaning) {
  return {name, FieldType::kFloat, "1.5", "", Range::at_least(1), meaning};
}

NodeSchema schema() {
  return {
      "AckermannDrivetrain",
      "VehicleDrive",
      "A car with one motor and differentials; wheels: rear left, rear right, front left, front "
      "right.",
      {max_steering_field(),
       {"drivetrain", FieldType::kString, "\"torsen_4wd\"", "", Range::any(),
        "driven wheels and kind of differentials",
        "open_front|open_rear|open_4wd|torsen_front|torsen_rear|torsen_4wd"},
       split_field("frontRearSplit", "share of the torque that goes to the front axle"),
       bias_field("frontRearBias", "bias ratio of the torsen differential between the axles"),
       split_field("frontLeftRightSplit", "share of the front axle's torque that goes left"),
       bias_field("frontLeftRightBias", "bias ratio of the front axle's torsen differential"),
       split_field("rearLeftRightSplit", "share of the rear axle's torque that goes left"),
       bias_field("rearLeftRightBias", "bias ratio of the rear axle's torsen differential")}};
}

class Differential {
 public:
  Differential(const Fields& fields, bool torsen, const char* split, const char* bias)
      : torsen_(torsen), split_(fraction(fields, split)), bias_(fields.number(bias)) {
    require(std::isfinite(bias_) && bias_ >= 1, bias, " must be at least 1, got ", bias_);
  }

  Shares shares(double spin_first, double spin_second) const {
    return torsen_ ? torsen_shares(spin_first, spin_second, bias_, split_) : open_shares(split_);
  }

 private:
  bool torsen_;
  double split_, bias_;
};

class AckermannDrivetrain final : public SteeredDrive {
 public:
  AckermannDrivetrain(const Fields& fields, VehicleLayout layout)
      : AckermannDrivetrain(fields, std::move(layout), fields.string("drivetrain")) {}

  std::string_view type() const override { return "AckermannDrivetrain"; }
  std::span<const TorqueInput> inputs() const override { return kInputs; }

  void distribute(std::span<const double> torque, std::span<const double> spin,
                  std::span<double> wheel_torque) const override {
    const Shares axles = driven_axles(spin);
    const Shares front = front_.shares(spin[kFrontLeft], spin[kFrontRight]);
    const Shares rear = rear_.shares(spin[kRearLeft], spin[kRearRight]);
    wheel_torque[kFrontLeft] = torque[0] * axles.first * front.first;
    wheel_torque[kFrontRight] = torque[0] * axles.first * front.second;
    wheel_torque[kRearLeft] = torque[0] * axles.second * rear.first;
    wheel_torque[kRearRight] = torque[0] * axles.second * rear.second;
  }

 private:
  AckermannDrivetrain(const Fields& fields, VehicleLayout layout, const std::string& drivetrain)
      : SteeredDrive(std::move(layout), fields.number("maxSteeringAngle")),
        drives_front_(!drivetrain.ends_with("_rear")),
        drives_rear_(!drivetrain.ends_with("_front")),
        centre_(fields, torsen(drivetrain), "frontRearSplit", "frontRearBias"),
        front_(fields, torsen(drivetrain), "frontLeftRightSplit", "frontLeftRightBias"),
        rear_(fields, torsen(drivetrain), "rearLeftRightSplit", "rearLeftRightBias") {}

  static bool torsen(const std::string& drivetrain) { return drivetrain.starts_with("torsen"); }

  Shares driven_axles(std::span<const double> spin) const {
    if (!drives_rear_) return {1, 0};
    if (!drives_front_) return {0, 1};
    return centre_.shares(spin[kFrontLeft] + spin[kFrontRight], spin[kRearLeft] + spin[kRearRight]);
  }

  static constexpr std::array<TorqueInput, 1> kInputs = {{{"drive", -1}}};
  bool drives_front_, drives_rear_;
  Differential centre_, front_, rear_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DRIVE_PLUGIN(protobeam::schema(), protobeam::AckermannDrivetrain)
