#ifndef WEBOTS_CONNECTOR_H
#define WEBOTS_CONNECTOR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_connector_enable_presence(WbDeviceTag tag, int sampling_period); /* ms */
void wb_connector_disable_presence(WbDeviceTag tag);
int wb_connector_get_presence_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
/* 1: another one is in position, 0: none is, -1: this one is passive. */
int wb_connector_get_presence(WbDeviceTag tag);

void wb_connector_lock(WbDeviceTag tag);
void wb_connector_unlock(WbDeviceTag tag);
bool wb_connector_is_locked(WbDeviceTag tag); /* as told; a link may have broken */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_CONNECTOR_H */
