// Webots' functions of DistanceSensor.
#include <webots/distance_sensor.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "controller/device_access.h"

namespace {

struct DistanceSensorAccess : protobeam::controller::Access {
  DistanceSensorAccess(const char* function, WbDeviceTag tag)
      : Access(function, tag, {"DistanceSensor"}) {}
};

/// Least and greatest value (the second number) of the lookup table.
std::pair<double, double> extent(const DistanceSensorAccess& sensor) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::pair<double, double> range{kInfinity, -kInfinity};
  for (int i = 0; i < sensor.table_size(); ++i) {
    const double value = sensor.table()[3 * i + 1];
    range = {std::min(range.first, value), std::max(range.second, value)};
  }
  // Without a table the value is the distance itself.
  return sensor.table_size() > 0 ? range : std::pair{0.0, kInfinity};
}

}  // namespace

extern "C" {

void wb_distance_sensor_enable(WbDeviceTag tag, int sampling_period) {
  DistanceSensorAccess(__func__, tag).enable(sampling_period);
}
void wb_distance_sensor_disable(WbDeviceTag tag) { DistanceSensorAccess(__func__, tag).disable(); }
int wb_distance_sensor_get_sampling_period(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).period();
}
double wb_distance_sensor_get_value(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).value("value");
}
double wb_distance_sensor_get_min_value(WbDeviceTag tag) {
  const DistanceSensorAccess sensor(__func__, tag);
  return sensor ? extent(sensor).first : protobeam::controller::kNaN;
}
double wb_distance_sensor_get_max_value(WbDeviceTag tag) {
  const DistanceSensorAccess sensor(__func__, tag);
  return sensor ? extent(sensor).second : protobeam::controller::kNaN;
}
double wb_distance_sensor_get_aperture(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).fact("aperture");
}
WbDistanceSensorType wb_distance_sensor_get_type(WbDeviceTag tag) {
  return static_cast<WbDistanceSensorType>(
      DistanceSensorAccess(__func__, tag)
          .choice("type", {"generic", "infra-red", "sonar", "laser"}));
}
int wb_distance_sensor_get_lookup_table_size(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).table_size();
}
const double* wb_distance_sensor_get_lookup_table(WbDeviceTag tag) {
  return DistanceSensorAccess(__func__, tag).table();
}

}  // extern "C"
