/* Runs the belt of a ConveyorBelt.
 *
 *   argument   meaning                                   default
 *   first      speed, m/s                                0.5
 *   second     how long the belt runs, s; 0: always      0
 */
#include <math.h>
#include <stdlib.h>
#include <webots/motor.h>
#include <webots/robot.h>

int main(int argc, char** argv) {
  wb_robot_init();
  const double speed = argc > 1 ? atof(argv[1]) : 0.5, duration = argc > 2 ? atof(argv[2]) : 0;
  const WbDeviceTag motor = wb_robot_get_device("belt_motor");
  wb_motor_set_position(motor, INFINITY);
  wb_motor_set_velocity(motor, speed);
  while (wb_robot_step((int)wb_robot_get_basic_time_step()) != -1) {
    if (duration > 0 && wb_robot_get_time() >= duration) wb_motor_set_velocity(motor, 0);
  }
  wb_robot_cleanup();
  return 0;
}
