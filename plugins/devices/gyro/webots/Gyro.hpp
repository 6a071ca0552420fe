#ifndef WEBOTS_GYRO_HPP
#define WEBOTS_GYRO_HPP

#include <webots/gyro.h>

#include <webots/Device.hpp>

namespace webots {

class Gyro : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_gyro_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_gyro_disable(tag()); }
  int getSamplingPeriod() const { return wb_gyro_get_sampling_period(tag()); }
  const double* getValues() const { return wb_gyro_get_values(tag()); }
  int getLookupTableSize() const { return wb_gyro_get_lookup_table_size(tag()); }
  const double* getLookupTable() const { return wb_gyro_get_lookup_table(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_GYRO_HPP
