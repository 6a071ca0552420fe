/* Receives numbers, checks that none is missing and where they come from. */
#include <math.h>
#include <stdio.h>
#include <webots/receiver.h>
#include <webots/robot.h>

int main(void) {
  int last = 0, bad = 0;
  WbDeviceTag receiver;
  wb_robot_init();
  receiver = wb_robot_get_device("receiver");
  wb_receiver_enable(receiver, 32);
  while (wb_robot_step(32) != -1) {
    while (wb_receiver_get_queue_length(receiver) > 0) {
      const int number = *(const int *)wb_receiver_get_data(receiver);
      const double *direction = wb_receiver_get_emitter_direction(receiver);
      if (last != 0 && number != last + 1) ++bad;
      if (fabs(direction[0] - 1.0) > 1e-9) ++bad;
      if (fabs(wb_receiver_get_signal_strength(receiver) - 0.25) > 1e-9) ++bad;
      last = number;
      wb_receiver_next_packet(receiver);
    }
  }
  printf("last %d bad %d\n", last, bad);
  wb_robot_cleanup();
  return bad == 0 && last > 50 ? 0 : 1;
}
