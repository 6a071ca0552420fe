/* Prints the keys of each step: typist PERIOD [again]. "again": once more after a step of 0 ms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/keyboard.h>
#include <webots/robot.h>

static void print_keys(void) {
  int key;
  while ((key = wb_keyboard_get_key()) != -1) {
    printf(" %d%s%s", key & WB_KEYBOARD_KEY, key & WB_KEYBOARD_SHIFT ? "+shift" : "",
           key & WB_KEYBOARD_CONTROL ? "+control" : "");
  }
}

int main(int argc, char **argv) {
  const int period = argc > 1 ? atoi(argv[1]) : 0;
  int step;
  wb_robot_init();
  step = (int)wb_robot_get_basic_time_step();
  if (period > 0) wb_keyboard_enable(period);
  while (wb_robot_step(step) != -1) {
    printf("%.0f:", 1000 * wb_robot_get_time());
    if (period > 0) print_keys();
    if (argc > 2 && strcmp(argv[2], "again") == 0) {
      wb_robot_step(0);
      printf(" |");
      print_keys();
    }
    printf("\n");
  }
  wb_robot_cleanup();
  return 0;
}
