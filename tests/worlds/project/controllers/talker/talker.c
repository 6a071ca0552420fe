/* Sends its step number at every step. What it sends must not come to its own receiver. */
#include <stdio.h>
#include <webots/emitter.h>
#include <webots/receiver.h>
#include <webots/robot.h>

int main(void) {
  int number = 0;
  WbDeviceTag emitter, receiver;
  wb_robot_init();
  emitter = wb_robot_get_device("emitter");
  receiver = wb_robot_get_device("receiver");
  wb_receiver_enable(receiver, 32);
  while (wb_robot_step(32) != -1) {
    ++number;
    wb_emitter_send(emitter, &number, sizeof number);
    if (wb_receiver_get_queue_length(receiver) > 0) return 1;
  }
  wb_robot_cleanup();
  return 0;
}
