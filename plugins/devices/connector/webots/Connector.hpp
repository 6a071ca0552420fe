#ifndef WEBOTS_CONNECTOR_HPP
#define WEBOTS_CONNECTOR_HPP

#include <webots/connector.h>

#include <webots/Device.hpp>

namespace webots {

class Connector : public Device {
 public:
  using Device::Device;

  virtual void enablePresence(int samplingPeriod) {
    wb_connector_enable_presence(tag(), samplingPeriod);
  }
  virtual void disablePresence() { wb_connector_disable_presence(tag()); }
  int getPresenceSamplingPeriod() const { return wb_connector_get_presence_sampling_period(tag()); }
  int getPresence() const { return wb_connector_get_presence(tag()); }
  virtual void lock() { wb_connector_lock(tag()); }
  virtual void unlock() { wb_connector_unlock(tag()); }
  bool isLocked() const { return wb_connector_is_locked(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_CONNECTOR_HPP
