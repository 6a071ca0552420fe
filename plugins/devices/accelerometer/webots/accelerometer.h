#ifndef WEBOTS_ACCELEROMETER_H
#define WEBOTS_ACCELEROMETER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_accelerometer_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_accelerometer_disable(WbDeviceTag tag);
int wb_accelerometer_get_sampling_period(WbDeviceTag tag);  /* ms, 0 when disabled */
const double* wb_accelerometer_get_values(WbDeviceTag tag); /* three: m/s^2 */

/* Triples of input, value and noise; the size counts triples. */
int wb_accelerometer_get_lookup_table_size(WbDeviceTag tag);
const double* wb_accelerometer_get_lookup_table(WbDeviceTag tag);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_ACCELEROMETER_H */
