/* Uses every function of the C interface once; compiled as C99 and as C++. `check` is where a value
   is known from the robot that the test describes. */
#include <float.h>
#include <math.h>
#include <protobeam/device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/accelerometer.h>
#include <webots/brake.h>
#include <webots/device.h>
#include <webots/distance_sensor.h>
#include <webots/emitter.h>
#include <webots/gps.h>
#include <webots/gyro.h>
#include <webots/inertial_unit.h>
#include <webots/keyboard.h>
#include <webots/lidar.h>
#include <webots/lidar_point.h>
#include <webots/motor.h>
#include <webots/nodes.h>
#include <webots/position_sensor.h>
#include <webots/receiver.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>
#include <webots/types.h>
#include <webots/utils/ansi_codes.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)

static WbMutexRef mutex;
static int task_done = 0;

static void task(void* parameter) {
  wb_robot_mutex_lock(mutex);
  *(int*)parameter = 1;
  wb_robot_mutex_unlock(mutex);
}

static void use_robot(void) {
  int size = 1;
  check(!strcmp(wb_robot_get_name(), "rover"));
  check(!strcmp(wb_robot_get_model(), "Test Rover"));
  check(!strcmp(wb_robot_get_custom_data(), "old data"));
  wb_robot_set_custom_data("a");
  check(!strcmp(wb_robot_get_data(), "a"));
  wb_robot_set_data("b");
  check(!strcmp(wb_robot_get_data(), "b"));
  check(!strcmp(wb_robot_get_controller_name(), "puppet"));
  check(!strcmp(wb_robot_get_project_path(), "/project"));
  check(!strcmp(wb_robot_get_world_path(), "/project/worlds/w.wbt"));
  check(!strcmp(wb_robot_get_urdf("left_"), "<robot/>"));
  check(wb_robot_get_mode() == WB_MODE_SIMULATION);
  wb_robot_set_mode(WB_MODE_SIMULATION, "");
  check(wb_robot_get_synchronization());
  check(!wb_robot_get_supervisor());
  check(wb_robot_get_basic_time_step() == 16);
  check(wb_robot_get_number_of_devices() == 14);
  check(wb_robot_get_device_by_index(0) == wb_robot_get_device("lidar"));
  wb_robot_battery_sensor_enable(16);
  check(wb_robot_battery_sensor_get_sampling_period() == 16);
  check(isnan(wb_robot_battery_sensor_get_value())); /* until its first sample */
  wb_robot_battery_sensor_disable();
  check(wb_robot_wait_for_user_input_event(WB_EVENT_KEYBOARD, 1) == WB_EVENT_NO_EVENT);
  wb_robot_pin_to_static_environment(true);
  wb_robot_wwi_send("x", 1);
  wb_robot_wwi_send_text("x");
  check(wb_robot_wwi_receive(&size) == NULL && size == 0);
  check(wb_robot_wwi_receive_text() == NULL);
  check(!strcmp(wb_device_get_name(1), "lidar"));
  check(!strcmp(wb_device_get_model(1), "M1"));
  check(wb_device_get_node_type(1) == WB_NODE_LIDAR);
  check(wb_device_get_type(2) == WB_NODE_ROTATIONAL_MOTOR);
  wb_keyboard_enable(16);
  check(wb_keyboard_get_sampling_period() == 16);
  check(wb_keyboard_get_key() == -1);
  wb_keyboard_disable();
}

static void use_lidar(WbDeviceTag tag) {
  wb_lidar_enable_point_cloud(tag);
  check(wb_lidar_is_point_cloud_enabled(tag));
  check(wb_lidar_get_range_image(tag) != NULL);
  check(wb_lidar_get_layer_range_image(tag, 1) == wb_lidar_get_range_image(tag) + 3);
  check(wb_lidar_get_point_cloud(tag) == (const WbLidarPoint*)(wb_lidar_get_range_image(tag) + 6));
  check(wb_lidar_get_layer_point_cloud(tag, 1) == wb_lidar_get_point_cloud(tag) + 3);
  check(wb_lidar_get_point(tag, 5) == wb_lidar_get_point_cloud(tag) + 5);
  check(wb_lidar_get_number_of_points(tag) == 6);
  check(wb_lidar_get_horizontal_resolution(tag) == 3);
  check(wb_lidar_get_number_of_layers(tag) == 2);
  check(wb_lidar_get_min_frequency(tag) == 5);
  check(wb_lidar_get_max_frequency(tag) == 20);
  check(wb_lidar_get_frequency(tag) == 12);
  wb_lidar_set_frequency(tag, 15);
  check(wb_lidar_get_frequency(tag) == 15);
  check(wb_lidar_get_fov(tag) == 1.5);
  check(wb_lidar_get_vertical_fov(tag) == 0.2);
  check(wb_lidar_get_min_range(tag) == 0.1);
  check(wb_lidar_get_max_range(tag) == 50);
  wb_lidar_disable_point_cloud(tag);
  check(!wb_lidar_is_point_cloud_enabled(tag));
  check(wb_lidar_get_number_of_points(tag) == 0); /* says that the point cloud is not enabled */
}

static void use_motor(WbDeviceTag tag) {
  check(wb_motor_get_target_position(tag) == 0.25);
  check(wb_motor_get_velocity(tag) == 20);
  check(wb_motor_get_acceleration(tag) == -1);
  check(wb_motor_get_available_force(tag) == 30);
  check(wb_motor_get_available_torque(tag) == 30);
  wb_motor_set_position(tag, -DBL_MAX); /* on and on; the motor's limits stop it */
  check(wb_motor_get_target_position(tag) == -DBL_MAX);
  wb_motor_set_position(tag, INFINITY);
  wb_motor_set_velocity(tag, 3);
  wb_motor_set_acceleration(tag, 4);
  wb_motor_set_force(tag, 5);
  wb_motor_set_torque(tag, 6);
  wb_motor_set_available_force(tag, 7);
  wb_motor_set_available_torque(tag, 8);
  wb_motor_set_control_pid(tag, 1, 2, 3);
  check(isinf(wb_motor_get_target_position(tag)));
  check(wb_motor_get_velocity(tag) == 3);
  check(wb_motor_get_acceleration(tag) == 4);
  check(wb_motor_get_available_torque(tag) == 8);
  check(wb_motor_get_min_position(tag) == -1);
  check(wb_motor_get_max_position(tag) == 2);
  check(wb_motor_get_max_velocity(tag) == 20);
  check(wb_motor_get_max_force(tag) == 30);
  check(wb_motor_get_max_torque(tag) == 30);
  check(wb_motor_get_multiplier(tag) == 1.5);
  wb_motor_enable_force_feedback(tag, 16);
  check(wb_motor_get_force_feedback_sampling_period(tag) == 16);
  check(isnan(wb_motor_get_force_feedback(tag)));
  wb_motor_disable_force_feedback(tag);
  wb_motor_enable_torque_feedback(tag, 32);
  check(wb_motor_get_torque_feedback_sampling_period(tag) == 32);
  check(isnan(wb_motor_get_torque_feedback(tag)));
  wb_motor_disable_torque_feedback(tag);
  check(wb_motor_get_type(tag) == WB_ROTATIONAL);
  check(wb_motor_get_type(wb_robot_get_device("slider")) == WB_LINEAR);
  check(wb_motor_get_brake(tag) == wb_robot_get_device("brake"));
  check(wb_motor_get_position_sensor(tag) == wb_robot_get_device("sensor"));
}

static void use_joint_devices(WbDeviceTag sensor, WbDeviceTag brake) {
  check(isnan(wb_position_sensor_get_value(sensor)));
  check(wb_position_sensor_get_type(sensor) == WB_ROTATIONAL);
  check(wb_position_sensor_get_motor(sensor) == wb_robot_get_device("motor"));
  check(wb_position_sensor_get_brake(sensor) == brake);
  wb_brake_set_damping_constant(brake, 2);
  check(wb_brake_get_type(brake) == WB_ROTATIONAL);
  check(wb_brake_get_motor(brake) == wb_robot_get_device("motor"));
  check(wb_brake_get_position_sensor(brake) == sensor);
}

/* The text is the caller's: what is no block of its own cannot be freed. */
static void check_degrees(double degrees, const char* expected) {
  char* text = (char*)wb_gps_convert_to_degrees_minutes_seconds(degrees);
  check(!strcmp(text, expected));
  free(text);
}

static void use_inertial_sensors(void) {
  const WbDeviceTag gps = wb_robot_get_device("gps"), imu = wb_robot_get_device("imu");
  const WbDeviceTag gyro = wb_robot_get_device("gyro");
  const WbDeviceTag accelerometer = wb_robot_get_device("accelerometer");
  check(isnan(wb_gps_get_values(gps)[2]));
  check(isnan(wb_gps_get_speed(gps)));
  check(wb_gps_get_speed_vector(gps) == wb_gps_get_values(gps) + 4);
  check(wb_gps_get_coordinate_system(gps) == WB_GPS_WGS84_COORDINATE);
  /* 48 + 51 / 60 + 29.6 / 3600; what is left of a second is cut off */
  check_degrees(48.858222222222, "48° 51′ 29″");
  /* -(6 + 8 / 60 + 15 / 3600): the parts have the sign */
  check_degrees(-6.1375, "-6° -8′ -15″");
  check_degrees(0.5, "0° 30′ 0″");
  check_degrees(1e300, "");
  check(isnan(wb_inertial_unit_get_roll_pitch_yaw(imu)[0]));
  check(wb_inertial_unit_get_quaternion(imu) == wb_inertial_unit_get_roll_pitch_yaw(imu) + 3);
  check(wb_inertial_unit_get_noise(imu) == 0.125);
  check(isnan(wb_gyro_get_values(gyro)[0]));
  check(wb_gyro_get_lookup_table_size(gyro) == 0);
  check(wb_gyro_get_lookup_table(gyro) == NULL);
  check(isnan(wb_accelerometer_get_values(accelerometer)[0]));
  check(wb_accelerometer_get_lookup_table_size(accelerometer) == 2);
  check(wb_accelerometer_get_lookup_table(accelerometer)[5] == 0.1);
}

static void use_proximity_sensors(WbDeviceTag distance, WbDeviceTag touch) {
  check(isnan(wb_distance_sensor_get_value(distance)));
  check(wb_distance_sensor_get_min_value(distance) == 20);
  check(wb_distance_sensor_get_max_value(distance) == 1000);
  check(wb_distance_sensor_get_aperture(distance) == 0.5);
  check(wb_distance_sensor_get_lookup_table_size(distance) == 3);
  check(wb_distance_sensor_get_lookup_table(distance)[7] == 40);
  check(wb_distance_sensor_get_type(distance) == WB_DISTANCE_SENSOR_LASER);
  check(isnan(wb_touch_sensor_get_value(touch))); /* of three there is not one: complains */
  check(isnan(wb_touch_sensor_get_values(touch)[2]));
  check(wb_touch_sensor_get_lookup_table_size(touch) == 0);
  check(wb_touch_sensor_get_lookup_table(touch) == NULL);
  check(wb_touch_sensor_get_type(touch) == WB_TOUCH_SENSOR_FORCE3D);
}

static void use_radio(WbDeviceTag emitter, WbDeviceTag receiver) {
  check(wb_emitter_get_buffer_size(emitter) == -1);
  check(wb_emitter_send(emitter, "hello", 6) == 1);
  check(wb_emitter_get_channel(emitter) == 1);
  wb_emitter_set_channel(emitter, WB_CHANNEL_BROADCAST);
  check(wb_emitter_get_channel(emitter) == -1);
  wb_emitter_set_range(emitter, 10);
  check(wb_emitter_get_range(emitter) == 10);
  check(wb_receiver_get_queue_length(receiver) == 0);
  wb_receiver_next_packet(receiver); /* says on stderr that there is none, as the next four */
  check(wb_receiver_get_data_size(receiver) == -1);
  check(wb_receiver_get_data(receiver) == NULL);
  check(isnan(wb_receiver_get_signal_strength(receiver)));
  check(wb_receiver_get_emitter_direction(receiver) == NULL);
  wb_receiver_set_channel(receiver, 2);
  check(wb_receiver_get_channel(receiver) == 2);
}

#define use_sampling(module, name)                     \
  do {                                                 \
    const WbDeviceTag tag = wb_robot_get_device(name); \
    module##_enable(tag, 32);                          \
    check(module##_get_sampling_period(tag) == 32);    \
    module##_disable(tag);                             \
    check(module##_get_sampling_period(tag) == 0);     \
    module##_enable(tag, 64);                          \
  } while (0)

static void use_sampling_periods(void) {
  use_sampling(wb_lidar, "lidar");
  use_sampling(wb_position_sensor, "sensor");
  use_sampling(wb_gps, "gps");
  use_sampling(wb_inertial_unit, "imu");
  use_sampling(wb_gyro, "gyro");
  use_sampling(wb_accelerometer, "accelerometer");
  use_sampling(wb_distance_sensor, "distance");
  use_sampling(wb_touch_sensor, "touch");
  use_sampling(wb_receiver, "receiver");
  use_sampling(pb_device, "cone");
}

static void use_any_device(WbDeviceTag cone) {
  PbChannel channel;
  size_t count = 0, offset = 0;
  const char* name = NULL;
  PbElementType type = PB_NONE;
  double gain = 4;
  int size = 0;
  check(!strcmp(pb_device_get_type(cone), "Cone") && !strcmp(pb_device_get_api(cone), "Cone"));
  pb_device_enable_every(cone, 2.6);
  check(pb_device_get_sampling_period(cone) == 3);
  pb_device_enable_every(cone, 64);
  check(pb_device_get_sampling_period(cone) == 64);
  check(pb_device_get_number_of_channels(cone) == 2);
  check(pb_device_channel(cone, "ranges", &channel) && channel.type == PB_FLOAT64);
  check(channel.dimensions == 2 && channel.shape[0] == 4 && channel.shape[1] == 5);
  check(channel.count == 20 && channel.element_size == 8 && channel.data != NULL);
  check(!strcmp(channel.unit, "m") && !strcmp(channel.frame, "device"));
  check(pb_device_data(cone, "ranges", PB_FLOAT64, &count) == channel.data && count == 20);
  check(pb_device_data(cone, "ranges", PB_FLOAT32, &count) == NULL && count == 0);
  check(pb_device_data(cone, "nothing", PB_FLOAT64, NULL) == NULL);
  check(pb_device_channel_by_index(cone, 1, &channel) && !strcmp(channel.name, "hits"));
  check(channel.type == PB_RECORD && channel.element_size == 6 && channel.count == 2);
  check(pb_device_record_component(cone, "hits", 1, &name, &type, &offset));
  check(!strcmp(name, "count") && type == PB_UINT16 && offset == 4);
  check(!pb_device_record_component(cone, "hits", 2, NULL, NULL, NULL));
  check(!pb_device_channel_by_index(cone, 2, &channel));
  check(pb_device_command(cone, "gain", &gain, 1));
  gain = 5.5; /* outside of its range */
  check(!pb_device_command(cone, "gain", &gain, 1));
  check(!pb_device_command(cone, "gain", &gain, 0));
  check(!pb_device_command(cone, "volume", &gain, 1));
  check(!pb_device_command_bytes(cone, "gain", "x", 1));
  check(pb_device_number(cone, "none", 3) == 3 && pb_device_text(cone, "none")[0] == 0);
  check(pb_device_list(cone, "none", &size) == NULL && size == 0);
  check(pb_device_get_number_of_messages(cone) == 0);
  check(pb_device_message(cone, &size, NULL, NULL) == NULL);
  pb_device_next_message(cone);
  check(pb_device_layout_hash(cone) != 0);
}

int main(void) {
  check(wb_robot_init() == 1);
  mutex = wb_robot_mutex_new();
  wb_robot_task_new(task, &task_done);
  use_robot();
  use_sampling_periods();
  use_motor(wb_robot_get_device("motor"));
  use_joint_devices(wb_robot_get_device("sensor"), wb_robot_get_device("brake"));
  use_inertial_sensors();
  use_proximity_sensors(wb_robot_get_device("distance"), wb_robot_get_device("touch"));
  use_radio(wb_robot_get_device("emitter"), wb_robot_get_device("receiver"));
  use_any_device(wb_robot_get_device("cone"));
  check(wb_robot_step(32) == 0);
  check(wb_robot_get_time() == 0.5);
  use_lidar(wb_robot_get_device("lidar"));
  wb_robot_step_begin(32);
  check(wb_robot_step_end() == -1);
  for (int done = 0; !done;) {
    wb_robot_mutex_lock(mutex);
    done = task_done;
    wb_robot_mutex_unlock(mutex);
  }
  wb_robot_mutex_delete(mutex);
  wb_robot_cleanup();
  printf(ANSI_RESET "%d failures\n", failures);
  return failures;
}
