/* Calls each C function of Camera, RangeFinder, Compass, LightSensor and Radar, and looks at what comes back. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <webots/camera.h>
#include <webots/compass.h>
#include <webots/device.h>
#include <webots/distance_sensor.h>
#include <webots/lidar.h>
#include <webots/light_sensor.h>
#include <webots/nodes.h>
#include <webots/radar.h>
#include <webots/range_finder.h>
#include <webots/robot.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)
#define near(a, b) (fabs((a) - (b)) < 1e-6)

static WbDeviceTag get(const char *name, WbNodeType type) {
  const WbDeviceTag tag = wb_robot_get_device(name);
  check(wb_device_get_node_type(tag) == type);
  return tag;
}

static void use_camera(void) {
  const WbDeviceTag camera = get("camera", WB_NODE_CAMERA);
  const unsigned char *image;
  check(wb_camera_get_image(camera) == NULL);
  check(wb_camera_get_sampling_period(camera) == 0);
  wb_camera_enable(camera, 32);
  check(wb_camera_get_image(camera) == NULL); /* until a step has ended */
  check(wb_camera_save_image(camera, "none.png", 100) == -1);
  check(wb_camera_get_sampling_period(camera) == 32);
  check(wb_camera_get_width(camera) == 60);
  check(wb_camera_get_height(camera) == 40);
  check(near(wb_camera_get_fov(camera), 1));
  check(near(wb_camera_get_min_fov(camera), 0.5));
  check(near(wb_camera_get_max_fov(camera), 1.2));
  check(near(wb_camera_get_near(camera), 0.02));
  check(near(wb_camera_get_exposure(camera), 1));
  check(near(wb_camera_get_focal_length(camera), 0.01));
  check(near(wb_camera_get_focal_distance(camera), 1));
  check(near(wb_camera_get_min_focal_distance(camera), 0.5));
  check(near(wb_camera_get_max_focal_distance(camera), 2));
  check(wb_camera_has_recognition(camera));
  check(wb_camera_recognition_get_sampling_period(camera) == 0);
  check(wb_camera_recognition_get_objects(camera) == NULL); /* says that it is not enabled */
  wb_camera_recognition_enable_segmentation(camera);        /* likewise */
  check(!wb_camera_recognition_is_segmentation_enabled(camera));
  wb_camera_recognition_enable(camera, 32);
  check(wb_camera_recognition_get_sampling_period(camera) == 32);
  check(wb_camera_recognition_has_segmentation(camera));
  check(!wb_camera_recognition_is_segmentation_enabled(camera));
  wb_camera_recognition_enable_segmentation(camera);
  check(wb_camera_recognition_is_segmentation_enabled(camera));
  check(wb_camera_recognition_get_segmentation_image(camera) == NULL);
  check(wb_camera_recognition_save_segmentation_image(camera, "none.png", 100) == -1);
  wb_camera_enable(camera, 64);
  wb_robot_step(32);
  image = wb_camera_get_image(camera); /* black and opaque until the first one has been taken */
  check(image != NULL && image[0] == 0 && image[1] == 0 && image[2] == 0 && image[3] == 255);
  wb_camera_enable(camera, 32);
  wb_robot_step(32);
  wb_robot_step(32);
  image = wb_camera_get_image(camera);
  check(image != NULL);
  if (image) {
    /* The red cube in the middle, which shines; the black sky above. */
    check(wb_camera_image_get_red(image, 60, 30, 20) > 200);
    check(wb_camera_image_get_green(image, 60, 30, 20) < 50);
    check(wb_camera_image_get_blue(image, 60, 30, 20) < 50);
    check(wb_camera_image_get_gray(image, 60, 30, 0) == 0);
    check(wb_camera_image_get_grey(image, 60, 30, 20) > 60);
  }
  check(wb_camera_recognition_get_number_of_objects(camera) == 1);
  {
    const WbCameraRecognitionObject *objects = wb_camera_recognition_get_objects(camera);
    const unsigned char *segments = wb_camera_recognition_get_segmentation_image(camera);
    check(objects != NULL && segments != NULL);
    if (objects && segments) {
      check(near(objects[0].position[0], 2) && near(objects[0].position[1], 0));
      check(near(objects[0].orientation[3], 0.5) && near(objects[0].orientation[2], 1));
      check(fabs(objects[0].size[0] - 0.4 * (cos(0.5) + sin(0.5))) < 1e-6);
      check(fabs(objects[0].size[1] - 0.4) < 1e-6);
      check(objects[0].position_on_image[0] == 30 && objects[0].position_on_image[1] == 20);
      /* 60 / (2 tan 0.5) pixels a radian, the nearest edge at about 1.8 m: some 13 to 17 pixels. */
      check(objects[0].size_on_image[0] >= 13 && objects[0].size_on_image[0] <= 20);
      check(objects[0].number_of_colors == 2);
      check(near(objects[0].colors[0], 1) && near(objects[0].colors[5], 0.25));
      check(strcmp(objects[0].model, "red cube") == 0);
      check(segments[4 * (20 * 60 + 30) + 2] == 255 && segments[4 * (20 * 60 + 30)] == 0);
      check(segments[2] == 0 && segments[3] == 255);
    }
  }
  check(wb_camera_save_image(camera, "image.png", 100) == 0);
  check(wb_camera_save_image(camera, "image.JPG", 95) == 0);
  check(wb_camera_save_image(camera, "image.jpg", 101) == -1);
  check(wb_camera_save_image(camera, "image.png", 0) == 0); /* of no meaning there */
  check(wb_camera_save_image(camera, "image.bmp", 100) == -1);
  check(wb_camera_save_image(camera, "no/such/folder/image.png", 100) == -1);
  check(wb_camera_save_image(camera, "", 100) == -1 && wb_camera_save_image(camera, NULL, 100) == -1);
  check(wb_camera_recognition_save_segmentation_image(camera, "segments.png", 100) == 0);
  wb_camera_set_fov(camera, 0.6);
  check(near(wb_camera_get_fov(camera), 0.6));
  wb_camera_set_exposure(camera, 0);
  check(near(wb_camera_get_exposure(camera), 0));
  wb_camera_set_focal_distance(camera, 1.5);
  check(near(wb_camera_get_focal_distance(camera), 1.5));
  wb_camera_recognition_disable_segmentation(camera);
  check(!wb_camera_recognition_is_segmentation_enabled(camera));
  wb_robot_step(32);
  image = wb_camera_get_image(camera);
  check(image && wb_camera_image_get_red(image, 60, 30, 20) == 0);
  wb_camera_recognition_disable(camera);
  check(wb_camera_recognition_get_sampling_period(camera) == 0);
  check(wb_camera_recognition_get_number_of_objects(camera) == 0);
  wb_camera_disable(camera);
  check(wb_camera_get_sampling_period(camera) == 0);
  check(wb_camera_get_image(camera) == NULL);
  wb_camera_enable(camera, 32);
  check(wb_camera_get_image(camera) == image); /* the last one */
  wb_camera_disable(camera);
  /* Recognition is a sensor of its own. */
  wb_camera_recognition_enable(camera, 32);
  wb_camera_recognition_enable_segmentation(camera);
  wb_robot_step(64);
  check(wb_camera_get_sampling_period(camera) == 0);
  check(wb_camera_get_image(camera) == NULL);
  check(wb_camera_recognition_get_number_of_objects(camera) == 1);
  check(wb_camera_recognition_get_object(camera, 0) != NULL);
  check(wb_camera_recognition_get_segmentation_image(camera) != NULL);
  wb_camera_enable(camera, 64);
  wb_camera_disable(camera);
  wb_robot_step(32);
  check(wb_camera_recognition_get_number_of_objects(camera) == 1);
  wb_camera_recognition_disable(camera);
  wb_robot_step(32);
}

/* Images and objects come with periods of their own: what a field of view makes of both. */
static void use_periods(void) {
  static unsigned char before[60 * 40 * 4];
  const WbDeviceTag camera = get("camera", WB_NODE_CAMERA);
  const WbCameraRecognitionObject *objects;
  int wide, narrow;
  wb_camera_set_exposure(camera, 1);
  wb_camera_set_fov(camera, 1.2);
  wb_camera_enable(camera, 32);
  wb_camera_recognition_enable(camera, 32);
  wb_robot_step(32);
  memcpy(before, wb_camera_get_image(camera), sizeof before);
  wide = wb_camera_recognition_get_object(camera, 0)->size_on_image[0];
  wb_camera_set_fov(camera, 0.6);
  wb_camera_enable(camera, 96);
  wb_robot_step(32);
  narrow = wb_camera_recognition_get_object(camera, 0)->size_on_image[0];
  check(narrow > wide);
  check(memcmp(wb_camera_get_image(camera), before, sizeof before) == 0);
  wb_robot_step(64);
  check(memcmp(wb_camera_get_image(camera), before, sizeof before) != 0);
  /* 64 ms and 96 ms have no multiple of each other. */
  memcpy(before, wb_camera_get_image(camera), sizeof before);
  wb_camera_set_fov(camera, 1.2);
  wb_camera_enable(camera, 64);
  wb_camera_recognition_enable(camera, 96);
  wb_robot_step(32);
  check(memcmp(wb_camera_get_image(camera), before, sizeof before) == 0);
  wb_robot_step(32);
  check(memcmp(wb_camera_get_image(camera), before, sizeof before) != 0);
  objects = wb_camera_recognition_get_objects(camera);
  check(objects && objects[0].size_on_image[0] == narrow);
  wb_robot_step(32);
  objects = wb_camera_recognition_get_objects(camera);
  check(objects && objects[0].size_on_image[0] == wide);
  /* Objects with each third image: from the third one on. */
  wb_camera_recognition_disable(camera);
  wb_camera_set_fov(camera, 0.6);
  wb_camera_enable(camera, 32);
  wb_camera_recognition_enable(camera, 96);
  wb_robot_step(64);
  check(wb_camera_recognition_get_object(camera, 0)->size_on_image[0] == wide);
  wb_robot_step(32);
  check(wb_camera_recognition_get_object(camera, 0)->size_on_image[0] == narrow);
  wb_camera_recognition_disable(camera);
  wb_camera_disable(camera);
}

static void use_range_finder(void) {
  const WbDeviceTag finder = get("range-finder", WB_NODE_RANGE_FINDER);
  const float *depths;
  check(wb_range_finder_get_range_image(finder) == NULL);
  wb_range_finder_enable(finder, 64);
  check(wb_range_finder_get_range_image(finder) == NULL); /* until a step has ended */
  check(wb_range_finder_save_image(finder, "none.png", 100) == -1);
  check(wb_range_finder_get_sampling_period(finder) == 64);
  check(wb_range_finder_get_width(finder) == 20);
  check(wb_range_finder_get_height(finder) == 10);
  check(near(wb_range_finder_get_fov(finder), 0.1));
  check(near(wb_range_finder_get_min_range(finder), 0.1));
  check(near(wb_range_finder_get_max_range(finder), 5));
  wb_robot_step(32);
  depths = wb_range_finder_get_range_image(finder);
  check(depths && depths[0] == 0 && depths[199] == 0); /* the first image is still to come */
  wb_robot_step(32);
  check(wb_range_finder_get_range_image(finder) == depths);
  if (depths) {
    const float depth = wb_range_finder_image_get_depth(depths, 20, 10, 5);
    check(depth > 1.7 && depth < 1.85);
  }
  check(wb_range_finder_save_image(finder, "depth.png", 100) == 0);
  check(wb_range_finder_save_image(finder, "depth.jpeg", 100) == 0);
  check(wb_range_finder_save_image(finder, "depth.hdr", 0) == 0);
  check(wb_range_finder_save_image(finder, "depth.tiff", 100) == -1);
  wb_range_finder_disable(finder);
  check(wb_range_finder_get_sampling_period(finder) == 0);
  check(wb_range_finder_get_range_image(finder) == depths); /* the last one */
}

static void use_others(void) {
  const WbDeviceTag compass = get("compass", WB_NODE_COMPASS);
  const WbDeviceTag light = get("light sensor", WB_NODE_LIGHT_SENSOR);
  const WbDeviceTag radar = get("radar", WB_NODE_RADAR);
  const double *values;
  const WbRadarTarget *targets;
  wb_compass_enable(compass, 32);
  wb_light_sensor_enable(light, 32);
  wb_radar_enable(radar, 32);
  check(wb_compass_get_sampling_period(compass) == 32);
  check(wb_light_sensor_get_sampling_period(light) == 32);
  check(wb_radar_get_sampling_period(radar) == 32);
  check(wb_compass_get_lookup_table_size(compass) == 0);
  check(wb_light_sensor_get_lookup_table_size(light) == 2);
  check(near(wb_light_sensor_get_lookup_table(light)[4], 1000));
  check(wb_compass_get_lookup_table(compass) == NULL || wb_compass_get_lookup_table_size(compass) == 0);
  check(near(wb_radar_get_min_range(radar), 0.5));
  check(near(wb_radar_get_max_range(radar), 50));
  check(near(wb_radar_get_horizontal_fov(radar), 0.78));
  check(near(wb_radar_get_vertical_fov(radar), 0.1));
  wb_robot_step(32);
  values = wb_compass_get_values(compass);
  check(values && near(values[0], 0) && near(values[1], 1) && near(values[2], 0)); /* ENU: north is y */
  check(near(wb_light_sensor_get_value(light), 500)); /* a sun of 1 W/m^2 at 60 degrees */
  check(wb_radar_get_number_of_targets(radar) == 1);
  targets = wb_radar_get_targets(radar);
  check(targets && fabs(targets[0].distance - 2) < 1e-6 && fabs(targets[0].azimuth) < 1e-6);
  wb_compass_disable(compass);
  wb_light_sensor_disable(light);
  wb_radar_disable(radar);
  /* A disabled one complains and keeps what it has seen last. */
  check(wb_radar_get_number_of_targets(radar) == 1);
  check(wb_radar_get_targets(radar) == targets);
  check(wb_radar_get_target(radar, 0) == targets);
  check(wb_radar_get_target(radar, 1) == NULL && wb_radar_get_target(radar, -1) == NULL);
  check(wb_radar_get_target(0, 0) == NULL && wb_radar_get_number_of_targets(compass) == 0);
  check(wb_compass_get_sampling_period(compass) == 0);
  check(wb_light_sensor_get_sampling_period(light) == 0);
  check(wb_radar_get_sampling_period(radar) == 0);
}

/* What has no such device says so and has no number, as in Webots. */
static void use_wrong_tags(void) {
  const WbDeviceTag compass = wb_robot_get_device("compass");
  check(isnan(wb_distance_sensor_get_value(0)) && isnan(wb_distance_sensor_get_aperture(0)));
  check(isnan(wb_distance_sensor_get_min_value(compass)) &&
        isnan(wb_distance_sensor_get_max_value(999)));
  check(isnan(wb_lidar_get_min_range(0)) && isnan(wb_lidar_get_max_range(compass)));
  check(isnan(wb_lidar_get_fov(0)) && isnan(wb_lidar_get_vertical_fov(0)) &&
        isnan(wb_lidar_get_frequency(0)));
  check(isnan(wb_lidar_get_min_frequency(0)) && isnan(wb_lidar_get_max_frequency(0)));
  check(isnan(wb_camera_get_fov(0)) && isnan(wb_camera_get_near(compass)) &&
        isnan(wb_camera_get_exposure(0)));
  check(isnan(wb_range_finder_get_fov(0)) && isnan(wb_range_finder_get_max_range(0)));
  check(isnan(wb_radar_get_max_range(0)) && isnan(wb_radar_get_vertical_fov(compass)));
  check(wb_camera_get_width(0) == 0 && wb_lidar_get_number_of_layers(0) == 0);
}

int main(void) {
  wb_robot_init();
  use_wrong_tags();
  use_camera();
  use_periods();
  use_range_finder();
  use_others();
  wb_robot_cleanup();
  return failures ? 1 : 0;
}
