// Webots' functions of Brake.
#include <webots/brake.h>

#include "controller/device_access.h"

namespace {

struct Brake : protobeam::controller::Access {
  Brake(const char* function, WbDeviceTag tag) : Access(function, tag, {"Brake"}) {}
};

}  // namespace

extern "C" {

void wb_brake_set_damping_constant(WbDeviceTag tag, double damping_constant) {
  Brake(__func__, tag).command("damping", {damping_constant});
}
WbJointType wb_brake_get_type(WbDeviceTag tag) {
  return Brake(__func__, tag).number("linear") != 0 ? WB_LINEAR : WB_ROTATIONAL;
}
WbDeviceTag wb_brake_get_motor(WbDeviceTag tag) { return Brake(__func__, tag).sibling("Motor"); }
WbDeviceTag wb_brake_get_position_sensor(WbDeviceTag tag) {
  return Brake(__func__, tag).sibling("PositionSensor");
}

}  // extern "C"
