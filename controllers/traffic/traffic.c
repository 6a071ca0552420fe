/* Sends every linear motor of its robot to and fro between the ends of its way. */
#include <stdio.h>
#include <webots/device.h>
#include <webots/motor.h>
#include <webots/robot.h>

#define MAX_CARS 512
#define REST 1.0 /* s at each end; the motor slows down before it */

typedef struct {
  WbDeviceTag motor;
  double arrival; /* s */
} Car;

static void drive_to(Car* car, double target, double time) {
  const double way = wb_motor_get_max_position(car->motor) - wb_motor_get_min_position(car->motor);
  wb_motor_set_position(car->motor, target);
  car->arrival = time + way / wb_motor_get_max_velocity(car->motor) + REST;
}

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();

  static Car cars[MAX_CARS];
  int count = 0;
  for (int i = 0; i < wb_robot_get_number_of_devices() && count < MAX_CARS; ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(device) != WB_NODE_LINEAR_MOTOR) continue;
    cars[count].motor = device;
    drive_to(&cars[count++], wb_motor_get_max_position(device), 0);
  }

  while (wb_robot_step(step) != -1) {
    const double time = wb_robot_get_time();
    for (int i = 0; i < count; ++i) {
      if (time < cars[i].arrival) continue;
      const double begin = wb_motor_get_min_position(cars[i].motor);
      const double end = wb_motor_get_max_position(cars[i].motor);
      drive_to(&cars[i], wb_motor_get_target_position(cars[i].motor) == end ? begin : end, time);
    }
  }

  printf("%s: moved %d cars\n", wb_robot_get_name(), count);
  wb_robot_cleanup();
  return 0;
}
