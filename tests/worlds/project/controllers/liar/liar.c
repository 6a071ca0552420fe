/* Writes nonsense into the link, past the library. */
#include <stdlib.h>
#include <unistd.h>
#include <webots/robot.h>

int main(void) {
  const char nonsense[64] = {1, 2, 3, 4, 5, (char)0xff, (char)0xff, (char)0xff};
  const char *fd = getenv("PROTOBEAM_LINK_FD");
  wb_robot_init();
  wb_robot_step(32);
  if (fd && write(atoi(fd), nonsense, sizeof nonsense) < 0) return 1;
  while (wb_robot_step(32) != -1) {
  }
  return 0;
}
