/* Prints 20 MB in one step. */
#include <stdio.h>
#include <webots/robot.h>

int main(void) {
  int i;
  wb_robot_init();
  wb_robot_step(32);
  for (i = 0; i < 400000; ++i) printf("line %d of a flood that nobody wants to read\n", i);
  while (wb_robot_step(32) != -1) {
  }
  wb_robot_cleanup();
  return 0;
}
