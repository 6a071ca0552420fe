// Webots' functions of Radar.
#include <webots/radar.h>

#include <cstdint>
#include <span>
#include <string>

#include "controller/device_access.h"

namespace {

struct RadarAccess : protobeam::controller::Access {
  RadarAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"Radar"}) {}

  /// What the radar has seen last; a disabled one keeps it, with a complaint, as in Webots.
  std::span<const WbRadarTarget> targets() const {
    if (!*this) return {};
    enabled();
    const auto count = kept<std::int32_t>("count");
    return kept<WbRadarTarget>("targets").first(count.empty() ? 0
                                                              : static_cast<std::size_t>(count[0]));
  }
};

}  // namespace

extern "C" {

void wb_radar_enable(WbDeviceTag tag, int sampling_period) {
  RadarAccess(__func__, tag).enable(sampling_period);
}
void wb_radar_disable(WbDeviceTag tag) { RadarAccess(__func__, tag).disable(); }
int wb_radar_get_sampling_period(WbDeviceTag tag) { return RadarAccess(__func__, tag).period(); }
int wb_radar_get_number_of_targets(WbDeviceTag tag) {
  return static_cast<int>(RadarAccess(__func__, tag).targets().size());
}
const WbRadarTarget* wb_radar_get_targets(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).targets().data();
}
const WbRadarTarget* wb_radar_get_target(WbDeviceTag tag, int index) {
  const RadarAccess radar(__func__, tag);
  if (!radar) return nullptr;
  const auto targets = radar.targets();
  if (index >= 0 && static_cast<std::size_t>(index) < targets.size()) {
    return &targets[static_cast<std::size_t>(index)];
  }
  radar.complain("called with target " + std::to_string(index) + " of " +
                 std::to_string(targets.size()) + ", counted from 0");
  return nullptr;
}
double wb_radar_get_min_range(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).fact("minRange");
}
double wb_radar_get_max_range(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).fact("maxRange");
}
double wb_radar_get_horizontal_fov(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).fact("horizontalFieldOfView");
}
double wb_radar_get_vertical_fov(WbDeviceTag tag) {
  return RadarAccess(__func__, tag).fact("verticalFieldOfView");
}

}  // extern "C"
