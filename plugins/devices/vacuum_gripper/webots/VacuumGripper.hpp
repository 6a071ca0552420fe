#ifndef WEBOTS_VACUUM_GRIPPER_HPP
#define WEBOTS_VACUUM_GRIPPER_HPP

#include <webots/vacuum_gripper.h>

#include <webots/Device.hpp>

namespace webots {

class VacuumGripper : public Device {
 public:
  using Device::Device;

  virtual void enablePresence(int samplingPeriod) {
    wb_vacuum_gripper_enable_presence(tag(), samplingPeriod);
  }
  virtual void disablePresence() { wb_vacuum_gripper_disable_presence(tag()); }
  int getPresenceSamplingPeriod() const {
    return wb_vacuum_gripper_get_presence_sampling_period(tag());
  }
  bool getPresence() const { return wb_vacuum_gripper_get_presence(tag()); }
  virtual void turnOn() { wb_vacuum_gripper_turn_on(tag()); }
  virtual void turnOff() { wb_vacuum_gripper_turn_off(tag()); }
  bool isOn() const { return wb_vacuum_gripper_is_on(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_VACUUM_GRIPPER_HPP
