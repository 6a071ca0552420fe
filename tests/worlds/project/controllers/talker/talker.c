/* Sends its step number at every step. */
#include <stdio.h>
#include <webots/emitter.h>
#include <webots/robot.h>

int main(void) {
  int number = 0;
  WbDeviceTag emitter;
  wb_robot_init();
  emitter = wb_robot_get_device("emitter");
  while (wb_robot_step(32) != -1) {
    ++number;
    wb_emitter_send(emitter, &number, sizeof number);
  }
  wb_robot_cleanup();
  return 0;
}
