/* Shows a test picture on the display of a Television: eight bars of colour. */
#include <webots/display.h>
#include <webots/robot.h>

int main(void) {
  static const int kColors[] = {0xffffff, 0xc0c000, 0x00c0c0, 0x00c000,
                                0xc000c0, 0xc00000, 0x0000c0, 0x101010};
  wb_robot_init();
  const WbDeviceTag display = wb_robot_get_device("display");
  const int width = wb_display_get_width(display), height = wb_display_get_height(display);
  for (int i = 0; i < 8; ++i) {
    const int from = i * width / 8;
    wb_display_set_color(display, kColors[i]);
    wb_display_fill_rectangle(display, from, 0, (i + 1) * width / 8 - from, height);
  }
  while (wb_robot_step((int)wb_robot_get_basic_time_step()) != -1) {
  }
  wb_robot_cleanup();
  return 0;
}
