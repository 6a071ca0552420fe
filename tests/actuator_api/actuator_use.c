/* Calls C functions of Display, Connector, VacuumGripper, the battery and Emitter, and looks at what comes back. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <webots/camera.h>
#include <webots/connector.h>
#include <webots/device.h>
#include <webots/display.h>
#include <webots/emitter.h>
#include <webots/nodes.h>
#include <webots/robot.h>
#include <webots/vacuum_gripper.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)
#define near(a, b) (fabs((a) - (b)) < 1e-6)

static WbDeviceTag get(const char *name, WbNodeType type) {
  const WbDeviceTag tag = wb_robot_get_device(name);
  check(wb_device_get_node_type(tag) == type);
  return tag;
}

static void use_display(void) {
  const WbDeviceTag display = get("display", WB_NODE_DISPLAY);
  const WbDeviceTag camera = get("camera", WB_NODE_CAMERA);
  const int x[] = {1, 3, 3}, y[] = {9, 9, 11};
  const unsigned char red[] = {0, 0, 255, 255};
  WbImageRef image, loaded;
  check(wb_display_get_width(display) == 32);
  check(wb_display_get_height(display) == 16);
  wb_display_set_color(display, 0xff0000);
  /* Colours, sizes and a text that are none: complaints, and nothing is done. */
  wb_display_set_color(display, 0x1000000);
  wb_display_set_color(display, -1);
  wb_display_fill_rectangle(display, 0, 0, 0, 5);
  wb_display_draw_rectangle(display, 0, 0, 5, -1);
  wb_display_fill_oval(display, 0, 0, 5, 0);
  wb_display_draw_text(display, "", 0, 0);
  wb_display_detach_camera(display);
  wb_display_set_alpha(display, 1);
  wb_display_set_opacity(display, 1);
  wb_display_set_font(display, "Arial", 8, true);
  wb_display_draw_pixel(display, 0, 0);
  wb_display_draw_line(display, 0, 1, 5, 1);
  wb_display_draw_rectangle(display, 0, 2, 5, 3);
  wb_display_draw_oval(display, 10, 10, 2, 2);
  wb_display_draw_polygon(display, x, y, 3);
  wb_display_draw_text(display, "x", 24, 0);
  wb_display_fill_rectangle(display, 8, 0, 2, 2);
  wb_display_fill_oval(display, 14, 3, 1, 1);
  wb_display_fill_polygon(display, x, y, 3);
  image = wb_display_image_copy(display, 0, 0, 1, 1);
  check(image != NULL);
  wb_display_image_paste(display, image, 20, 10, false);
  wb_display_image_save(display, NULL, "picture.png");
  wb_display_image_save(display, image, "one.png");
  wb_display_image_delete(display, image);
  image = wb_display_image_new(display, 1, 1, red, WB_IMAGE_BGRA);
  wb_display_image_paste(display, image, 1, 0, true);
  wb_display_image_delete(display, image);
  loaded = wb_display_image_load(display, "one.png");
  check(loaded != NULL);
  wb_display_image_paste(display, loaded, 31, 15, false);
  wb_display_image_delete(display, loaded);
  check(wb_display_image_load(display, "missing.png") == NULL);
  wb_camera_enable(camera, 32);
  wb_display_attach_camera(display, camera);
  wb_display_attach_camera(display, camera); /* complains */
  wb_robot_step(32);
  wb_display_detach_camera(display);
  wb_display_attach_camera(display, display); /* complains */
  wb_robot_step(32);
}

static void use_connector(void) {
  const WbDeviceTag connector = get("connector", WB_NODE_CONNECTOR);
  check(wb_connector_get_presence_sampling_period(connector) == 0);
  wb_connector_enable_presence(connector, 32);
  check(wb_connector_get_presence_sampling_period(connector) == 32);
  check(!wb_connector_is_locked(connector));
  wb_robot_step(32);
  check(wb_connector_get_presence(connector) == 1);
  wb_connector_lock(connector);
  check(wb_connector_is_locked(connector));
  wb_robot_step(32);
  check(wb_connector_get_presence(connector) == 1);
  wb_connector_unlock(connector);
  check(!wb_connector_is_locked(connector));
  wb_connector_disable_presence(connector);
  check(wb_connector_get_presence_sampling_period(connector) == 0);
  check(wb_connector_get_presence(connector) == 1); /* complains; the last one */
  check(wb_connector_get_presence(0) == -1);        /* no connector */
}

static void use_gripper(void) {
  const WbDeviceTag gripper = get("vacuum gripper", WB_NODE_VACUUM_GRIPPER);
  wb_vacuum_gripper_enable_presence(gripper, 32);
  check(wb_vacuum_gripper_get_presence_sampling_period(gripper) == 32);
  check(wb_vacuum_gripper_is_on(gripper));
  wb_robot_step(32);
  check(!wb_vacuum_gripper_get_presence(gripper));
  wb_vacuum_gripper_turn_off(gripper);
  check(!wb_vacuum_gripper_is_on(gripper));
  wb_vacuum_gripper_turn_on(gripper);
  check(wb_vacuum_gripper_is_on(gripper));
  wb_vacuum_gripper_disable_presence(gripper);
  check(wb_vacuum_gripper_get_presence_sampling_period(gripper) == 0);
}

static void use_battery(void) {
  check(wb_robot_battery_sensor_get_sampling_period() == 0);
  check(isnan(wb_robot_battery_sensor_get_value()));
  wb_robot_battery_sensor_enable(32);
  check(wb_robot_battery_sensor_get_sampling_period() == 32);
  wb_robot_step(32);
  check(near(wb_robot_battery_sensor_get_value(), 1000 - 10 * wb_robot_get_time()));
  wb_robot_step(64);
  check(near(wb_robot_battery_sensor_get_value(), 1000 - 10 * wb_robot_get_time()));
  const double last = wb_robot_battery_sensor_get_value();
  wb_robot_battery_sensor_disable();
  check(wb_robot_battery_sensor_get_sampling_period() == 0);
  check(wb_robot_battery_sensor_get_value() == last); /* complains; the last one */
}

/* Its maxRange is 2 m: no range is beyond. */
static void use_emitter(void) {
  const WbDeviceTag emitter = get("emitter", WB_NODE_EMITTER);
  check(wb_emitter_get_range(emitter) == 1);
  wb_emitter_set_range(emitter, 1.5);
  check(wb_emitter_get_range(emitter) == 1.5);
  wb_emitter_set_range(emitter, 7);
  check(wb_emitter_get_range(emitter) == 2);
  wb_emitter_set_range(emitter, 0.5);
  wb_emitter_set_range(emitter, -0.5); /* says on stderr that this is no range */
  check(wb_emitter_get_range(emitter) == 0.5);
  wb_emitter_set_range(emitter, -1); /* as far as it can */
  check(wb_emitter_get_range(emitter) == 2);
  check(wb_emitter_get_channel(emitter) == 3); /* the field says 1, which is not allowed */
  wb_emitter_set_channel(emitter, 4);
  check(wb_emitter_get_channel(emitter) == 4);
  wb_emitter_set_channel(emitter, 5); /* complains */
  check(wb_emitter_get_channel(emitter) == 4);
}

int main(int argc, char **argv) {
  wb_robot_init();
  if (argc > 1) {
    while (wb_robot_step(32) != -1) {
    }
    printf("ended at %g s\n", wb_robot_get_time());
    wb_robot_cleanup();
    return 0;
  }
  (void)argv;
  use_display();
  use_connector();
  use_gripper();
  use_battery();
  use_emitter();
  wb_robot_cleanup();
  return failures ? 1 : 0;
}
