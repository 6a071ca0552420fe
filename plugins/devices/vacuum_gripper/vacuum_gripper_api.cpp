// Webots' functions of VacuumGripper.
#include <webots/vacuum_gripper.h>

#include <cstdint>

#include "controller/device_access.h"

namespace {

struct Gripper : protobeam::controller::Access {
  Gripper(const char* function, WbDeviceTag tag) : Access(function, tag, {"VacuumGripper"}) {}

  /// What the program has asked for last.
  bool& on() const {
    return state<bool>([this] { return number("isOn") != 0; });
  }
  void turn(bool on) const {
    if (*this && command(on ? "on" : "off")) this->on() = on;
  }
};

}  // namespace

extern "C" {

void wb_vacuum_gripper_enable_presence(WbDeviceTag tag, int sampling_period) {
  Gripper(__func__, tag).enable(sampling_period);
}
void wb_vacuum_gripper_disable_presence(WbDeviceTag tag) { Gripper(__func__, tag).disable(); }
int wb_vacuum_gripper_get_presence_sampling_period(WbDeviceTag tag) {
  return Gripper(__func__, tag).period();
}
bool wb_vacuum_gripper_get_presence(WbDeviceTag tag) {
  const Gripper gripper(__func__, tag);
  gripper.enabled();  // a disabled one complains and keeps the last value, as in Webots
  const auto presence = gripper.kept<std::int32_t>("presence");
  return !presence.empty() && presence[0] == 1;
}
void wb_vacuum_gripper_turn_on(WbDeviceTag tag) { Gripper(__func__, tag).turn(true); }
void wb_vacuum_gripper_turn_off(WbDeviceTag tag) { Gripper(__func__, tag).turn(false); }
bool wb_vacuum_gripper_is_on(WbDeviceTag tag) {
  const Gripper gripper(__func__, tag);
  return gripper && gripper.on();
}

}  // extern "C"
