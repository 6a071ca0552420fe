// Webots' functions of Altimeter.
#include <webots/altimeter.h>

#include "controller/device_access.h"

namespace {

struct AltimeterAccess : protobeam::controller::Access {
  AltimeterAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Altimeter"}) {}
};

}  // namespace

extern "C" {

void wb_altimeter_enable(WbDeviceTag tag, int sampling_period) {
  AltimeterAccess(__func__, tag).enable(sampling_period);
}
void wb_altimeter_disable(WbDeviceTag tag) { AltimeterAccess(__func__, tag).disable(); }
int wb_altimeter_get_sampling_period(WbDeviceTag tag) {
  return AltimeterAccess(__func__, tag).period();
}
double wb_altimeter_get_value(WbDeviceTag tag) {
  return AltimeterAccess(__func__, tag).value("altitude");
}

}  // extern "C"
