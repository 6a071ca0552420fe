// Webots' functions of Compass.
#include <webots/compass.h>

#include "controller/device_access.h"

namespace {

struct CompassAccess : protobeam::controller::Access {
  CompassAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Compass"}) {}
};

}  // namespace

extern "C" {

void wb_compass_enable(WbDeviceTag tag, int sampling_period) {
  CompassAccess(__func__, tag).enable(sampling_period);
}
void wb_compass_disable(WbDeviceTag tag) { CompassAccess(__func__, tag).disable(); }
int wb_compass_get_sampling_period(WbDeviceTag tag) {
  return CompassAccess(__func__, tag).period();
}
const double* wb_compass_get_values(WbDeviceTag tag) {
  return CompassAccess(__func__, tag).values("north");
}
int wb_compass_get_lookup_table_size(WbDeviceTag tag) {
  return CompassAccess(__func__, tag).table_size();
}
const double* wb_compass_get_lookup_table(WbDeviceTag tag) {
  return CompassAccess(__func__, tag).table();
}

}  // extern "C"
