#ifndef PROTOBEAM_SENSOR_HPP
#define PROTOBEAM_SENSOR_HPP

#include <protobeam/sensor.h>

#include <webots/Device.hpp>

namespace protobeam {

class Sensor : public webots::Device {
 public:
  using webots::Device::Device;

  virtual void enable(int samplingPeriod) { pb_sensor_enable(tag(), samplingPeriod); }
  virtual void disable() { pb_sensor_disable(tag()); }
  int getSamplingPeriod() const { return pb_sensor_get_sampling_period(tag()); }
  const double* getValues() const { return pb_sensor_get_values(tag(), nullptr); }
  /// How many values a sample has.
  int getSize() const {
    int count = 0;
    pb_sensor_get_values(tag(), &count);
    return count;
  }
};

}  // namespace protobeam

#endif  // PROTOBEAM_SENSOR_HPP
