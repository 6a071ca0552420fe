/* Reads its GPS at every step and counts; tells how often the value was complete. */
#include <math.h>
#include <stdio.h>
#include <webots/gps.h>
#include <webots/robot.h>

int main(void) {
  int good = 0;
  WbDeviceTag gps;
  wb_robot_init();
  gps = wb_robot_get_device("gps");
  wb_gps_enable(gps, 32);
  while (wb_robot_step(32) != -1) {
    const double *p = wb_gps_get_values(gps);
    if (isfinite(p[0]) && fabs(p[0] - 3.0) < 1e-6) ++good;
    if (wb_robot_get_time() > 1.999) {
      printf("samples %d\n", good);
      fflush(stdout);
    }
  }
  wb_robot_cleanup();
  return 0;
}
