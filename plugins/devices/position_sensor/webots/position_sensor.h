#ifndef WEBOTS_POSITION_SENSOR_H
#define WEBOTS_POSITION_SENSOR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_position_sensor_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_position_sensor_disable(WbDeviceTag tag);
int wb_position_sensor_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
double wb_position_sensor_get_value(WbDeviceTag tag);        /* rad or m */
WbJointType wb_position_sensor_get_type(WbDeviceTag tag);
WbDeviceTag wb_position_sensor_get_motor(WbDeviceTag tag);
WbDeviceTag wb_position_sensor_get_brake(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_POSITION_SENSOR_H */
