#ifndef WEBOTS_LIGHT_SENSOR_H
#define WEBOTS_LIGHT_SENSOR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_light_sensor_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_light_sensor_disable(WbDeviceTag tag);
int wb_light_sensor_get_sampling_period(WbDeviceTag tag);  /* ms, 0 when disabled */
double wb_light_sensor_get_value(WbDeviceTag tag);

/* Triples of input, value and noise; the size counts triples. */
int wb_light_sensor_get_lookup_table_size(WbDeviceTag tag);
const double* wb_light_sensor_get_lookup_table(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_LIGHT_SENSOR_H */
