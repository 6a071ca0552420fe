#ifndef WEBOTS_BRAKE_H
#define WEBOTS_BRAKE_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_brake_set_damping_constant(WbDeviceTag tag, double damping_constant); /* N m s, or N s/m */
WbJointType wb_brake_get_type(WbDeviceTag tag);
WbDeviceTag wb_brake_get_motor(WbDeviceTag tag);
WbDeviceTag wb_brake_get_position_sensor(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_BRAKE_H */
