#ifndef WEBOTS_DISTANCE_SENSOR_H
#define WEBOTS_DISTANCE_SENSOR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  WB_DISTANCE_SENSOR_GENERIC = 0,
  WB_DISTANCE_SENSOR_INFRA_RED = 1,
  WB_DISTANCE_SENSOR_SONAR = 2,
  WB_DISTANCE_SENSOR_LASER = 3
} WbDistanceSensorType;

void wb_distance_sensor_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_distance_sensor_disable(WbDeviceTag tag);
int wb_distance_sensor_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
double wb_distance_sensor_get_value(WbDeviceTag tag);        /* in the values of the lookup table */
double wb_distance_sensor_get_min_value(WbDeviceTag tag);
double wb_distance_sensor_get_max_value(WbDeviceTag tag);
double wb_distance_sensor_get_aperture(WbDeviceTag tag); /* rad */
WbDistanceSensorType wb_distance_sensor_get_type(WbDeviceTag tag);

/* Triples of input, value and noise; the size counts triples. */
int wb_distance_sensor_get_lookup_table_size(WbDeviceTag tag);
const double* wb_distance_sensor_get_lookup_table(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_DISTANCE_SENSOR_H */
