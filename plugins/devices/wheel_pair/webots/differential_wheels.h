#ifndef WEBOTS_DIFFERENTIAL_WHEELS_H
#define WEBOTS_DIFFERENTIAL_WHEELS_H

/* Webots had these up to R2021a, for robots of the type DifferentialWheels, and for e-pucks in
   files before R2018a. Newer robots have motors: webots/motor.h. */

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

void wb_differential_wheels_set_speed(double left, double right); /* speedUnit */
double wb_differential_wheels_get_left_speed(void);               /* last set; NaN before */
double wb_differential_wheels_get_right_speed(void);
double wb_differential_wheels_get_max_speed(void);  /* rad/s */
double wb_differential_wheels_get_speed_unit(void); /* rad/s */

void wb_differential_wheels_enable_encoders(int sampling_period); /* ms */
void wb_differential_wheels_disable_encoders(void);
int wb_differential_wheels_get_encoders_sampling_period(void); /* ms, 0 when disabled */
double wb_differential_wheels_get_left_encoder(void);          /* counts */
double wb_differential_wheels_get_right_encoder(void);
void wb_differential_wheels_set_encoders(double left, double right);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_DIFFERENTIAL_WHEELS_H */
