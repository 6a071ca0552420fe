#ifndef WEBOTS_TOUCH_SENSOR_HPP
#define WEBOTS_TOUCH_SENSOR_HPP

#include <webots/touch_sensor.h>

#include <webots/Device.hpp>

namespace webots {

class TouchSensor : public Device {
 public:
  enum Type { BUMPER = 0, FORCE, FORCE3D };

  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_touch_sensor_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_touch_sensor_disable(tag()); }
  int getSamplingPeriod() const { return wb_touch_sensor_get_sampling_period(tag()); }
  double getValue() const { return wb_touch_sensor_get_value(tag()); }
  const double* getValues() const { return wb_touch_sensor_get_values(tag()); }
  Type getType() const { return static_cast<Type>(wb_touch_sensor_get_type(tag())); }
  int getLookupTableSize() const { return wb_touch_sensor_get_lookup_table_size(tag()); }
  const double* getLookupTable() const { return wb_touch_sensor_get_lookup_table(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_TOUCH_SENSOR_HPP
