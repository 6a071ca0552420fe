#ifndef WEBOTS_LED_HPP
#define WEBOTS_LED_HPP

#include <webots/led.h>

#include <webots/Device.hpp>

namespace webots {

class LED : public Device {
 public:
  using Device::Device;

  virtual void set(int value) { wb_led_set(tag(), value); }
  int get() const { return wb_led_get(tag()); }
};

}  // namespace webots

#endif  // WEBOTS_LED_HPP
