#ifndef WEBOTS_TOUCH_SENSOR_H
#define WEBOTS_TOUCH_SENSOR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  WB_TOUCH_SENSOR_BUMPER = 0,
  WB_TOUCH_SENSOR_FORCE = 1,
  WB_TOUCH_SENSOR_FORCE3D = 2
} WbTouchSensorType;

void wb_touch_sensor_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_touch_sensor_disable(WbDeviceTag tag);
int wb_touch_sensor_get_sampling_period(WbDeviceTag tag);  /* ms, 0 when disabled */
double wb_touch_sensor_get_value(WbDeviceTag tag);         /* bumper and force */
const double* wb_touch_sensor_get_values(WbDeviceTag tag); /* three: force-3d */
WbTouchSensorType wb_touch_sensor_get_type(WbDeviceTag tag);

/* Triples of input, value and noise; the size counts triples. */
int wb_touch_sensor_get_lookup_table_size(WbDeviceTag tag);
const double* wb_touch_sensor_get_lookup_table(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_TOUCH_SENSOR_H */
