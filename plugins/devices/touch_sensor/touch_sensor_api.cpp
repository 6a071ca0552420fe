// Webots' functions of TouchSensor.
#include <webots/touch_sensor.h>

#include "controller/device_access.h"

namespace {

struct TouchSensorAccess : protobeam::controller::Access {
  TouchSensorAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"TouchSensor"}) {}
};

}  // namespace

extern "C" {

void wb_touch_sensor_enable(WbDeviceTag tag, int sampling_period) {
  TouchSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_touch_sensor_disable(WbDeviceTag tag) { TouchSensorAccess(__func__, tag).disable(); }
int wb_touch_sensor_get_sampling_period(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).period();
}
double wb_touch_sensor_get_value(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).value("values");
}
const double* wb_touch_sensor_get_values(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).values("values");
}
WbTouchSensorType wb_touch_sensor_get_type(WbDeviceTag tag) {
  return static_cast<WbTouchSensorType>(
      TouchSensorAccess(__func__, tag).choice("type", {"bumper", "force", "force-3d"}));
}
int wb_touch_sensor_get_lookup_table_size(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).table_size();
}
const double* wb_touch_sensor_get_lookup_table(WbDeviceTag tag) {
  return TouchSensorAccess(__func__, tag).table();
}

}  // extern "C"
