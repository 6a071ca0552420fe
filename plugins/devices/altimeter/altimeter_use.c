/* Uses each C function of the Altimeter; the robot stands at a height of 3.5 m. */
#include <math.h>
#include <stdio.h>
#include <webots/altimeter.h>
#include <webots/device.h>
#include <webots/nodes.h>
#include <webots/robot.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)

int main(void) {
  WbDeviceTag altimeter;
  wb_robot_init();
  altimeter = wb_robot_get_device("altimeter");
  check(wb_device_get_node_type(altimeter) == WB_NODE_ALTIMETER);
  check(wb_altimeter_get_sampling_period(altimeter) == 0);
  wb_altimeter_enable(altimeter, 32);
  check(wb_altimeter_get_sampling_period(altimeter) == 32);
  wb_robot_step(32);
  check(fabs(wb_altimeter_get_value(altimeter) - 3.5) < 1e-12);
  wb_altimeter_disable(altimeter);
  check(wb_altimeter_get_sampling_period(altimeter) == 0);
  wb_robot_step(32);
  check(fabs(wb_altimeter_get_value(altimeter) - 3.5) < 1e-12); /* the last one; stderr says that it is disabled */
  wb_robot_cleanup();
  return failures ? 1 : 0;
}
