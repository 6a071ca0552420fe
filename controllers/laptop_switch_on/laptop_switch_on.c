/* Shows a desktop on the display of a Laptop: a blue picture with a bar below. */
#include <webots/display.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  const WbDeviceTag display = wb_robot_get_device("display");
  const int width = wb_display_get_width(display), height = wb_display_get_height(display);
  wb_display_set_color(display, 0x2a5a8c);
  wb_display_fill_rectangle(display, 0, 0, width, height);
  wb_display_set_color(display, 0x20242a);
  wb_display_fill_rectangle(display, 0, height - height / 14, width, height / 14);
  while (wb_robot_step((int)wb_robot_get_basic_time_step()) != -1) {
  }
  wb_robot_cleanup();
  return 0;
}
