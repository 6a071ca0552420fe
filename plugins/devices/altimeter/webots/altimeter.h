#ifndef WEBOTS_ALTIMETER_H
#define WEBOTS_ALTIMETER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_altimeter_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_altimeter_disable(WbDeviceTag tag);
int wb_altimeter_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */
double wb_altimeter_get_value(WbDeviceTag tag);        /* m, NaN while disabled */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_ALTIMETER_H */
