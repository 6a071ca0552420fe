/* Uses the functions that the test beside it gives a robot for: lamps, sounds, motions, and what is
   not simulated. Each failed check is a line of output. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/console.h>
#include <webots/device.h>
#include <webots/joystick.h>
#include <webots/led.h>
#include <webots/microphone.h>
#include <webots/motor.h>
#include <webots/mouse.h>
#include <webots/nodes.h>
#include <webots/pen.h>
#include <webots/plugins/robot_window/robot_wwi.h>
#include <webots/position_sensor.h>
#include <webots/radio.h>
#include <webots/robot.h>
#include <webots/skin.h>
#include <webots/speaker.h>
#include <webots/utils/ansi_codes.h>
#include <webots/utils/motion.h>
#include <webots/utils/string.h>
#include <webots/utils/system.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)

static void use_led(void) {
  const WbDeviceTag led = wb_robot_get_device("led");
  check(led != 0);
  check(wb_device_get_node_type(led) == WB_NODE_LED);
  check(wb_led_get(led) == 0);
  wb_led_set(led, 1);
  check(wb_led_get(led) == 1);
  wb_robot_step(8);
  check(wb_led_get(led) == 1);
}

static void use_speaker(void) {
  const WbDeviceTag speaker = wb_robot_get_device("speaker");
  check(wb_device_get_node_type(speaker) == WB_NODE_SPEAKER);
  check(!strcmp(wb_speaker_get_engine(speaker), "pico"));
  check(!strcmp(wb_speaker_get_language(speaker), "en-US"));
  check(!wb_speaker_set_engine(speaker, "microsoft"));
  check(!wb_speaker_set_language(speaker, "tlh"));
  check(wb_speaker_set_language(speaker, "de-DE"));
  check(!strcmp(wb_speaker_get_language(speaker), "de-DE"));
  /* Half a second, in a quarter of one: 31 steps of 8 ms, not 32. */
  wb_speaker_play_sound(speaker, speaker, "half_a_second.wav", 1, 2, 0, false);
  check(wb_speaker_is_sound_playing(speaker, "half_a_second.wav"));
  check(wb_speaker_is_sound_playing(speaker, NULL));
  check(!wb_speaker_is_speaking(speaker));
  wb_robot_step(8 * 31);
  check(wb_speaker_is_sound_playing(speaker, "half_a_second.wav"));
  wb_robot_step(8);
  check(!wb_speaker_is_sound_playing(speaker, "half_a_second.wav"));
  wb_speaker_play_sound(speaker, 0, "half_a_second.wav", 0.5, 1, 0.25, true);
  wb_robot_step(800);
  check(wb_speaker_is_sound_playing(speaker, "half_a_second.wav"));
  wb_speaker_stop(speaker, "half_a_second.wav");
  check(!wb_speaker_is_sound_playing(speaker, ""));
  wb_speaker_play_sound(speaker, speaker, "none.wav", 1, 1, 0, false); /* says so */
  check(!wb_speaker_is_sound_playing(speaker, "none.wav"));
  wb_speaker_speak(speaker, "Guten \"Tag\", Welt", 1); /* 17 letters: 1.13 s */
  wb_robot_step(1128);
  check(wb_speaker_is_speaking(speaker));
  wb_robot_step(8);
  check(!wb_speaker_is_speaking(speaker));
  wb_speaker_speak(speaker, "as loud as it can", 3); /* a warning */
  check(wb_speaker_is_speaking(speaker));
  wb_speaker_stop(speaker, ""); /* all */
  check(!wb_speaker_is_speaking(speaker));
  wb_speaker_play_sound(speaker, speaker, "half_a_second.wav", 0, 1, 0, false);
  check(!wb_speaker_is_sound_playing(speaker, "half_a_second.wav"));
}

static void use_what_is_not_simulated(void) {
  const WbDeviceTag pen = wb_robot_get_device("pen"), skin = wb_robot_get_device("hide");
  const WbDeviceTag microphone = wb_robot_get_device("microphone");
  check(wb_device_get_node_type(pen) == WB_NODE_PEN);
  check(wb_device_get_node_type(skin) == WB_NODE_SKIN);
  check(wb_device_get_node_type(microphone) == WB_NODE_MICROPHONE);
  wb_pen_write(pen, true);
  wb_pen_write(pen, false);
  wb_pen_set_ink_color(pen, 0xff0000, 0.5);
  check(wb_skin_get_bone_count(skin) == 0);
  check(wb_skin_get_bone_position(skin, 0, true) == NULL);
  check(!strcmp(wb_skin_get_bone_name(skin, 0), ""));
  check(wb_microphone_get_sampling_period(microphone) == 0);
  wb_microphone_enable(microphone, 64);
  check(wb_microphone_get_sampling_period(microphone) == 64);
  wb_robot_step(64);
  check(wb_microphone_get_sample_data(microphone) == NULL);
  check(wb_microphone_get_sample_size(microphone) == 0);
  wb_microphone_disable(microphone);
  check(wb_microphone_get_sampling_period(microphone) == 0);
}

static void use_input_devices(void) {
  WbMouseState mouse;
  check(wb_robot_wait_for_user_input_event(WB_EVENT_KEYBOARD | WB_EVENT_MOUSE_MOVE, 60000) ==
        WB_EVENT_NO_EVENT); /* at once: both are disabled */
  wb_joystick_enable(64);
  check(wb_joystick_get_sampling_period() == 64);
  check(!wb_joystick_is_connected());
  check(wb_joystick_get_model() == NULL);
  check(wb_joystick_get_number_of_axes() == 0);
  check(wb_joystick_get_pressed_button() == -1);
  wb_mouse_enable(32);
  check(wb_mouse_get_sampling_period() == 32);
  wb_mouse_enable_3d_position();
  check(wb_mouse_is_3d_position_enabled());
  mouse = wb_mouse_get_state();
  check(isnan(mouse.u) && isnan(mouse.v) && isnan(mouse.x) && isnan(mouse.y) && isnan(mouse.z));
  check(!mouse.left && !mouse.middle && !mouse.right);
  check(wb_robot_wait_for_user_input_event(WB_EVENT_JOYSTICK_BUTTON, 0) == WB_EVENT_NO_EVENT);
}

/* 0 s: 0, 1 s: 1 rad, 1.5 s: left alone. */
static void use_motion(void) {
  const WbDeviceTag motor = wb_robot_get_device("motor");
  WbMotionRef motion;
  int steps = 0;
  check(wbu_motion_new("none.motion") == NULL);
  check(wbu_motion_new("broken.motion") == NULL);
  check(wbu_motion_get_duration(NULL) == -1);
  motion = wbu_motion_new("wave.motion");
  check(motion != NULL);
  if (!motion) return;
  check(wbu_motion_get_duration(motion) == 1500);
  check(wbu_motion_get_time(motion) == 0);
  wb_robot_step(40);
  check(wbu_motion_get_time(motion) == 0); /* nobody plays it */
  wbu_motion_play(motion);
  wb_robot_step(40);
  check(wb_motor_get_target_position(motor) == 0);
  check(wbu_motion_get_time(motion) == 40);
  wb_robot_step(8);
  check(wb_motor_get_target_position(motor) == 0.04);
  wbu_motion_set_time(motion, 500);
  wb_robot_step(8);
  check(wb_motor_get_target_position(motor) == 0.5);
  wbu_motion_stop(motion);
  wb_robot_step(8);
  check(wbu_motion_get_time(motion) == 508);
  wbu_motion_set_reverse(motion, true);
  wbu_motion_play(motion);
  wb_robot_step(104);
  check(wbu_motion_get_time(motion) == 404);
  wbu_motion_set_reverse(motion, false);
  while (!wbu_motion_is_over(motion) && steps < 1000) {
    wb_robot_step(16);
    ++steps;
  }
  check(steps == 69); /* (1500 - 404) / 16 = 68.5 */
  check(wbu_motion_get_time(motion) == 1500);
  wb_robot_step(8);
  check(fabs(wb_motor_get_target_position(motor) - 1) < 0.02); /* of the last one before the * */
  wbu_motion_set_loop(motion, true);
  check(!wbu_motion_is_over(motion));
  wbu_motion_play(motion);
  check(wbu_motion_get_time(motion) == 0);
  wbu_motion_delete(motion);
  wbu_motion_delete(NULL);
}

static void use_utilities(void) {
  char text[] = "a,b\\,c;d", *rest = text, *replaced;
  WbRadioMessage message;
  check(!strcmp(wbu_string_strsep(&rest, ",;"), "a"));
  check(!strcmp(wbu_string_strsep(&rest, ",;"), "b\\,c"));
  check(!strcmp(wbu_string_strsep(&rest, ",;"), "d"));
  check(rest == NULL && wbu_string_strsep(&rest, ",;") == NULL);
  replaced = wbu_string_replace((char*)"aXbXX", "X", "<>");
  check(!strcmp(replaced, "a<>b<><>"));
  free(replaced);
  check(wbu_string_replace((char*)"a", "", "b") == NULL);
  check(wbu_system_getenv("no such variable") == NULL);
  check(!strcmp(wbu_system_getenv("WEBOTS_ROBOT_NAME"), wb_robot_get_name()));
  check(!strcmp(wbu_system_short_path("/a b"), "/a b"));
  check(wbu_system_tmpdir()[0] == '/');
  check(!strcmp(wb_node_get_name(WB_NODE_HINGE_2_JOINT), "Hinge2Joint"));
  check(!strcmp(wb_node_get_name(WB_NODE_APPEARANCE), "Appearance"));
  check(!strcmp(wb_node_get_name(WB_NODE_PBR_APPEARANCE), "PBRAppearance"));
  check(!strcmp(wb_node_get_name(WB_NODE_ROBOT), "Robot"));
  check(!strcmp(wb_node_get_name(WB_NODE_ACCELEROMETER), "Accelerometer"));
  check(!strcmp(wb_node_get_name(WB_NODE_GPS), "GPS"));
  check(!strcmp(wb_node_get_name(WB_NODE_VACUUM_GRIPPER), "VacuumGripper"));
  check(!strcmp(wb_node_get_name(WB_NODE_RADIO), "Radio"));
  check(wb_node_get_name(WB_NODE_NO_NODE) == NULL);
  check(wb_node_get_name(WB_NODE_PROTOBEAM_DEVICE) == NULL);
  message = wb_radio_message_new(3, "a\0b", "there");
  check(wb_radio_message_get_length(message) == 3);
  check(!memcmp(wb_radio_message_get_body(message), "a\0b", 3));
  check(!strcmp(wb_radio_message_get_destination(message), "there"));
  wb_radio_message_delete(message);
  wb_robot_wwi_send_text("hello");
  wb_robot_wwi_send_text("again");
  check(wb_robot_wwi_receive_text() == NULL);
  wb_console_print("printed\n", WB_STDOUT);
  ANSI_PRINTF_IN_RED("%d red\n", 5);
}

int main(void) {
  wb_robot_init();
  use_led();
  use_speaker();
  use_what_is_not_simulated();
  use_input_devices();
  use_motion();
  use_utilities();
  printf("%d failures\n", failures);
  wb_robot_cleanup();
  return failures ? 1 : 0;
}
