// Webots' functions of TouchSensor.
#include <webots/touch_sensor.h>

#include <string>
#include <string_view>

#include "controller/device_access.h"

using protobeam::controller::kNaN;

namespace {

struct TouchSensorAccess : protobeam::controller::Access {
  TouchSensorAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"TouchSensor"}) {}
  /// False, after a complaint, for one that has three values where one is asked for, or the other
  /// way round.
  bool has(bool three, const char* others) const {
    if (!*this || (text("type") == std::string_view("force-3d")) == three) return bool(*this);
    complain("called for '" + (*this)->record.name + "', which has " +
             (three ? "one value" : "three values") + ": use " + others + "()");
    return false;
  }
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
  const TouchSensorAccess sensor(__func__, tag);
  return sensor.has(false, "wb_touch_sensor_get_values") ? sensor.value("values") : kNaN;
}
const double* wb_touch_sensor_get_values(WbDeviceTag tag) {
  const TouchSensorAccess sensor(__func__, tag);
  return sensor.has(true, "wb_touch_sensor_get_value") ? sensor.values("values") : nullptr;
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
