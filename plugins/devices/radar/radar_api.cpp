// Webots' functions of Radar.
#include <webots/radar.h>

#include <string>

#include "controller/device_access.h"

namespace {

struct RadarAccess : protobeam::controller::Access {
  RadarAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Radar"}) {}
};

}  // namespace

extern "C" {

void wb_radar_enable(WbDeviceTag tag, int sampling_period) {
  RadarAccess(__func__, tag).enable(sampling_period);
}
void wb_radar_disable(WbDeviceTag tag) { RadarAccess(__func__, tag).disable(); }
int wb_radar_get_sampling_period(WbDeviceTag tag) { return RadarAccess(__func__, tag).period(); }
int wb_radar_get_number_of_targets(WbDeviceTag tag) {
  const auto count = RadarAccess(__func__, tag).channel<std::int32_t>("count");
  return count.empty() ? 0 : count[0];
}
const WbRadarTarget* wb_radar_get_targets(WbDeviceTag tag) {
  const auto targets = RadarAccess(__func__, tag).channel<WbRadarTarget>("targets");
  return targets.empty() ? nullptr : targets.data();
}
const WbRadarTarget* wb_radar_get_target(WbDeviceTag tag, int index) {
  const int count = wb_radar_get_number_of_targets(tag);
  if (index >= 0 && index < count) return wb_radar_get_targets(tag) + index;
  protobeam::controller::complain(__func__, "called with target " + std::to_string(index) +
                                                " of " + std::to_string(count) +
                                                ", counted from 0");
  return nullptr;
}
double wb_radar_get_min_range(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).number("minRange");
}
double wb_radar_get_max_range(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).number("maxRange");
}
double wb_radar_get_horizontal_fov(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).number("horizontalFieldOfView");
}
double wb_radar_get_vertical_fov(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).number("verticalFieldOfView");
}

}  // extern "C"
