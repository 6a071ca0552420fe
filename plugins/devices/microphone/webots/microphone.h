/* A microphone is not simulated: it hears nothing, and a warning says so once. */
#ifndef WEBOTS_MICROPHONE_H
#define WEBOTS_MICROPHONE_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_microphone_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_microphone_disable(WbDeviceTag tag);
int wb_microphone_get_sampling_period(WbDeviceTag tag);     /* ms, 0 when disabled */
const void* wb_microphone_get_sample_data(WbDeviceTag tag); /* NULL */
int wb_microphone_get_sample_size(WbDeviceTag tag);         /* bytes: 0 */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_MICROPHONE_H */
