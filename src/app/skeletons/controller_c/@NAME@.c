/* Drives every motor of its robot slowly and prints what its lidars see. */
#include <math.h>
#include <stdio.h>

#include <webots/device.h>
#include <webots/lidar.h>
#include <webots/motor.h>
#include <webots/nodes.h>
#include <webots/robot.h>

static float nearest(WbDeviceTag lidar) {
  const int count = wb_lidar_get_horizontal_resolution(lidar) * wb_lidar_get_number_of_layers(lidar);
  const float *ranges = wb_lidar_get_range_image(lidar);
  float nearest = INFINITY;
  for (int i = 0; i < count; ++i) {
    if (ranges[i] < nearest) nearest = ranges[i];
  }
  return nearest;
}

int main() {
  wb_robot_init();
  const int time_step = (int)wb_robot_get_basic_time_step();
  const int sampling_period = 4 * time_step;

  const int devices = wb_robot_get_number_of_devices();
  for (int i = 0; i < devices; ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(device) == WB_NODE_LIDAR) wb_lidar_enable(device, sampling_period);
    if (wb_device_get_node_type(device) == WB_NODE_ROTATIONAL_MOTOR) {
      wb_motor_set_position(device, INFINITY); /* controlled by velocity from here on */
      wb_motor_set_velocity(device, 1.0);
    }
  }

  wb_robot_step(sampling_period); /* the first samples */
  while (wb_robot_step(sampling_period) != -1) {
    for (int i = 0; i < devices; ++i) {
      const WbDeviceTag device = wb_robot_get_device_by_index(i);
      if (wb_device_get_node_type(device) != WB_NODE_LIDAR) continue;
      printf("%.3f s: %s: nearest return at %.3f m\n", wb_robot_get_time(),
             wb_device_get_name(device), nearest(device));
    }
  }

  wb_robot_cleanup();
  return 0;
}
