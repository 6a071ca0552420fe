#ifndef WEBOTS_ALTIMETER_HPP
#define WEBOTS_ALTIMETER_HPP

#include <webots/altimeter.h>

#include <webots/Device.hpp>

namespace webots {

class Altimeter : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_altimeter_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_altimeter_disable(tag()); }
  int getSamplingPeriod() const { return wb_altimeter_get_sampling_period(tag()); }
  double getValue() const { return wb_altimeter_get_value(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_ALTIMETER_HPP
