/* Stops to step and sleeps for ever. */
#include <unistd.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  wb_robot_step(32);
  while (1) sleep(1000);
}
