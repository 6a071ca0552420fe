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

/*
 * The keys that are pressed while the window of `protobeam view` or `protobeam run --view` has the
 * focus. Without a window none ever is.
 *
 * Once the keyboard is enabled the pressed keys are looked at every sampling_period ms, the first
 * time one period later. Between two looks the program reads the keys of the last one.
 *
 * In each step wb_keyboard_get_key() returns these keys one after another, at most 7, then -1.
 * A key is its capital letter, digit or sign in ASCII or a number from above; WB_KEYBOARD_SHIFT,
 * _CONTROL and _ALT are added while they are held: (key & WB_KEYBOARD_KEY) is the key alone.
 */
void wb_keyboard_enable(int sampling_period);
void wb_keyboard_disable(void);
int wb_keyboard_get_sampling_period(void);
int wb_keyboard_get_key(void);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_KEYBOARD_H */
