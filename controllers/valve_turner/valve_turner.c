/* Keeps the wheel of a SmallValve or LargeValve between its stops. In between the wheel turns
 * freely but for the joint's friction, whoever turns it.
 *
 *   argument   meaning                                   default
 *   first      angle of the stops to both sides, rad     15.7079632679
 */
#include <math.h>
#include <stdlib.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

int main(int argc, char** argv) {
  wb_robot_init();
  const int step = (int)wb_robot_get_basic_time_step();
  const double stop = fabs(argc > 1 ? atof(argv[1]) : 15.7079632679);
  const WbDeviceTag motor = wb_robot_get_device("rotational motor");
  const WbDeviceTag sensor = wb_robot_get_device("position sensor");
  wb_position_sensor_enable(sensor, step);
  wb_motor_set_available_torque(motor, 0);
  while (wb_robot_step(step) != -1) {
    const double angle = wb_position_sensor_get_value(sensor);
    if (fabs(angle) > stop) {
      wb_motor_set_available_torque(motor, wb_motor_get_max_torque(motor));
      wb_motor_set_position(motor, copysign(stop, angle));
    } else {
      wb_motor_set_available_torque(motor, 0);
    }
  }
  wb_robot_cleanup();
  return 0;
}
