#ifndef WEBOTS_RANGE_FINDER_H
#define WEBOTS_RANGE_FINDER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_range_finder_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_range_finder_disable(WbDeviceTag tag);
int wb_range_finder_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */

/* Depths in m, rows from the top; infinity where nothing is measured. NULL while disabled. */
const float* wb_range_finder_get_range_image(WbDeviceTag tag);
int wb_range_finder_get_width(WbDeviceTag tag);
int wb_range_finder_get_height(WbDeviceTag tag);
double wb_range_finder_get_fov(WbDeviceTag tag); /* rad, horizontal */
double wb_range_finder_get_min_range(WbDeviceTag tag);
double wb_range_finder_get_max_range(WbDeviceTag tag);

/* Writes a grey PNG, from black at minRange to white at maxRange; `quality` counts for other formats
   only, which are refused. 0 when it is written, -1 otherwise. */
int wb_range_finder_save_image(WbDeviceTag tag, const char* filename, int quality);

#define wb_range_finder_image_get_depth(image, width, x, y) ((image)[(y) * (width) + (x)])

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_RANGE_FINDER_H */
