/* Turns its arm by what its lidar sees. "exit STEPS CODE" and "hang STEPS" say how else it ends;
 * "say" tells each step, "late" what the step after a pause of 0.3 s returns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/gps.h>
#include <webots/lidar.h>
#include <webots/motor.h>
#include <webots/robot.h>

static int is(const char *how, const char *what) { return strcmp(how, what) == 0; }

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  const int limit = argc > 2 ? atoi(argv[2]) : 1 << 30;
  WbDeviceTag lidar, motor, gps;
  int steps = 0, late;
  double sum = 0;
  wb_robot_init();
  lidar = wb_robot_get_device("lidar");
  motor = wb_robot_get_device("motor");
  gps = wb_robot_get_device("gps");
  wb_lidar_enable(lidar, 64);
  wb_gps_enable(gps, 32);
  wb_motor_set_position(motor, INFINITY);
  wb_motor_set_velocity(motor, 0.5);
  printf("robot %s\n", wb_robot_get_name());
  while ((late = wb_robot_step(32)) != -1) {
    const float *range = wb_lidar_get_range_image(lidar);
    ++steps;
    if (is(how, "say") || is(how, "hang")) printf("step %d\n", steps);
    if (is(how, "late") && steps == 2) usleep(300000);
    if (is(how, "late") && steps == 3) printf("late %d\n", late);
    if (is(how, "exit") && steps == limit) return atoi(argv[3]);
    if (is(how, "hang") && steps == limit) {
      for (;;) sleep(1);
    }
    sum += wb_gps_get_values(gps)[2];
    if (!range || steps % 2) continue;
    const int n = wb_lidar_get_horizontal_resolution(lidar) * wb_lidar_get_number_of_layers(lidar);
    double mean = 0;
    for (int i = 0; i < n; ++i) mean += isfinite(range[i]) ? range[i] : 20;
    mean /= n;
    sum += mean;
    wb_motor_set_velocity(motor, 0.1 * mean);
  }
  printf("sum %.12f\n", sum);
  if (!is(how, "no cleanup")) wb_robot_cleanup();
  return 0;
}
