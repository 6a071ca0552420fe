#ifndef WEBOTS_INERTIAL_UNIT_HPP
#define WEBOTS_INERTIAL_UNIT_HPP

#include <webots/inertial_unit.h>

#include <webots/Device.hpp>

namespace webots {

class InertialUnit : public Device {
 public:
  using Device::Device;

  virtual void enable(int samplingPeriod) { wb_inertial_unit_enable(tag(), samplingPeriod); }
  virtual void disable() { wb_inertial_unit_disable(tag()); }
  int getSamplingPeriod() const { return wb_inertial_unit_get_sampling_period(tag()); }
  const double* getRollPitchYaw() const { return wb_inertial_unit_get_roll_pitch_yaw(tag()); }
  const double* getQuaternion() const { return wb_inertial_unit_get_quaternion(tag()); }
  double getNoise() const { return wb_inertial_unit_get_noise(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_INERTIAL_UNIT_HPP
