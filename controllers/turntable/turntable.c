/* The smallest useful controller: turns a motor half a turn to the left, then to the right, and so
   on, every two seconds. */
#include <protobeam/math.h>
#include <stdio.h>
#include <webots/motor.h>
#include <webots/position_sensor.h>
#include <webots/robot.h>

#define STEP 10 /* ms */

int main(void) {
  wb_robot_init();
  const WbDeviceTag motor = wb_robot_get_device("motor");
  const WbDeviceTag angle = wb_robot_get_device("angle");
  wb_position_sensor_enable(angle, STEP);

  const double half_turn = pb_acos(-1);
  double farthest = 0;
  while (wb_robot_step(STEP) != -1) {
    const int turn = (int)(wb_robot_get_time() / 2);
    wb_motor_set_position(motor, turn % 2 == 0 ? half_turn : 0);
    farthest = fmax(farthest, wb_position_sensor_get_value(angle));
  }

  printf("turntable: turned up to %.2f rad\n", farthest);
  wb_robot_cleanup();
  return 0;
}
