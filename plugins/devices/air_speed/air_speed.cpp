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
#include "base/state_archive.h"
#include "device/altitude.h"
#include "device/plugin.h"
#include "device/reading_errors.h"
#include "message/sensor_msgs.h"

namespace protobeam {
namespace {

DeviceType declaration() {
  std::vector<FieldSpec> fields = {
      {"name", FieldType::kString, "\"air speed\"", "", Range::any(), "name for the controller"},
      {"altitudeOffset", FieldType::kFloat, "0", "m", Range::between(-1e5, 1e5),
       "what is added to the altitude of the device"},
  };
  const auto errors = ReadingErrors::fields("Pa");
  fields.insert(fields.end(), errors.begin(), errors.end());
  return {
      .node = {"AirSpeed", "Device", "Pressure of the air that meets a pitot tube.",
               std::move(fields)},
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

class AirSpeed final : public DeviceModel, public Stateless {
 public:
  explicit AirSpeed(const Fields& fields)
      : altitude_offset_(fields.number("altitudeOffset")), errors_(fields) {}

  void attach(const DeviceContext& context) override { geodetic_ = context.geodetic; }

  void sample(const SampleInput& in, Sample& out) override {
    const double altitude = altitude_of(in.X_WS.p, in, geodetic_) + altitude_offset_;
    const double ahead = (in.X_WS.R.conjugate() * in.v_WS).x();
    const double pressure = 0.5 * density_at(altitude) * ahead * std::abs(ahead);
    out.channel<double>(0)[0] = errors_.apply(pressure, in.noise, 0);
  }

  std::vector<DeviceTopic> topics(const TopicRequest&) const override {
    return {topic_of<message::FluidPressure>("pressure", "", [this](const TopicInput& in) {
      message::FluidPressure out;
      out.header = in.header;
      out.fluid_pressure = channel<double>(in.data, 0)[0];
      out.variance = errors_.variance();
      return out;
    })};
  }

 private:
  double altitude_offset_;
  ReadingErrors errors_;
  bool geodetic_ = true;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_DEVICE_PLUGIN(protobeam::declaration(), protobeam::AirSpeed)
