/* Drives ahead; turns left while something is near in front. */
#include <math.h>
#include <stdio.h>

#include <webots/lidar.h>
#include <webots/motor.h>
#include <webots/robot.h>

static const double kCruise = 5.0;  /* rad/s of the wheels */
static const double kNear = 1.5;    /* m */
static const double kAhead = 0.4;   /* rad to each side */

/* Nearest return ahead in the layer below the horizon, which meets the floor far away. */
static double clearance(WbDeviceTag lidar) {
  const int columns = wb_lidar_get_horizontal_resolution(lidar);
  const int layer = wb_lidar_get_number_of_layers(lidar) / 2;
  const float *ranges = wb_lidar_get_layer_range_image(lidar, layer);
  const int margin = (int)(kAhead / wb_lidar_get_fov(lidar) * columns);
  double nearest = INFINITY;
  /* Column 0 is the leftmost: of a full circle the middle one looks ahead. */
  for (int i = columns / 2 - margin; i <= columns / 2 + margin; ++i) {
    if (ranges[i] < nearest) nearest = ranges[i];
  }
  return nearest;
}

int main() {
  wb_robot_init();
  const int time_step = (int)wb_robot_get_basic_time_step();
  const int sampling_period = 4 * time_step;

  const WbDeviceTag lidar = wb_robot_get_device("lidar");
  wb_lidar_enable(lidar, sampling_period);

  const char *names[] = {"front left wheel", "rear left wheel", "front right wheel",
                         "rear right wheel"};
  WbDeviceTag wheels[4];
  for (int i = 0; i < 4; ++i) {
    wheels[i] = wb_robot_get_device(names[i]);
    wb_motor_set_position(wheels[i], INFINITY); /* controlled by velocity from here on */
    wb_motor_set_velocity(wheels[i], 0);
  }

  wb_robot_step(sampling_period); /* the first scan */
  int turning = 0;
  while (wb_robot_step(sampling_period) != -1) {
    const int near = clearance(lidar) < kNear;
    if (near != turning) {
      turning = near;
      printf("%.3f s: %s\n", wb_robot_get_time(), turning ? "turning" : "driving on");
    }
    for (int i = 0; i < 4; ++i) {
      const int left = i < 2;
      wb_motor_set_velocity(wheels[i], turning && left ? -kCruise : kCruise);
    }
  }

  wb_robot_cleanup();
  return 0;
}
