#ifndef WEBOTS_RECEIVER_H
#define WEBOTS_RECEIVER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef WB_CHANNEL_BROADCAST
#define WB_CHANNEL_BROADCAST (-1)
#endif

void wb_receiver_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_receiver_disable(WbDeviceTag tag);
int wb_receiver_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
int wb_receiver_get_queue_length(WbDeviceTag tag);
void wb_receiver_next_packet(WbDeviceTag tag);

/* Of the first packet in the queue; valid until wb_receiver_next_packet. */
int wb_receiver_get_data_size(WbDeviceTag tag);
const void* wb_receiver_get_data(WbDeviceTag tag);
double wb_receiver_get_signal_strength(WbDeviceTag tag);
const double* wb_receiver_get_emitter_direction(WbDeviceTag tag);

void wb_receiver_set_channel(WbDeviceTag tag, int channel);
int wb_receiver_get_channel(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_RECEIVER_H */
