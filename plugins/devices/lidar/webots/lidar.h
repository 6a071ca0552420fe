#ifndef WEBOTS_LIDAR_H
#define WEBOTS_LIDAR_H

#include <webots/lidar_point.h>
#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_lidar_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_lidar_disable(WbDeviceTag tag);
int wb_lidar_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */

void wb_lidar_enable_point_cloud(WbDeviceTag tag);
void wb_lidar_disable_point_cloud(WbDeviceTag tag);
bool wb_lidar_is_point_cloud_enabled(WbDeviceTag tag);

/* Ranges in metres, layer by layer, the topmost first; infinite without return. */
const float* wb_lidar_get_range_image(WbDeviceTag tag);
const float* wb_lidar_get_layer_range_image(WbDeviceTag tag, int layer);
const WbLidarPoint* wb_lidar_get_point_cloud(WbDeviceTag tag);
const WbLidarPoint* wb_lidar_get_layer_point_cloud(WbDeviceTag tag, int layer);
const WbLidarPoint* wb_lidar_get_point(WbDeviceTag tag, int index);
int wb_lidar_get_number_of_points(WbDeviceTag tag);
int wb_lidar_get_horizontal_resolution(WbDeviceTag tag);
int wb_lidar_get_number_of_layers(WbDeviceTag tag);

/* Turns a second of a rotating head. */
double wb_lidar_get_frequency(WbDeviceTag tag);
void wb_lidar_set_frequency(WbDeviceTag tag, double frequency);
double wb_lidar_get_min_frequency(WbDeviceTag tag);
double wb_lidar_get_max_frequency(WbDeviceTag tag);

double wb_lidar_get_fov(WbDeviceTag tag);          /* rad */
double wb_lidar_get_vertical_fov(WbDeviceTag tag); /* rad */
double wb_lidar_get_min_range(WbDeviceTag tag);    /* m */
double wb_lidar_get_max_range(WbDeviceTag tag);    /* m */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_LIDAR_H */
