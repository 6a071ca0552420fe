#ifndef WEBOTS_GPS_H
#define WEBOTS_GPS_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { WB_GPS_LOCAL_COORDINATE = 0, WB_GPS_WGS84_COORDINATE = 1 } WbGpsCoordinateSystem;

void wb_gps_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_gps_disable(WbDeviceTag tag);
int wb_gps_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
/* Three: x, y, z in metres, or latitude, longitude in degrees and altitude. */
const double* wb_gps_get_values(WbDeviceTag tag);
double wb_gps_get_speed(WbDeviceTag tag);               /* m/s */
const double* wb_gps_get_speed_vector(WbDeviceTag tag); /* three: m/s in the world */
WbGpsCoordinateSystem wb_gps_get_coordinate_system(WbDeviceTag tag);
/* To be freed by the caller. */
const char* wb_gps_convert_to_degrees_minutes_seconds(double decimal_degrees);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_GPS_H */
