// Webots' functions of LED.
#include <webots/led.h>

#include "controller/device_access.h"

namespace {

struct Lamp : protobeam::controller::Access {
  Lamp(const char* function, WbDeviceTag tag) : Access(function, tag, {"LED"}) {}
};

}  // namespace

extern "C" {

void wb_led_set(WbDeviceTag tag, int value) {
  const Lamp lamp(__func__, tag);
  if (lamp && lamp.command("set", {static_cast<double>(value)})) {
    lamp.state<int>([] { return 0; }) = value;
  }
}
int wb_led_get(WbDeviceTag tag) {
  const Lamp lamp(__func__, tag);
  return lamp ? lamp.state<int>([] { return 0; }) : 0;
}

}  // extern "C"
