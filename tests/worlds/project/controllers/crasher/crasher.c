/* Ends in the way that its first argument names, after 20 steps. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webots/robot.h>

int main(int argc, char **argv) {
  int i;
  const char *how = argc > 1 ? argv[1] : "exit";
  wb_robot_init();
  for (i = 0; i < 20; ++i) wb_robot_step(32);
  if (strcmp(how, "kill") == 0) kill(getpid(), SIGKILL);
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "segv") == 0) {
    signal(SIGSEGV, SIG_DFL); /* AddressSanitizer's handler would exit instead */
    raise(SIGSEGV);
  }
  printf("leaving\n");
  return strcmp(how, "good") == 0 ? 0 : 7;
}
