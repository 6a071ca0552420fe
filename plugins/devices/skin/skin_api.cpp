// Webots' functions of Skin.
#include <webots/skin.h>

#include "controller/device_access.h"

namespace {

constexpr const char* kNoBones = "it has no bones and is not seen";

struct SkinAccess : protobeam::controller::Access {
  SkinAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Skin"}) {}
};

}  // namespace

extern "C" {

int wb_skin_get_bone_count(WbDeviceTag tag) {
  SkinAccess(__func__, tag).warn_not_simulated(kNoBones);
  return 0;
}
const char* wb_skin_get_bone_name(WbDeviceTag tag, int) {
  SkinAccess(__func__, tag).warn_not_simulated(kNoBones);
  return "";
}
const double* wb_skin_get_bone_orientation(WbDeviceTag tag, int, bool) {
  SkinAccess(__func__, tag).warn_not_simulated(kNoBones);
  return nullptr;
}
const double* wb_skin_get_bone_position(WbDeviceTag tag, int, bool) {
  SkinAccess(__func__, tag).warn_not_simulated(kNoBones);
  return nullptr;
}
void wb_skin_set_bone_orientation(WbDeviceTag tag, int, const double*, bool) {
  SkinAccess(__func__, tag).warn_not_simulated(kNoBones);
}
void wb_skin_set_bone_position(WbDeviceTag tag, int, const double*, bool) {
  SkinAccess(__func__, tag).warn_not_simulated(kNoBones);
}

}  // extern "C"
