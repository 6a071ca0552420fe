#ifndef WEBOTS_ACCELEROMETER_HPP
#define WEBOTS_ACCELEROMETER_HPP

#include <webots/accelerometer.h>

#include <webots/Device.hpp>

namespace webots {

class Accelerometer : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_accelerometer_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_accelerometer_disable(tag()); }
  int getSamplingPeriod() const { return wb_accelerometer_get_sampling_period(tag()); }
  const double* getValues() const { return wb_accelerometer_get_values(tag()); }
  int getLookupTableSize() const { return wb_accelerometer_get_lookup_table_size(tag()); }
  const double* getLookupTable() const { return wb_accelerometer_get_lookup_table(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_ACCELEROMETER_HPP
