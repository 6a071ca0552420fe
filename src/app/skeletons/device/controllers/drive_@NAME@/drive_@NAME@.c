/* Pushes the robot towards the wall with its @NAME@, and prints what that measures. */
#include <protobeam/device.h>
#include <stdio.h>
#include <webots/robot.h>

int main() {
  wb_robot_init();
  const WbDeviceTag device = wb_robot_get_device("@NAME@");
  const int time_step = (int)wb_robot_get_basic_time_step();
  pb_device_enable(device, time_step);
  const double lag = 0.1, thrust = 0.5 * pb_device_number(device, "maxThrust", 0);
  pb_device_command(device, "lag", &lag, 1);
  pb_device_command(device, "thrust", &thrust, 1);

  for (int step = 1; wb_robot_step(time_step) != -1; ++step) {
    if (step * time_step % 500 >= time_step) continue;
    PbChannel ranges;
    if (!pb_device_channel(device, "ranges", &ranges)) break;
    const size_t rows = ranges.shape[0], columns = ranges.shape[1];
    const float *ahead = (const float *)ranges.data + rows / 2 * columns;
    const double *now = pb_device_data(device, "thrust", PB_FLOAT64, NULL);
    const int *contacts = pb_device_data(device, "contacts", PB_INT32, NULL);
    printf("%.3f s: %.2f N, %d contacts, ahead:", wb_robot_get_time(), *now, *contacts);
    for (size_t i = 0; i < columns; ++i) printf(" %.3f", ahead[i]);
    printf("\n");
  }

  wb_robot_cleanup();
  return 0;
}
