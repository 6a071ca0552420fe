// Webots' functions of GPS.
#include <webots/gps.h>

#include <cmath>
#include <cstdio>
#include <cstring>

#include "controller/device_access.h"

namespace {

struct GPSAccess : protobeam::controller::Access {
  GPSAccess(const char* function, WbDeviceTag tag) : Access(function, tag, {"GPS"}) {}
};

}  // namespace

extern "C" {

void wb_gps_enable(WbDeviceTag tag, int sampling_period) {
  GPSAccess(__func__, tag).enable(sampling_period);
}
void wb_gps_disable(WbDeviceTag tag) { GPSAccess(__func__, tag).disable(); }
int wb_gps_get_sampling_period(WbDeviceTag tag) { return GPSAccess(__func__, tag).period(); }
const double* wb_gps_get_values(WbDeviceTag tag) {
  return GPSAccess(__func__, tag).values("position");
}
double wb_gps_get_speed(WbDeviceTag tag) { return GPSAccess(__func__, tag).value("speed"); }
const double* wb_gps_get_speed_vector(WbDeviceTag tag) {
  return GPSAccess(__func__, tag).values("velocity");
}
WbGpsCoordinateSystem wb_gps_get_coordinate_system(WbDeviceTag tag) {
  const bool geodetic =
      GPSAccess(__func__, tag).choice("coordinateSystem", {"local", "WGS84"}) == 1;
  return geodetic ? WB_GPS_WGS84_COORDINATE : WB_GPS_LOCAL_COORDINATE;
}
const char* wb_gps_convert_to_degrees_minutes_seconds(double decimal_degrees) {
  char text[64];
  // To hundredths of a second first, so that no 60 appears.
  const double hundredths = std::round(std::abs(decimal_degrees) * 360000);
  if (!(hundredths < 1e15)) return strdup("");
  const auto total = static_cast<long long>(hundredths);
  std::snprintf(text, sizeof text, "%s%lld° %02lld′ %05.2f″",
                decimal_degrees < 0 && total > 0 ? "-" : "", total / 360000, total / 6000 % 60,
                static_cast<double>(total % 6000) / 100);
  return strdup(text);
}

}  // extern "C"
