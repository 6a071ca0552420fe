// AirSpeed: a pitot tube along the device's x axis, Pa.
//
// It measures the difference of total and static pressure, rho v |v| / 2 of the velocity v along x:
// negative where the air comes from behind. The air is at rest. Its density is that of the U.S.
// Standard Atmosphere, 1976, at the altitude of the device's origin (as an Altimeter reports it,
// plus altitudeOffset), up to 11 km of which it changes:
//
//   rho = rho0 ((T0 - L h) / T0)^(g M / (R L) - 1)
//
// There is always a value. ROS has it as sensor_msgs/FluidPressure. (gz-sensors' air_speed has the
// same formula.)
#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "device/air_pressure.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"AirSpeed", "Device", "Pressure of the air that meets a pitot tube.",
               AirPressureModel::fields("\"air speed\"")},
      .channels = {{"pressure",
                    ElementType::kFloat64,
                    {},
                    "Pa",
                    "",
                    "",
                    "of the air along x, over that at rest"}},
      .inputs = {Input::kGeodetic, Input::kMotion},
  };
}

double density_at(double altitude) {
  constexpr double kSeaDensity = 1.225, kSeaTemperature = 288.15;  // kg/m^3, K
  constexpr double kLapse = 0.0065, kTropopause = 11000;           // K/m, m
  constexpr double kExponent = 4.256;
  const double colder = kLapse * std::min(altitude, kTropopause);
  return kSeaDensity * libm::pow((kSeaTemperature - colder) / kSeaTemperature, kExponent);
}

class AirSpeed final : public AirPressureModel {
 public:
  using AirPressureModel::AirPressureModel;

 private:
  double pressure(const SampleInput& in, double altitude) const override {
    const double ahead = (in.X_WS.R.conjugate() * in.v_WS).x();
    return 0.5 * density_at(altitude) * ahead * std::abs(ahead);
  }
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::AirSpeed)
