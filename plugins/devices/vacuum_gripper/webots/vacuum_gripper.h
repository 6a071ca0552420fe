#ifndef WEBOTS_VACUUM_GRIPPER_H
#define WEBOTS_VACUUM_GRIPPER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_vacuum_gripper_enable_presence(WbDeviceTag tag, int sampling_period); /* ms */
void wb_vacuum_gripper_disable_presence(WbDeviceTag tag);
int wb_vacuum_gripper_get_presence_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
bool wb_vacuum_gripper_get_presence(WbDeviceTag tag);                /* it holds something */

void wb_vacuum_gripper_turn_on(WbDeviceTag tag);
void wb_vacuum_gripper_turn_off(WbDeviceTag tag);
bool wb_vacuum_gripper_is_on(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_VACUUM_GRIPPER_H */
