/* Sends every linear motor of its robot to and fro between the ends of its way. */
#include <math.h>
#include <stdio.h>

#include <webots/device.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#define MAX_CARS 512

typedef struct {
  WbDeviceTag motor, sensor;
  double target; /* m along the way */
} Car;

static void drive_to(Car *car, double target) {
  car->target = target;
  wb_motor_set_position(car->motor, target);
}

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();

  static Car cars[MAX_CARS];
  int count = 0;
  for (int i = 0; i < wb_robot_get_number_of_devices() && count < MAX_CARS; ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(device) != WB_NODE_LINEAR_MOTOR) continue;
    Car *car = &cars[count++];
    car->motor = device;
    car->sensor = wb_motor_get_position_sensor(device);
    wb_position_sensor_enable(car->sensor, step);
    drive_to(car, wb_motor_get_max_position(device));
  }

  while (wb_robot_step(step) != -1) {
    for (int i = 0; i < count; ++i) {
      /* Near the end of the way: turn back. The motor has slowed down by then. */
      if (fabs(wb_position_sensor_get_value(cars[i].sensor) - cars[i].target) > 0.1) continue;
      const double begin = wb_motor_get_min_position(cars[i].motor);
      const double end = wb_motor_get_max_position(cars[i].motor);
      drive_to(&cars[i], cars[i].target == end ? begin : end);
    }
  }

  printf("%s: moved %d cars\n", wb_robot_get_name(), count);
  wb_robot_cleanup();
  return 0;
}
