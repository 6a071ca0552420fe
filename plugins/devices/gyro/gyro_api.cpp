// Webots' functions of Gyro.
#include <webots/gyro.h>

#include "controller/device_access.h"

namespace {

struct GyroAccess : protobeam::controller::Access {
  GyroAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Gyro"}) {}
};

}  // namespace

extern "C" {

void wb_gyro_enable(WbDeviceTag tag, int sampling_period) {
  GyroAccess(__func__, tag).enable(sampling_period);
}
void wb_gyro_disable(WbDeviceTag tag) { GyroAccess(__func__, tag).disable(); }
int wb_gyro_get_sampling_period(WbDeviceTag tag) { return GyroAccess(__func__, tag).period(); }
const double* wb_gyro_get_values(WbDeviceTag tag) {
  return GyroAccess(__func__, tag).values("angular_velocity");
}
int wb_gyro_get_lookup_table_size(WbDeviceTag tag) {
  return GyroAccess(__func__, tag).table_size();
}
const double* wb_gyro_get_lookup_table(WbDeviceTag tag) {
  return GyroAccess(__func__, tag).table();
}

}  // extern "C"
