#ifndef WEBOTS_KEYBOARD_H
#define WEBOTS_KEYBOARD_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  WB_KEYBOARD_END = 312,
  WB_KEYBOARD_HOME = 313,
  WB_KEYBOARD_LEFT = 314,
  WB_KEYBOARD_UP = 315,
  WB_KEYBOARD_RIGHT = 316,
  WB_KEYBOARD_DOWN = 317,
  WB_KEYBOARD_PAGEUP = 366,
  WB_KEYBOARD_PAGEDOWN = 367,
  WB_KEYBOARD_NUMPAD_HOME = 375,
  WB_KEYBOARD_NUMPAD_LEFT = 376,
  WB_KEYBOARD_NUMPAD_UP = 377,
  WB_KEYBOARD_NUMPAD_RIGHT = 378,
  WB_KEYBOARD_NUMPAD_DOWN = 379,
  WB_KEYBOARD_NUMPAD_PAGEUP = 380,
  WB_KEYBOARD_NUMPAD_PAGEDOWN = 381,
  WB_KEYBOARD_NUMPAD_END = 382,
  WB_KEYBOARD_KEY = 0x0000ffff,
  WB_KEYBOARD_SHIFT = 0x00010000,
  WB_KEYBOARD_CONTROL = 0x00020000,
  WB_KEYBOARD_ALT = 0x00040000
};

/* No keys reach a controller: get_key returns -1. */
void wb_keyboard_enable(int sampling_period);
void wb_keyboard_disable(void);
int wb_keyboard_get_sampling_period(void);
int wb_keyboard_get_key(void);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_KEYBOARD_H */
