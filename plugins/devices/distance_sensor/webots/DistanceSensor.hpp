#ifndef WEBOTS_DISTANCE_SENSOR_HPP
#define WEBOTS_DISTANCE_SENSOR_HPP

#include <webots/distance_sensor.h>

#include <webots/Device.hpp>

namespace webots {

class DistanceSensor : public Device {
 public:
  enum Type { GENERIC = 0, INFRA_RED, SONAR, LASER };

  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_distance_sensor_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_distance_sensor_disable(tag()); }
  int getSamplingPeriod() const { return wb_distance_sensor_get_sampling_period(tag()); }
  double getValue() const { return wb_distance_sensor_get_value(tag()); }
  double getMinValue() const { return wb_distance_sensor_get_min_value(tag()); }
  double getMaxValue() const { return wb_distance_sensor_get_max_value(tag()); }
  double getAperture() const { return wb_distance_sensor_get_aperture(tag()); }
  Type getType() const { return static_cast<Type>(wb_distance_sensor_get_type(tag())); }
  int getLookupTableSize() const { return wb_distance_sensor_get_lookup_table_size(tag()); }
  const double* getLookupTable() const { return wb_distance_sensor_get_lookup_table(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_DISTANCE_SENSOR_HPP
