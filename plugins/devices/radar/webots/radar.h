#ifndef WEBOTS_RADAR_H
#define WEBOTS_RADAR_H

#include <webots/radar_target.h>
#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_radar_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_radar_disable(WbDeviceTag tag);
int wb_radar_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */

int wb_radar_get_number_of_targets(WbDeviceTag tag);
/* So many; valid until the next step. NULL before the first sample. */
const WbRadarTarget *wb_radar_get_targets(WbDeviceTag tag);
/* NULL for an index out of range. */
const WbRadarTarget *wb_radar_get_target(WbDeviceTag tag, int index);

double wb_radar_get_min_range(WbDeviceTag tag);      /* m */
double wb_radar_get_max_range(WbDeviceTag tag);      /* m */
double wb_radar_get_horizontal_fov(WbDeviceTag tag); /* rad */
double wb_radar_get_vertical_fov(WbDeviceTag tag);   /* rad */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_RADAR_H */
