// Webots' functions of LightSensor.
#include <webots/light_sensor.h>

#include "controller/device_access.h"

namespace {

struct LightSensorAccess : protobeam::controller::Access {
  LightSensorAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"LightSensor"}) {}
};

}  // namespace

extern "C" {

void wb_light_sensor_enable(WbDeviceTag tag, int sampling_period) {
  LightSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_light_sensor_disable(WbDeviceTag tag) { LightSensorAccess(__func__, tag).disable(); }
int wb_light_sensor_get_sampling_period(WbDeviceTag tag) {
  return LightSensorAccess(__func__, tag).period();
}
double wb_light_sensor_get_value(WbDeviceTag tag) {
  return LightSensorAccess(__func__, tag).value("value");
}
int wb_light_sensor_get_lookup_table_size(WbDeviceTag tag) {
  return LightSensorAccess(__func__, tag).table_size();
}
const double* wb_light_sensor_get_lookup_table(WbDeviceTag tag) {
  return LightSensorAccess(__func__, tag).table();
}

}  // extern "C"
