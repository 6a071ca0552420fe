/* Sends every linear motor of its robot to and fro between the ends of its way.
 *
 * Motors with a position sensor "NAME position" and distance sensors "NAME front" and "NAME rear"
 * (Traffic with yields TRUE) brake for what is in front of them, and go on when it has gone. */
#include <math.h>
#include <stdio.h>
#include <webots/device.h>
#include <webots/distance_sensor.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#define MAX_CARS 512
#define REST 1.0      /* s at each end; the motor slows down before it */
#define BRAKING 4.0   /* m/s^2 */
#define CLEARANCE 3.0 /* m that are left to what it stops for */
#define PERIOD 50     /* ms, of the sensors */

typedef struct {
  WbDeviceTag motor, position, front, rear;
  double arrival; /* s */
  double speed;   /* m/s, at most */
  double limit;   /* m/s, now */
  double before;  /* m */
  double waited;  /* s, behind what stood in front */
} Car;

static double way(const Car* car) {
  return wb_motor_get_max_position(car->motor) - wb_motor_get_min_position(car->motor);
}

static void drive_to(Car* car, double target, double time) {
  wb_motor_set_position(car->motor, target);
  car->arrival = time + way(car) / car->speed + REST;
}

static WbDeviceTag sensor(const char* car, const char* what) {
  char name[128];
  snprintf(name, sizeof name, "%s %s", car, what);
  /* Not by name: asking for one that is not there is a warning. */
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    const char* a = wb_device_get_name(device);
    const char* b = name;
    while (*a && *a == *b) ++a, ++b;
    if (*a == *b) return device;
  }
  return 0;
}

static void look(Car* car, double time, double dt) {
  const double position = wb_position_sensor_get_value(car->position);
  if (isnan(position)) return;
  const double speed = fabs(position - car->before) / dt;
  car->before = position;
  const double target = wb_motor_get_target_position(car->motor);
  const double left = fabs(target - position);
  const double free =
      wb_distance_sensor_get_value(target > position ? car->front : car->rear) - CLEARANCE;
  /* So fast that it can still stop; one that it would only meet behind its end does not matter. */
  double limit = car->speed;
  if (free < left) limit = free > 0 ? fmin(limit, sqrt(2 * BRAKING * free)) : 0;
  if (limit != car->limit) wb_motor_set_velocity(car->motor, limit);
  car->limit = limit;
  if (limit == 0 && speed < 0.1) car->waited += dt;
  /* Its arrival is when it gets there, not when it would have. */
  if (left > 0.05) car->arrival = time + REST;
}

int main(void) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();

  static Car cars[MAX_CARS];
  int count = 0;
  for (int i = 0; i < wb_robot_get_number_of_devices() && count < MAX_CARS; ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    if (wb_device_get_node_type(device) != WB_NODE_LINEAR_MOTOR) continue;
    Car* car = &cars[count++];
    car->motor = device;
    car->speed = car->limit = wb_motor_get_max_velocity(device);
    drive_to(car, wb_motor_get_max_position(device), 0);
    car->position = sensor(wb_device_get_name(device), "position");
    car->front = sensor(wb_device_get_name(device), "front");
    car->rear = sensor(wb_device_get_name(device), "rear");
    if (!car->position || !car->front || !car->rear) {
      car->position = 0;
      continue;
    }
    wb_motor_set_acceleration(device, BRAKING);
    wb_position_sensor_enable(car->position, PERIOD);
    wb_distance_sensor_enable(car->front, PERIOD);
    wb_distance_sensor_enable(car->rear, PERIOD);
  }

  double looked = 0;
  while (wb_robot_step(step) != -1) {
    const double time = wb_robot_get_time();
    if (time - looked > PERIOD * 1e-3 - 1e-6) {
      for (int i = 0; i < count; ++i) {
        if (cars[i].position) look(&cars[i], time, time - looked);
      }
      looked = time;
    }
    for (int i = 0; i < count; ++i) {
      if (time < cars[i].arrival) continue;
      const double begin = wb_motor_get_min_position(cars[i].motor);
      const double end = wb_motor_get_max_position(cars[i].motor);
      drive_to(&cars[i], wb_motor_get_target_position(cars[i].motor) == end ? begin : end, time);
    }
  }

  double waited = 0;
  for (int i = 0; i < count; ++i) waited += cars[i].waited;
  printf("%s: moved %d cars", wb_robot_get_name(), count);
  if (waited > 0) printf(", which gave way for %.1f s", waited);
  printf("\n");
  wb_robot_cleanup();
  return 0;
}
