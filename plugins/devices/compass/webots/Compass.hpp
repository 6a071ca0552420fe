#ifndef WEBOTS_COMPASS_HPP
#define WEBOTS_COMPASS_HPP

#include <webots/compass.h>

#include <webots/Device.hpp>

namespace webots {

class Compass : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_compass_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_compass_disable(tag()); }
  int getSamplingPeriod() const { return wb_compass_get_sampling_period(tag()); }
  const double* getValues() const { return wb_compass_get_values(tag()); }
  int getLookupTableSize() const { return wb_compass_get_lookup_table_size(tag()); }
  const double* getLookupTable() const { return wb_compass_get_lookup_table(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_COMPASS_HPP
