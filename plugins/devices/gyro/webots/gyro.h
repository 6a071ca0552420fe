#ifndef WEBOTS_GYRO_H
#define WEBOTS_GYRO_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_gyro_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_gyro_disable(WbDeviceTag tag);
int wb_gyro_get_sampling_period(WbDeviceTag tag);  /* ms, 0 when disabled */
const double* wb_gyro_get_values(WbDeviceTag tag); /* three: rad/s */

/* Triples of input, value and noise; the size counts triples. */
int wb_gyro_get_lookup_table_size(WbDeviceTag tag);
const double* wb_gyro_get_lookup_table(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_GYRO_H */
