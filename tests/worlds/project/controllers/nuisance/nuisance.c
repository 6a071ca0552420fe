/* Is a nuisance in the way that its first argument names. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/motor.h>
#include <webots/robot.h>

static int is(const char *how, const char *what) { return strcmp(how, what) == 0; }

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  const char *word = argc > 2 ? argv[2] : "x";
  const char *fd = getenv("PROTOBEAM_LINK_FD"); /* which wb_robot_init takes out */
  const int link = fd ? atoi(fd) : -1;
  wb_robot_init();
  wb_robot_step(32);
  if (is(how, "steps of no time")) {
    for (;;) wb_robot_step(0);
  }
  if (is(how, "longest step")) {
    printf("returned %d\n", wb_robot_step(2147483647));
    return 0;
  }
  if (is(how, "does not want to end")) {
    signal(SIGTERM, SIG_IGN);
    for (;;) sleep(1);
  }
  if (is(how, "closes its connection")) {
    close(link);
    for (;;) sleep(1);
  }
  if (is(how, "far target")) {
    const WbDeviceTag motor = wb_robot_get_device("motor");
    wb_motor_set_position(motor, 1e308);
    wb_motor_set_velocity(motor, 1e308);
  }
  if (is(how, "leaves processes")) { /* in the group, in another session, and a child of a child */
    if (fork() == 0) execl("/bin/sh", "sh", "-c", "sleep 1000; true", word, (char *)0);
    if (fork() == 0) {
      setsid();
      execl("/bin/sh", "sh", "-c", "sleep 1000 & sleep 1000; true", word, (char *)0);
    }
    wb_robot_step(320);
    return 0;
  }
  if (is(how, "prints much")) { /* 400 kB; a pipe holds 64 */
    for (int i = 0; i < 4000; ++i) printf("line %4d %089d\n", i, 0);
  }
  while (wb_robot_step(32) != -1) {
  }
  return 0;
}
