/* Any sensor whose sample is a list of numbers: above all those of plugins that Webots has no
   interface for. */
#ifndef PROTOBEAM_SENSOR_H
#define PROTOBEAM_SENSOR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void pb_sensor_enable(WbDeviceTag tag, int sampling_period); /* ms */
void pb_sensor_disable(WbDeviceTag tag);
int pb_sensor_get_sampling_period(WbDeviceTag tag);
/* The latest sample; NULL and a count of 0 while disabled. Valid as long as the program runs;
   changes only in wb_robot_step. */
const double* pb_sensor_get_values(WbDeviceTag tag, int* count);

#ifdef __cplusplus
}
#endif

#endif /* PROTOBEAM_SENSOR_H */
