/* Enables every lidar of its robot, whatever they are called, and counts what they see. */
#include <math.h>
#include <stdio.h>
#include <webots/device.h>
#include <webots/lidar.h>
#include <webots/robot.h>

#define MAX_LIDARS 16
#define PERIOD 100 /* ms */

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();

  WbDeviceTag lidars[MAX_LIDARS];
  int count = 0;
  for (int i = 0; i < wb_robot_get_number_of_devices() && count < MAX_LIDARS; ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(device) != WB_NODE_LIDAR) continue;
    wb_lidar_enable(device, PERIOD);
    wb_lidar_enable_point_cloud(device);
    lidars[count++] = device;
  }

  /* Once a second: how many beams of each lidar came back. */
  double next_report = 1;
  while (wb_robot_step(step) != -1) {
    if (wb_robot_get_time() < next_report - 1e-6) continue;
    next_report += 1;
    printf("%s %.0f s:", wb_robot_get_name(), wb_robot_get_time());
    for (int i = 0; i < count; ++i) {
      const float* range = wb_lidar_get_range_image(lidars[i]);
      const int beams =
          wb_lidar_get_number_of_layers(lidars[i]) * wb_lidar_get_horizontal_resolution(lidars[i]);
      int returns = 0;
      for (int k = 0; range && k < beams; ++k) returns += isfinite(range[k]) ? 1 : 0;
      printf("  %s %d of %d", wb_device_get_name(lidars[i]), returns, beams);
    }
    printf("\n");
    fflush(stdout);
  }

  wb_robot_cleanup();
  return 0;
}
