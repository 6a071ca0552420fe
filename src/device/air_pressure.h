// What reads a pressure of the air at its altitude: a Barometer, an AirSpeed.
#pragma once

#include <vector>

#include "base/state_archive.h"
#include "device/altitude.h"
#include "device/device_model.h"
#include "device/reading_errors.h"
#include "device/topics.h"
#include "message/sensor_msgs.h"

namespace protobeam {

/// One channel, Pa. The type asks for Input::kGeodetic. ROS has it as sensor_msgs/FluidPressure.
class AirPressureModel : public DeviceModel, public Stateless {
 public:
  /// `name`: the default of that field, as it is written.
  static std::vector<FieldSpec> fields(const char* name) {
    std::vector<FieldSpec> out = {
        {"name", FieldType::kString, name, "", Range::any(), "name for the controller"},
        {"altitudeOffset", FieldType::kFloat, "0", "m", Range::between(-1e5, 1e5),
         "what is added to the altitude of the device"},
    };
    const auto errors = ReadingErrors::fields("Pa");
    out.insert(out.end(), errors.begin(), errors.end());
    return out;
  }

  explicit AirPressureModel(const Fields& fields)
      : altitude_offset_(fields.number("altitudeOffset")), errors_(fields) {}

  void attach(const DeviceContext& context) override { geodetic_ = context.geodetic; }

  void sample(const SampleInput& in, Sample& out) override {
    const double altitude = altitude_of(in.X_WS.p, in, geodetic_) + altitude_offset_;
    out.channel<double>(0)[0] = errors_.apply(pressure(in, altitude), in.noise, 0);
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
  /// Pa, without errors; altitude: m, with the offset.
  virtual double pressure(const SampleInput& in, double altitude) const = 0;

  double altitude_offset_;
  ReadingErrors errors_;
  bool geodetic_ = true;
};

}  // namespace protobeam
