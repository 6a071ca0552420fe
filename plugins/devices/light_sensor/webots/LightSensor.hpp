#ifndef WEBOTS_LIGHT_SENSOR_HPP
#define WEBOTS_LIGHT_SENSOR_HPP

#include <webots/light_sensor.h>

#include <webots/Device.hpp>

namespace webots {

class LightSensor : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_light_sensor_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_light_sensor_disable(tag()); }
  int getSamplingPeriod() const { return wb_light_sensor_get_sampling_period(tag()); }
  double getValue() const { return wb_light_sensor_get_value(tag()); }
  int getLookupTableSize() const { return wb_light_sensor_get_lookup_table_size(tag()); }
  const double* getLookupTable() const { return wb_light_sensor_get_lookup_table(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_LIGHT_SENSOR_HPP
