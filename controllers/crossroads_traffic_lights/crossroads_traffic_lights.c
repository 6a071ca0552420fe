/* Switches the lamps of a CrossRoadsTrafficLight, whose four poles have three lights each: two for
 * those who go straight ahead or right, one for those who turn left. Ways that do not cross are
 * green together; all others are red meanwhile. */
#include <stdio.h>
#include <webots/led.h>
#include <webots/robot.h>

#define LIGHTS 12
#define PHASES 4
#define ORANGE_TIME 2.0 /* s */

/* Which phase a light is green in: straight ahead and right of two opposite roads, then of the
 * others, then left of these and of those. */
static const int kPhaseOf[LIGHTS] = {0, 0, 2, 1, 1, 3, 0, 0, 2, 1, 1, 3};
static const double kGreenTime[PHASES] = {8, 8, 10, 8}; /* s */

static void show(int light, const char* lit) {
  const char* lamps[] = {"red", "orange", "green"};
  for (int i = 0; i < 3; ++i) {
    char name[32];
    snprintf(name, sizeof name, "%s light %d", lamps[i], light);
    wb_led_set(wb_robot_get_device(name), lamps[i][0] == lit[0]);
  }
}

int main(void) {
  wb_robot_init();
  int phase = 0, orange = 0;
  double since = 0;
  for (int first = 1;; first = 0) {
    const double lasted = wb_robot_get_time() - since;
    const int over = lasted >= (orange ? ORANGE_TIME : kGreenTime[phase]);
    if (over) {
      since += lasted;
      if (orange) phase = (phase + 1) % PHASES;
      orange = !orange;
    }
    for (int light = 0; light < LIGHTS && (first || over); ++light) {
      show(light, kPhaseOf[light] != phase ? "red" : orange ? "orange" : "green");
    }
    if (wb_robot_step((int)wb_robot_get_basic_time_step()) == -1) break;
  }
  wb_robot_cleanup();
  return 0;
}
