// Webots' functions of InertialUnit.
#include <webots/inertial_unit.h>

#include "controller/device_access.h"

namespace {

struct InertialUnitAccess : protobeam::controller::Access {
  InertialUnitAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"InertialUnit"}) {}
};

}  // namespace

extern "C" {

void wb_inertial_unit_enable(WbDeviceTag tag, int sampling_period) {
  InertialUnitAccess(__func__, tag).enable(sampling_period);
}
void wb_inertial_unit_disable(WbDeviceTag tag) { InertialUnitAccess(__func__, tag).disable(); }
int wb_inertial_unit_get_sampling_period(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).period();
}
const double* wb_inertial_unit_get_roll_pitch_yaw(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).values("roll_pitch_yaw");
}
const double* wb_inertial_unit_get_quaternion(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).values("quaternion");
}
double wb_inertial_unit_get_noise(WbDeviceTag tag) {
  return InertialUnitAccess(__func__, tag).fact("noise");
}

}  // extern "C"
