/* The pointer in the window. The window does not report it to controllers: its state is that of a
   pointer outside, all NaN, with no button pressed. */
#ifndef WEBOTS_MOUSE_H
#define WEBOTS_MOUSE_H

#include <webots/mouse_state.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_mouse_enable(int sampling_period); /* ms */
void wb_mouse_disable(void);
int wb_mouse_get_sampling_period(void); /* ms, 0 when disabled */

void wb_mouse_enable_3d_position(void); /* of an enabled mouse */
void wb_mouse_disable_3d_position(void);
bool wb_mouse_is_3d_position_enabled(void);

WbMouseState wb_mouse_get_state(void);
WbMouseState* wb_mouse_get_state_pointer(void); /* for other languages; valid always */

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_MOUSE_H */
