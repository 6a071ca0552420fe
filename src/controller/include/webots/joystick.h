/* The joystick of the computer. None is looked for: wb_joystick_is_connected() is false, all values
   are those of a joystick at rest, forces have no effect. */
#ifndef WEBOTS_JOYSTICK_H
#define WEBOTS_JOYSTICK_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_joystick_enable(int sampling_period); /* ms */
void wb_joystick_disable(void);
int wb_joystick_get_sampling_period(void); /* ms, 0 when disabled */

bool wb_joystick_is_connected(void);
const char* wb_joystick_get_model(void); /* NULL without one */
int wb_joystick_get_number_of_axes(void);
int wb_joystick_get_axis_value(int axis);
int wb_joystick_get_number_of_povs(void);
int wb_joystick_get_pov_value(int pov);
int wb_joystick_get_pressed_button(void); /* -1: no further one */

void wb_joystick_set_constant_force(int level);
void wb_joystick_set_constant_force_duration(double duration); /* s */
void wb_joystick_set_auto_centering_gain(double gain);
void wb_joystick_set_resistance_gain(double gain);
void wb_joystick_set_force_axis(int axis);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_JOYSTICK_H */
