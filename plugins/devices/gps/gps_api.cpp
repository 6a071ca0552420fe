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
/// Whole seconds, and parts towards zero, each with the sign (Webots, src/controller/c/gps.c).
const char* wb_gps_convert_to_degrees_minutes_seconds(double decimal_degrees) {
  if (!(std::abs(decimal_degrees) < 1e9)) return strdup("");
  const int degrees = static_cast<int>(decimal_degrees);
  const int minutes = static_cast<int>((decimal_degrees - degrees) * 60);
  const int seconds = static_cast<int>(((decimal_degrees - degrees) * 60 - minutes) * 60);
  char text[64];
  std::snprintf(text, sizeof text, "%d° %d′ %d″", degrees, minutes, seconds);
  return strdup(text);
}

}  // extern "C"
