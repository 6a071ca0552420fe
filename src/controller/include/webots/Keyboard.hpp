#ifndef WEBOTS_KEYBOARD_HPP
#define WEBOTS_KEYBOARD_HPP

#include <webots/keyboard.h>

namespace webots {

/// The keys that are pressed in the window of the viewer, as webots/keyboard.h describes them. The
/// one of a program is robot.getKeyboard().
class Keyboard {
 public:
  enum {
    END = WB_KEYBOARD_END,
    HOME = WB_KEYBOARD_HOME,
    LEFT = WB_KEYBOARD_LEFT,
    UP = WB_KEYBOARD_UP,
    RIGHT = WB_KEYBOARD_RIGHT,
    DOWN = WB_KEYBOARD_DOWN,
    PAGEUP = WB_KEYBOARD_PAGEUP,
    PAGEDOWN = WB_KEYBOARD_PAGEDOWN,
    NUMPAD_HOME = WB_KEYBOARD_NUMPAD_HOME,
    NUMPAD_LEFT = WB_KEYBOARD_NUMPAD_LEFT,
    NUMPAD_UP = WB_KEYBOARD_NUMPAD_UP,
    NUMPAD_RIGHT = WB_KEYBOARD_NUMPAD_RIGHT,
    NUMPAD_DOWN = WB_KEYBOARD_NUMPAD_DOWN,
    NUMPAD_PAGEUP = WB_KEYBOARD_NUMPAD_PAGEUP,
    NUMPAD_PAGEDOWN = WB_KEYBOARD_NUMPAD_PAGEDOWN,
    NUMPAD_END = WB_KEYBOARD_NUMPAD_END,
    KEY = WB_KEYBOARD_KEY,
    SHIFT = WB_KEYBOARD_SHIFT,
    CONTROL = WB_KEYBOARD_CONTROL,
    ALT = WB_KEYBOARD_ALT
  };

  virtual ~Keyboard() {}
  virtual void enable(int samplingPeriod) { wb_keyboard_enable(samplingPeriod); }
  virtual void disable() { wb_keyboard_disable(); }
  int getSamplingPeriod() const { return wb_keyboard_get_sampling_period(); }
  int getKey() const { return wb_keyboard_get_key(); }
};

}  // namespace webots

#endif  // WEBOTS_KEYBOARD_HPP
