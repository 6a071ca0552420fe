// Webots' functions of PositionSensor.
#include <webots/position_sensor.h>

#include "controller/device_access.h"

namespace {

struct PositionSensorAccess : protobeam::controller::Access {
  PositionSensorAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"PositionSensor"}) {}
};

}  // namespace

extern "C" {

void wb_position_sensor_enable(WbDeviceTag tag, int sampling_period) {
  PositionSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_position_sensor_disable(WbDeviceTag tag) { PositionSensorAccess(__func__, tag).disable(); }
int wb_position_sensor_get_sampling_period(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).period();
}
double wb_position_sensor_get_value(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).value("position");
}
WbJointType wb_position_sensor_get_type(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).number("linear") != 0 ? WB_LINEAR : WB_ROTATIONAL;
}
WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).sibling("Motor");
}
WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag) {
  return PositionSensorAccess(__func__, tag).sibling("Brake");
}

}  // extern "C"
