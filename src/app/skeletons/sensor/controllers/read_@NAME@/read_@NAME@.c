/* Prints the ranges of the robot's @NAME@ twice a second. */
#include <stdio.h>

#include <protobeam/sensor.h>
#include <webots/robot.h>

int main() {
  wb_robot_init();
  const WbDeviceTag sensor = wb_robot_get_device("@NAME@");
  const int time_step = (int)wb_robot_get_basic_time_step();
  pb_sensor_enable(sensor, time_step);

  for (int step = 1; wb_robot_step(time_step) != -1; ++step) {
    if (step * time_step % 500 >= time_step) continue;
    int count = 0;
    const double *ranges = pb_sensor_get_values(sensor, &count);
    printf("%.3f s:", wb_robot_get_time());
    for (int i = 0; i < count; ++i) printf(" %.3f", ranges[i]);
    printf("\n");
  }

  wb_robot_cleanup();
  return 0;
}
