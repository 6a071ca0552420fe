/* Prints what each device of its robot says, step by step; controllers/python_read_devices does the same in Python. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <webots/accelerometer.h>
#include <webots/altimeter.h>
#include <webots/brake.h>
#include <webots/camera.h>
#include <webots/compass.h>
#include <webots/device.h>
#include <webots/distance_sensor.h>
#include <webots/emitter.h>
#include <webots/gps.h>
#include <webots/gyro.h>
#include <webots/inertial_unit.h>
#include <webots/lidar.h>
#include <webots/light_sensor.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/radar.h>
#include <webots/range_finder.h>
#include <webots/receiver.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>

static void say(const char *what, const double *values, int count) {
  printf("%s", what);
  for (int i = 0; i < count; ++i) {
    if (isnan(values[i])) {
      printf(" nan");
    } else {
      printf(" %.17g", values[i]);
    }
  }
  printf("\n");
}
static void say_one(const char *what, double value) { say(what, &value, 1); }

static uint32_t checksum(const void *bytes, size_t size) {
  uint32_t sum = 0;
  for (size_t i = 0; i < size; ++i) sum = sum * 31 + ((const unsigned char *)bytes)[i];
  return sum;
}

int main(void) {
  wb_robot_init();
  printf("robot %s %s %d\n", wb_robot_get_name(), wb_robot_get_model(), wb_robot_get_number_of_devices());
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag tag = wb_robot_get_device_by_index(i);
    printf("%s '%s' %d\n", wb_device_get_name(tag), wb_device_get_model(tag), wb_device_get_node_type(tag));
  }
#define DEVICE(type) const WbDeviceTag type = wb_robot_get_device(#type)
#define SENSOR(type) \
  DEVICE(type);      \
  wb_##type##_enable(type, 32)
  SENSOR(accelerometer);
  SENSOR(altimeter);
  SENSOR(camera);
  SENSOR(compass);
  SENSOR(distance_sensor);
  SENSOR(gps);
  SENSOR(gyro);
  SENSOR(inertial_unit);
  SENSOR(lidar);
  SENSOR(light_sensor);
  SENSOR(position_sensor);
  SENSOR(radar);
  SENSOR(range_finder);
  SENSOR(receiver);
  SENSOR(touch_sensor);
  DEVICE(brake);
  DEVICE(emitter);
  DEVICE(motor);
  wb_lidar_enable_point_cloud(lidar);
  wb_camera_recognition_enable(camera, 32);
  wb_motor_set_position(motor, INFINITY);
  wb_motor_set_velocity(motor, 2.5);
  wb_motor_enable_torque_feedback(motor, 32);

  say_one("fov", wb_lidar_get_fov(lidar));
  say_one("vertical fov", wb_lidar_get_vertical_fov(lidar));
  say_one("frequency", wb_lidar_get_frequency(lidar));
  say_one("lidar range", wb_lidar_get_max_range(lidar));
  say_one("layers", wb_lidar_get_number_of_layers(lidar));
  say("lookup table", wb_distance_sensor_get_lookup_table(distance_sensor),
      3 * wb_distance_sensor_get_lookup_table_size(distance_sensor));
  say_one("aperture", wb_distance_sensor_get_aperture(distance_sensor));
  say_one("max velocity", wb_motor_get_max_velocity(motor));
  say_one("type", wb_motor_get_type(motor));
  say_one("brake of the motor", wb_motor_get_brake(motor) == brake);
  say_one("sensor of the brake", wb_brake_get_position_sensor(brake) == position_sensor);

  while (wb_robot_step(32) != -1) {
    say_one("time", wb_robot_get_time());
    const int32_t numbers[] = {(int32_t)(wb_robot_get_time() * 1000), -7};
    wb_emitter_send(emitter, numbers, sizeof(numbers));
    say("accelerometer", wb_accelerometer_get_values(accelerometer), 3);
    say_one("altimeter", wb_altimeter_get_value(altimeter));
    say("compass", wb_compass_get_values(compass), 3);
    say_one("distance", wb_distance_sensor_get_value(distance_sensor));
    say("gps", wb_gps_get_values(gps), 3);
    say("speed", wb_gps_get_speed_vector(gps), 3);
    say("gyro", wb_gyro_get_values(gyro), 3);
    say("angles", wb_inertial_unit_get_roll_pitch_yaw(inertial_unit), 3);
    say("quaternion", wb_inertial_unit_get_quaternion(inertial_unit), 4);
    say_one("light", wb_light_sensor_get_value(light_sensor));
    say_one("position", wb_position_sensor_get_value(position_sensor));
    say_one("torque", wb_motor_get_torque_feedback(motor));
    say_one("touch", wb_touch_sensor_get_value(touch_sensor));
    for (int i = 0; i < wb_radar_get_number_of_targets(radar); ++i) {
      const WbRadarTarget target = wb_radar_get_targets(radar)[i];
      say("target", (double[]){target.distance, target.received_power, target.speed, target.azimuth}, 4);
    }
    const float *ranges = wb_lidar_get_range_image(lidar);
    for (int i = 0; i < wb_lidar_get_number_of_points(lidar); i += 7) say_one("range", ranges[i]);
    const WbLidarPoint point = wb_lidar_get_point_cloud(lidar)[11];
    say("point", (double[]){point.x, point.y, point.z, point.layer_id, point.time}, 5);
    say_one("layer", wb_lidar_get_layer_range_image(lidar, 1)[3]);
    const float *depth = wb_range_finder_get_range_image(range_finder);
    say("depth", (double[]){depth[0], wb_range_finder_image_get_depth(depth, 20, 9, 5)}, 2);
    const unsigned char *image = wb_camera_get_image(camera);
    printf("image %u\n", checksum(image, 60 * 40 * 4));
    say("pixel", (double[]){wb_camera_image_get_red(image, 60, 30, 20), wb_camera_image_get_blue(image, 60, 1, 2)}, 2);
    const int count = wb_camera_recognition_get_number_of_objects(camera);
    const WbCameraRecognitionObject *objects = wb_camera_recognition_get_objects(camera);
    for (int i = 0; i < count; ++i) {
      printf("object %d %s\n", objects[i].id, objects[i].model);
      say("place", objects[i].position, 3);
      say("colors", objects[i].colors, 3 * objects[i].number_of_colors);
    }
    while (wb_receiver_get_queue_length(receiver) > 0) {
      const int32_t *packet = wb_receiver_get_data(receiver);
      printf("packet %d %d of %d bytes\n", packet[0], packet[1], wb_receiver_get_data_size(receiver));
      say_one("strength", wb_receiver_get_signal_strength(receiver));
      say("direction", wb_receiver_get_emitter_direction(receiver), 3);
      wb_receiver_next_packet(receiver);
    }
  }
  wb_robot_cleanup();
  return 0;
}
