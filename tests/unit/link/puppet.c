/* A controller that does what its first argument says. */
#include <math.h>
#include <protobeam/device.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/brake.h>
#include <webots/distance_sensor.h>
#include <webots/emitter.h>
#include <webots/gps.h>
#include <webots/keyboard.h>
#include <webots/lidar.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/receiver.h>
#include <webots/robot.h>
#include <webots/touch_sensor.h>

static void print_robot(void) {
  printf("%s|%s|%s|%s|%s|%s|%g|%d|%d\n", wb_robot_get_name(), wb_robot_get_model(),
         wb_robot_get_custom_data(), wb_robot_get_controller_name(), wb_robot_get_project_path(),
         wb_robot_get_world_path(), wb_robot_get_basic_time_step(), wb_robot_get_synchronization(),
         wb_robot_get_supervisor());
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag tag = wb_robot_get_device_by_index(i);
    printf("%d %s %s %d %d\n", tag, wb_device_get_name(tag), wb_device_get_model(tag),
           wb_device_get_node_type(tag), wb_robot_get_device(wb_device_get_name(tag)));
  }
}

static void step_until_end(void) {
  int result;
  while ((result = wb_robot_step(32)) != -1) printf("t=%.3f r=%d\n", wb_robot_get_time(), result);
  printf("end\n");
}

static int count_steps(void) {
  int count = 0;
  while (wb_robot_step(32) != -1 && ++count < 3) {
  }
  return count;
}

/* The first three texts of its window, and how many there are, of many. */
static void read_window(void) {
  for (int i = 0; i < 3; ++i) wb_robot_step(32);
  for (int i = 0; i < 3; ++i) printf("%s\n", wb_robot_wwi_receive_text());
  int count = 3;
  while (wb_robot_wwi_receive_text()) ++count;
  printf("%d\n", count);
}

static volatile int theirs = -1;

static void step_too(void* unused) {
  (void)unused;
  theirs = count_steps();
}

static void step_in_two_threads(void) {
  wb_robot_task_new(step_too, NULL);
  const int ours = count_steps();
  while (theirs < 0) usleep(1000);
  printf("%d and %d\n", ours, theirs);
}

static void read_lidar(void) {
  const WbDeviceTag lidar = wb_robot_get_device("lidar");
  wb_lidar_enable(lidar, 32);
  wb_lidar_enable_point_cloud(lidar);
  printf("null %d %d %d\n", !wb_lidar_get_range_image(lidar), !wb_lidar_get_layer_range_image(lidar, 1),
         !wb_lidar_get_point_cloud(lidar));
  wb_robot_step_begin(32);
  printf("null %d\n", !wb_lidar_get_range_image(lidar));
  wb_robot_step_end();
  const float* before = wb_lidar_get_range_image(lidar);
  const WbLidarPoint* points_before = wb_lidar_get_point_cloud(lidar);
  printf("zero %g %g\n", before[0], points_before[0].x);
  wb_lidar_disable(lidar);
  printf("last %d null %d %d\n", wb_lidar_get_range_image(lidar) == before,
         !wb_lidar_get_layer_range_image(lidar, 1), !wb_lidar_get_point_cloud(lidar));
  wb_lidar_enable(lidar, 32);
  while (wb_robot_step(32) != -1) {
    const int columns = wb_lidar_get_horizontal_resolution(lidar);
    const float* image = wb_lidar_get_range_image(lidar);
    const float* layer = wb_lidar_get_layer_range_image(lidar, 1);
    const WbLidarPoint* points = wb_lidar_get_layer_point_cloud(lidar, 1);
    printf("same %d layer %d of %dx%d\n", image == before, layer == image + columns,
           wb_lidar_get_number_of_layers(lidar), columns);
    printf("range %g %g inf %d\n", image[0], layer[columns - 1], isinf(image[1]) != 0);
    printf("point %g %g %g %d %g\n", points[columns - 1].x, points[columns - 1].y,
           points[columns - 1].z, points[columns - 1].layer_id, points[columns - 1].time);
  }
}

static void command_everything(void) {
  const WbDeviceTag motor = wb_robot_get_device("motor"), brake = wb_robot_get_device("brake");
  wb_motor_set_position(motor, INFINITY);
  wb_motor_set_velocity(motor, -2.5);
  wb_motor_set_acceleration(motor, 3);
  wb_motor_set_torque(motor, 4);
  wb_motor_set_available_torque(motor, 5);
  wb_motor_set_control_pid(motor, 6, 7, 8);
  wb_motor_enable_torque_feedback(motor, 64);
  wb_brake_set_damping_constant(brake, 9);
  wb_position_sensor_enable(wb_motor_get_position_sensor(motor), 16);
  wb_robot_set_custom_data("new data");
  printf("%g %g %s\n", wb_motor_get_target_position(motor), wb_motor_get_velocity(motor),
         wb_robot_get_custom_data());
  wb_robot_step(0);
}

static void move_coupled(void) {
  const WbDeviceTag a = wb_robot_get_device("arm::a"), b = wb_robot_get_device("arm::b");
  wb_motor_set_velocity(a, -1); /* refused: the motor is told a position */
  printf("%g %g\n", wb_motor_get_velocity(a), wb_motor_get_velocity(b));
  wb_motor_set_position(a, 0.5);
  wb_motor_set_velocity(a, 2);
  printf("%g %g %g %g\n", wb_motor_get_target_position(a), wb_motor_get_velocity(a),
         wb_motor_get_target_position(b), wb_motor_get_velocity(b));
  wb_motor_set_position(b, -INFINITY);
  wb_motor_set_velocity(a, -3);
  wb_motor_set_available_torque(a, 1);
  printf("%g %g %g %g\n", wb_motor_get_target_position(a), wb_motor_get_velocity(a),
         wb_motor_get_velocity(b), wb_motor_get_available_force(b));
  wb_motor_set_control_pid(a, 0, 0, 0);
  wb_robot_step(32);
}

static void changed(void) {
  const WbDeviceTag motor = wb_robot_get_device("motor");
  const WbDeviceTag receiver = wb_robot_get_device("receiver");
  wb_motor_set_position(motor, 100);
  wb_receiver_set_channel(receiver, 4);
  printf("%g %g %d\n", wb_motor_get_target_position(motor), wb_motor_get_max_velocity(motor),
         wb_receiver_get_channel(receiver));
  wb_robot_step(32);
  printf("%g %g %d\n", wb_motor_get_target_position(motor), wb_motor_get_max_velocity(motor),
         wb_receiver_get_channel(receiver));
  wb_receiver_set_channel(receiver, 5);
  printf("%d\n", wb_receiver_get_channel(receiver));
  wb_robot_step(32);
}

static void touch(void) {
  const WbDeviceTag one = wb_robot_get_device("touch"), three = wb_robot_get_device("touch-3d");
  wb_touch_sensor_enable(one, 32);
  wb_touch_sensor_enable(three, 32);
  wb_robot_step(32);
  printf("%g %d\n", wb_touch_sensor_get_value(one), wb_touch_sensor_get_values(one) == NULL);
  printf("%d %g\n", isnan(wb_touch_sensor_get_value(three)), wb_touch_sensor_get_values(three)[2]);
}

static void read_sensors(void) {
  const WbDeviceTag gps = wb_robot_get_device("gps"), custom = wb_robot_get_device("cone");
  wb_gps_enable(gps, 32);
  pb_device_enable(custom, 32);
  const double* position = wb_gps_get_values(gps);
  size_t count = 0;
  const double* values = pb_device_data(custom, "ranges", PB_FLOAT64, &count);
  printf("%g %g\n", position[0], values[0]);
  wb_robot_step(32);
  printf("%g %g %g %g %g\n", position[0], position[1], position[2], wb_gps_get_speed(gps),
         wb_gps_get_speed_vector(gps)[2]);
  printf("%d %g\n", (int)count, values[count - 1]);
  wb_gps_disable(gps);
  printf("%d %g\n", wb_gps_get_values(gps) == position, wb_gps_get_speed(gps));
}

static void misuse(void) {
  const WbDeviceTag motor = wb_robot_get_device("motor"), lidar = wb_robot_get_device("lidar");
  printf("%d\n", wb_robot_get_device("nothing"));
  printf("%d\n", wb_lidar_get_range_image(lidar) == NULL);
  printf("%d\n", isnan(wb_position_sensor_get_value(wb_robot_get_device("sensor"))) != 0);
  printf("%d\n", wb_lidar_get_number_of_layers(motor));
  printf("%d\n", wb_gps_get_values(999) == NULL);
  wb_motor_set_velocity(motor, NAN);
  wb_motor_set_torque(motor, INFINITY);
  wb_lidar_enable(lidar, -1);
  wb_lidar_set_frequency(lidar, 99);
  wb_lidar_enable(lidar, 32);
  printf("%d\n", wb_lidar_get_layer_range_image(lidar, 7) == NULL);
  printf("%d\n", wb_lidar_get_point_cloud(lidar) == NULL);
  wb_robot_step(50);
}

static void radio(void) {
  const WbDeviceTag emitter = wb_robot_get_device("emitter");
  const WbDeviceTag receiver = wb_robot_get_device("receiver");
  static char large[1000000];
  for (size_t i = 0; i < sizeof large; ++i) large[i] = (char)(i * 7 % 251);
  wb_receiver_enable(receiver, 32);
  wb_emitter_send(emitter, "a\0b", 3);
  printf("%d\n", wb_emitter_send(emitter, large, sizeof large));
  wb_emitter_set_channel(emitter, 5);
  wb_robot_step(32);
  while (wb_receiver_get_queue_length(receiver) > 0) {
    const int size = wb_receiver_get_data_size(receiver);
    const double* to = wb_receiver_get_emitter_direction(receiver);
    printf("%d %d %g %g\n", size, memcmp(wb_receiver_get_data(receiver), large, (size_t)size) == 0,
           wb_receiver_get_signal_strength(receiver), to[1]);
    wb_receiver_next_packet(receiver);
  }
  wb_receiver_next_packet(receiver); /* nothing to drop: nothing to say */
}

static void send_slowly(void) {
  const WbDeviceTag emitter = wb_robot_get_device("emitter");
  static char packet[60];
  int results[4];
  results[0] = wb_emitter_send(emitter, packet, 60);
  wb_emitter_set_channel(emitter, 7);
  results[1] = wb_emitter_send(emitter, packet, 40);
  wb_emitter_set_channel(emitter, 8);
  results[2] = wb_emitter_send(emitter, packet, 1); /* the buffer is full */
  wb_robot_step(16);
  wb_robot_step(16);
  results[3] = wb_emitter_send(emitter, packet, 60);
  printf("%d %d %d %d\n", results[0], results[1], results[2], results[3]);
  for (int i = 0; i < 4; ++i) wb_robot_step(16);
}

static void radio_off(void) {
  const WbDeviceTag receiver = wb_robot_get_device("receiver");
  wb_receiver_enable(receiver, 32);
  wb_robot_step(32);
  wb_receiver_disable(receiver);
  printf("%d", wb_receiver_get_queue_length(receiver));
  printf(" %d\n", wb_receiver_get_data_size(receiver));
}

static void fill_receiver(void) {
  const WbDeviceTag receiver = wb_robot_get_device("receiver");
  wb_receiver_enable(receiver, 16);
  for (int i = 0; i < 3; ++i) {
    if (i == 2) wb_receiver_next_packet(receiver);
    wb_robot_step(16);
    printf("%d %s\n", wb_receiver_get_queue_length(receiver),
           (const char*)wb_receiver_get_data(receiver));
  }
}

static void read_keyboard(void) {
  const int periods[] = {64, 0, 32, -1};
  for (size_t i = 0; i < sizeof periods / sizeof *periods; ++i) {
    wb_keyboard_enable(periods[i]);
    printf("%d:", wb_keyboard_get_sampling_period());
    printf(" %d", wb_keyboard_get_key());
    wb_robot_step(32);
    for (int key = 0; key != -1;) printf(" %d", key = wb_keyboard_get_key());
    printf(" %d\n", wb_keyboard_get_key());
  }
  wb_keyboard_disable();
  printf("%d\n", wb_keyboard_get_sampling_period());
  wb_robot_step(32);
}

static void flood(size_t bytes) {
  static char line[1024];
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  for (size_t written = 0; written < bytes; written += sizeof line) {
    fwrite(line, sizeof line, 1, stdout);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  const int number = argc > 2 ? atoi(argv[2]) : 0;
  if (!strcmp(mode, "ignore-terminate")) signal(SIGTERM, SIG_IGN);
  wb_robot_init();
  if (!strcmp(mode, "robot")) print_robot();
  if (!strcmp(mode, "steps")) step_until_end();
  if (!strcmp(mode, "lidar")) read_lidar();
  if (!strcmp(mode, "commands")) command_everything();
  if (!strcmp(mode, "coupled")) move_coupled();
  if (!strcmp(mode, "touch")) touch();
  if (!strcmp(mode, "changed")) changed();
  if (!strcmp(mode, "sensors")) read_sensors();
  if (!strcmp(mode, "misuse")) misuse();
  if (!strcmp(mode, "radio")) radio();
  if (!strcmp(mode, "radio-slowly")) send_slowly();
  if (!strcmp(mode, "radio-off")) radio_off();
  if (!strcmp(mode, "radio-full")) fill_receiver();
  if (!strcmp(mode, "keyboard")) read_keyboard();
  if (!strcmp(mode, "past-the-end")) {
    for (;;) printf("r=%d\n", wb_robot_step(32));
  }
  if (!strcmp(mode, "two-threads")) step_in_two_threads();
  if (!strcmp(mode, "window")) read_window();
  if (!strcmp(mode, "halves")) {
    wb_robot_step_begin(32);
    printf("between %g\n", wb_robot_get_time());
    const int result = wb_robot_step_end();
    printf("%d %g\n", result, wb_robot_get_time());
  }
  if (!strcmp(mode, "streams")) {
    fprintf(stdout, "to stdout\npart");
    fprintf(stderr, "to stderr\n");
    fprintf(stdout, "ial\r\nwithout end");
  }
  if (!strcmp(mode, "flood")) flood((size_t)number << 20);
  if (!strcmp(mode, "long-line")) {
    for (int i = 0; i < number; ++i) putchar('y');
    printf("\nnext\n");
  }
  if (!strcmp(mode, "many-steps")) {
    for (int i = 0; i < number; ++i) wb_robot_step(32);
  }
  if (!strcmp(mode, "environment")) {
    char folder[4096];
    printf("%s\n%s\n", getenv(argv[2]) ? getenv(argv[2]) : "", getcwd(folder, sizeof folder));
  }
  if (!strcmp(mode, "abort")) abort();
  if (!strcmp(mode, "segv")) {
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would catch it */
    raise(SIGSEGV);
  }
  if (!strcmp(mode, "write-sample")) {
    const WbDeviceTag gps = wb_robot_get_device("gps");
    signal(SIGSEGV, SIG_DFL);
    wb_gps_enable(gps, 32);
    *(double*)wb_gps_get_values(gps) = 1;
  }
  if (!strcmp(mode, "exit")) exit(number);
  if (!strcmp(mode, "hang") || !strcmp(mode, "ignore-terminate")) {
    printf("%d\n", (int)getpid());
    for (;;) pause();
  }
  if (!strcmp(mode, "leave-child")) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    printf("%d\n", (int)child);
  }
  wb_robot_cleanup();
  return 0;
}
