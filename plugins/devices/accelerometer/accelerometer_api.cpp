// Webots' functions of Accelerometer.
#include <webots/accelerometer.h>

#include "controller/device_access.h"

namespace {

struct AccelerometerAccess : protobeam::controller::Access {
  AccelerometerAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"Accelerometer"}) {}
};

}  // namespace

extern "C" {

void wb_accelerometer_enable(WbDeviceTag tag, int sampling_period) {
  AccelerometerAccess(__func__, tag).enable(sampling_period);
}
void wb_accelerometer_disable(WbDeviceTag tag) { AccelerometerAccess(__func__, tag).disable(); }
int wb_accelerometer_get_sampling_period(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).period();
}
const double* wb_accelerometer_get_values(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).values("acceleration");
}
int wb_accelerometer_get_lookup_table_size(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).table_size();
}
const double* wb_accelerometer_get_lookup_table(WbDeviceTag tag) {
  return AccelerometerAccess(__func__, tag).table();
}

}  // extern "C"
