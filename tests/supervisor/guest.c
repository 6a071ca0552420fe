/* A robot that comes while the world runs: says how high it is. */
#include <stdio.h>
#include <webots/gps.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  const WbDeviceTag gps = wb_robot_get_device("gps");
  wb_gps_enable(gps, step);
  while (wb_robot_step(step) != -1) {
    char text[32];
    snprintf(text, sizeof text, "%.6f", wb_gps_get_values(gps)[2]);
    wb_robot_set_custom_data(text);
  }
  wb_robot_cleanup();
  return 0;
}
