#ifndef WEBOTS_EMITTER_H
#define WEBOTS_EMITTER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WB_CHANNEL_BROADCAST (-1)

/* Returns 1, or 0 when the packet does not fit into the buffer of this step. */
int wb_emitter_send(WbDeviceTag tag, const void* data, int size);
int wb_emitter_get_buffer_size(WbDeviceTag tag); /* bytes, -1: unlimited */
void wb_emitter_set_channel(WbDeviceTag tag, int channel);
int wb_emitter_get_channel(WbDeviceTag tag);
void wb_emitter_set_range(WbDeviceTag tag, double range); /* m, -1: unlimited */
double wb_emitter_get_range(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_EMITTER_H */
