// Barometer: the pressure of the air, Pa.
//
// That of the U.S. Standard Atmosphere, 1976, at the altitude of the device's origin: the altitude
// that an Altimeter at the same place reports, taken for that above the sea, plus altitudeOffset.
// Up to 11 km of geopotential height H the air is 0.0065 K colder each metre,
//
//   H = r z / (r + z),  P = P0 ((T0 - L H) / T0)^(g M / (R L)),
//
// above it has one temperature. Wind and weather are not modelled. There is always a value. ROS has
// it as sensor_msgs/FluidPressure. (gz-sensors' air_pressure has the same formula.)
#include <algorithm>

#include "base/libm.h"
#include "device/air_pressure.h"
#include "device/plugin.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  return {
      .node = {"Barometer", "Device", "Pressure of the air.",
               AirPressureModel::fields("\"barometer\"")},
      .channels = {{"pressure", ElementType::kFloat64, {}, "Pa", "", "", "of the air"}},
      .inputs = {Input::kGeodetic},
  };
}

double pressure_at(double altitude) {
  constexpr double kEarthRadius = 6356766, kGravity = 9.80665;         // m, m/s^2
  constexpr double kSeaPressure = 101325, kSeaTemperature = 288.15;    // Pa, K
  constexpr double kLapse = 0.0065, kTropopause = 11000;               // K/m, m
  constexpr double kMolarMass = 28.9644, kGasConstant = 8314.32;       // kg/kmol, N m/(kmol K)
  constexpr double kPerKelvin = kGravity * kMolarMass / kGasConstant;  // K/m
  const double height = kEarthRadius * altitude / (kEarthRadius + altitude);
  const double below = std::min(height, kTropopause);
  const double temperature = kSeaTemperature - kLapse * below;
  const double exponent = kPerKelvin / kLapse * libm::log(temperature / kSeaTemperature) -
                          kPerKelvin * (height - below) / temperature;
  return kSeaPressure * libm::exp(exponent);
}

class Barometer final : public AirPressureModel {
 public:
  using AirPressureModel::AirPressureModel;

 private:
  double pressure(const SampleInput&, double altitude) const override {
    return pressure_at(altitude);
  }
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::Barometer)
