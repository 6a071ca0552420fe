#ifndef WEBOTS_CAMERA_H
#define WEBOTS_CAMERA_H

#include <webots/camera_recognition_object.h>
#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_camera_enable(WbDeviceTag tag, int sampling_period); /* ms */
void wb_camera_disable(WbDeviceTag tag);
int wb_camera_get_sampling_period(WbDeviceTag tag); /* ms, 0 when disabled */

/* Four bytes a pixel: blue, green, red, 255; rows from the top. NULL while disabled. */
const unsigned char* wb_camera_get_image(WbDeviceTag tag);
int wb_camera_get_width(WbDeviceTag tag);
int wb_camera_get_height(WbDeviceTag tag);

double wb_camera_get_fov(WbDeviceTag tag); /* rad, horizontal */
double wb_camera_get_max_fov(WbDeviceTag tag);
double wb_camera_get_min_fov(WbDeviceTag tag);
void wb_camera_set_fov(WbDeviceTag tag, double fov); /* within those of its Zoom */
double wb_camera_get_exposure(WbDeviceTag tag);
void wb_camera_set_exposure(WbDeviceTag tag, double exposure);
double wb_camera_get_focal_length(WbDeviceTag tag);
double wb_camera_get_focal_distance(WbDeviceTag tag);
double wb_camera_get_max_focal_distance(WbDeviceTag tag);
double wb_camera_get_min_focal_distance(WbDeviceTag tag);
void wb_camera_set_focal_distance(WbDeviceTag tag, double focal_distance);
double wb_camera_get_near(WbDeviceTag tag);

/* Writes a PNG; `quality` counts for other formats only, which are refused. 0 when it is written, -1
   otherwise. */
int wb_camera_save_image(WbDeviceTag tag, const char* filename, int quality);

/* Of a camera with a Recognition. What is returned is valid until the next step. */
bool wb_camera_has_recognition(WbDeviceTag tag);
void wb_camera_recognition_enable(WbDeviceTag tag, int sampling_period);
void wb_camera_recognition_disable(WbDeviceTag tag);
int wb_camera_recognition_get_sampling_period(WbDeviceTag tag);
int wb_camera_recognition_get_number_of_objects(WbDeviceTag tag);
const WbCameraRecognitionObject* wb_camera_recognition_get_objects(WbDeviceTag tag);
/* NULL for an index out of range. */
const WbCameraRecognitionObject* wb_camera_recognition_get_object(WbDeviceTag tag, int index);
bool wb_camera_recognition_has_segmentation(WbDeviceTag tag);
void wb_camera_recognition_enable_segmentation(WbDeviceTag tag);
void wb_camera_recognition_disable_segmentation(WbDeviceTag tag);
bool wb_camera_recognition_is_segmentation_enabled(WbDeviceTag tag);
const unsigned char* wb_camera_recognition_get_segmentation_image(WbDeviceTag tag);
int wb_camera_recognition_save_segmentation_image(WbDeviceTag tag, const char* filename, int quality);

#define wb_camera_image_get_red(image, width, x, y) ((image)[4 * ((y) * (width) + (x)) + 2])
#define wb_camera_image_get_green(image, width, x, y) ((image)[4 * ((y) * (width) + (x)) + 1])
#define wb_camera_image_get_blue(image, width, x, y) ((image)[4 * ((y) * (width) + (x))])
#define wb_camera_image_get_gray(image, width, x, y)                                            \
  ((wb_camera_image_get_red(image, width, x, y) + wb_camera_image_get_green(image, width, x, y) + \
    wb_camera_image_get_blue(image, width, x, y)) /                                             \
   3)
#define wb_camera_image_get_grey(image, width, x, y) wb_camera_image_get_gray(image, width, x, y)

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_CAMERA_H */
