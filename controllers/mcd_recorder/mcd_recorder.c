/* Samples the devices of McdAtv and McdHhs at the rates of the Multi-Campus Dataset; write what
   they measure with `run --out DIR --channels all`.

   Periods are exact where they are whole numbers of basicTimeStep; 1/1200 s fits them all. An
   argument NAME=HZ gives a device another rate, NAME=0 switches it off. */
#include <protobeam/device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/device.h>
#include <webots/robot.h>

#define STEP 5 /* ms */

/* By how a device's name begins or ends. */
static const struct {
  const char* part;
  double rate; /* Hz */
} rates[] = {{"trajectory", 400}, {"os1_imu", 100}, {"vn200_gps", 400}, {"_imu", 400},
             {"vn100", 400},      {"vn200", 400},   {"os1", 10},        {"mid70", 10},
             {"_infra1", 30},     {"_infra2", 30},  {"_color", 30},     {"_depth", 30},
             {"ltp_tag", 20}};

static double rate_of(const char* name, int argc, char** argv) {
  const size_t length = strlen(name);
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], name, length) == 0 && argv[i][length] == '=') {
      return strtod(argv[i] + length + 1, NULL);
    }
  }
  for (size_t i = 0; i < sizeof rates / sizeof *rates; ++i) {
    if (strstr(name, rates[i].part)) return rates[i].rate;
  }
  return 0;
}

int main(int argc, char** argv) {
  wb_robot_init();
  const double step = wb_robot_get_basic_time_step();
  for (int i = 0; i < wb_robot_get_number_of_devices(); ++i) {
    const WbDeviceTag device = wb_robot_get_device_by_index(i);
    const char* name = wb_device_get_name(device);
    const double rate = rate_of(name, argc, argv);
    if (!(rate > 0)) continue;
    const double steps = 1000 / rate / step;
    const double nearest = steps < 1 ? 1 : (double)(long)(steps + 0.5);
    if (steps < 0.999 * nearest || steps > 1.001 * nearest) {
      printf("%s: %g Hz instead of %g Hz, since basicTimeStep is %g ms\n", name,
             1000 / (nearest * step), rate, step);
    }
    pb_device_enable_every(device, 1000 / rate);
  }
  fflush(stdout);
  while (wb_robot_step(STEP) != -1) {
  }
  wb_robot_cleanup();
  return 0;
}
