/* Switches the lamps of a GenericTrafficLight: red, orange, green, orange, again and again. What is
 * lit stands in the robot's customData, too.
 *
 *   argument   meaning                                  default
 *   first      red, s                                   20
 *   second     green, s                                 as long as red
 *   third      starts with g (green), r (red),          g
 *              og (orange before green), or (before red)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/led.h>
#include <webots/robot.h>

#define ORANGE_TIME 1.5 /* s */

typedef struct {
  const char *argument, *lamp;
  double duration; /* s */
} Phase;

int main(int argc, char** argv) {
  wb_robot_init();
  const double red = argc > 1 ? atof(argv[1]) : 20, green = argc > 2 ? atof(argv[2]) : red;
  const Phase phases[] = {{"g", "green", green},
                          {"or", "orange", ORANGE_TIME},
                          {"r", "red", red},
                          {"og", "orange", ORANGE_TIME}};
  int now = 0;
  for (int i = 0; i < 4; ++i) {
    if (argc > 3 && strcmp(argv[3], phases[i].argument) == 0) now = i;
  }
  double since = 0;
  int changed = 1;
  do {
    if (wb_robot_get_time() - since >= phases[now].duration) {
      since = wb_robot_get_time();
      now = (now + 1) % 4;
      changed = 1;
    }
    if (!changed) continue;
    const char* lamps[] = {"red", "orange", "green"};
    for (int i = 0; i < 3; ++i) {
      char name[32];
      snprintf(name, sizeof name, "%s light", lamps[i]);
      wb_led_set(wb_robot_get_device(name), strcmp(lamps[i], phases[now].lamp) == 0);
    }
    wb_robot_set_custom_data(phases[now].lamp);
    changed = 0;
  } while (wb_robot_step((int)wb_robot_get_basic_time_step()) != -1);
  wb_robot_cleanup();
  return 0;
}
