// Keyboard, mouse and joystick: of the computer, not of the robot, so they have no tag.
#include <webots/joystick.h>
#include <webots/keyboard.h>
#include <webots/mouse.h>

#include <limits>
#include <string>

#include "controller/client.h"

using protobeam::controller::Client;
using protobeam::controller::complain;
using protobeam::controller::kNaN;
using protobeam::controller::started;

namespace {

bool valid_period(const char* function, int sampling_period) {
  if (sampling_period >= 0) return true;
  complain(function,
           "called with an invalid 'sampling_period' (" + std::to_string(sampling_period) + ")");
  return false;
}

/// The window does not report it to controllers.
struct {
  int period = 0;
  bool in_space = false;  ///< its place in the world is asked for
  WbMouseState state = {kNaN, kNaN, kNaN, kNaN, kNaN, false, false, false};
} mouse;

int joystick_period = 0;

void check_joystick(const char* function) {
  const std::lock_guard lock(Client::get().mutex);
  if (joystick_period == 0) {
    complain(function, "called for the disabled joystick; enable it first");
  }
}

}  // namespace

extern "C" {

void wb_keyboard_enable(int sampling_period) {
  if (!started(__func__) || !valid_period(__func__, sampling_period)) return;
  const std::lock_guard lock(Client::get().mutex);
  Client::get().enable_keyboard(sampling_period);
}
void wb_keyboard_disable() {
  if (!started(__func__)) return;
  const std::lock_guard lock(Client::get().mutex);
  if (Client::get().keyboard_period() > 0) Client::get().enable_keyboard(0);
}
int wb_keyboard_get_sampling_period() {
  const std::lock_guard lock(Client::get().mutex);
  return Client::get().keyboard_period();
}
int wb_keyboard_get_key() {
  const std::lock_guard lock(Client::get().mutex);
  if (Client::get().keyboard_period() == 0) {
    complain(__func__, "called for the disabled keyboard; enable it first");
  }
  return Client::get().next_key();
}

void wb_mouse_enable(int sampling_period) {
  if (!valid_period(__func__, sampling_period)) return;
  const std::lock_guard lock(Client::get().mutex);
  mouse.period = sampling_period;
}
void wb_mouse_disable() { wb_mouse_enable(0); }
int wb_mouse_get_sampling_period() {
  const std::lock_guard lock(Client::get().mutex);
  return mouse.period;
}
void wb_mouse_enable_3d_position() {
  const std::lock_guard lock(Client::get().mutex);
  if (mouse.period == 0) {
    return complain(__func__, "called for the disabled mouse; enable it first");
  }
  mouse.in_space = true;
}
void wb_mouse_disable_3d_position() {
  const std::lock_guard lock(Client::get().mutex);
  mouse.in_space = false;
}
bool wb_mouse_is_3d_position_enabled() {
  const std::lock_guard lock(Client::get().mutex);
  return mouse.in_space;
}
WbMouseState wb_mouse_get_state() {
  const std::lock_guard lock(Client::get().mutex);
  return mouse.state;
}
WbMouseState* wb_mouse_get_state_pointer() { return &mouse.state; }

void wb_joystick_enable(int sampling_period) {
  if (!valid_period(__func__, sampling_period)) return;
  const std::lock_guard lock(Client::get().mutex);
  joystick_period = sampling_period;
}
void wb_joystick_disable() { wb_joystick_enable(0); }
int wb_joystick_get_sampling_period() {
  const std::lock_guard lock(Client::get().mutex);
  return joystick_period;
}
bool wb_joystick_is_connected() {
  check_joystick(__func__);
  return false;
}
const char* wb_joystick_get_model() { return nullptr; }
int wb_joystick_get_number_of_axes() { return 0; }
int wb_joystick_get_axis_value(int) { return 0; }
int wb_joystick_get_number_of_povs() { return 0; }
int wb_joystick_get_pov_value(int) { return 0; }
int wb_joystick_get_pressed_button() { return -1; }
void wb_joystick_set_constant_force(int) {}
void wb_joystick_set_constant_force_duration(double) {}
void wb_joystick_set_auto_centering_gain(double) {}
void wb_joystick_set_resistance_gain(double) {}
void wb_joystick_set_force_axis(int) {}

}  // extern "C"
