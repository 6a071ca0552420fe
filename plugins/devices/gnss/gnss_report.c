/* Prints the numbers of all devices of its robot after each step: "TIME DEVICE.CHANNEL NUMBERS". It
   enables them with the period of its first argument, ms. */
#include <protobeam/device.h>
#include <stdio.h>
#include <stdlib.h>
#include <webots/device.h>
#include <webots/robot.h>

static void report(WbDeviceTag device) {
  PbChannel channel;
  size_t i;
  for (int c = 0; c < pb_device_get_number_of_channels(device); ++c) {
    /* Records of a Gnss hold doubles only. */
    const double* numbers;
    if (!pb_device_channel_by_index(device, c, &channel)) continue;
    if (channel.type != PB_FLOAT64 && channel.type != PB_RECORD) continue;
    numbers = (const double*)channel.data;
    printf("%.9f %s.%s", wb_robot_get_time(), wb_device_get_name(device), channel.name);
    for (i = 0; i < channel.count * channel.element_size / sizeof(double); ++i)
      printf(" %.17g", numbers[i]);
    printf("\n");
  }
}

int main(int count, char** words) {
  wb_robot_init();
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i)
    pb_device_enable(wb_robot_get_device_by_index(i), count > 1 ? atoi(words[1]) : 10);
  while (wb_robot_step(10) != -1)
    for (int i = 0; i < wb_robot_get_number_of_devices(); ++i)
      report(wb_robot_get_device_by_index(i));
  wb_robot_cleanup();
  return 0;
}
