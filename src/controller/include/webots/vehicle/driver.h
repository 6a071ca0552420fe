/* A car's driver: source compatible with the driver library of Webots (R2025a), on a robot that has
   a VehicleDrive with steered wheels. What is different: docs/controllers.md, "Cars". */
#ifndef WEBOTS_VEHICLE_DRIVER_H
#define WEBOTS_VEHICLE_DRIVER_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { OFF, RIGHT, LEFT } WbuDriverIndicatorState;
typedef enum { UNDEFINED_CONTROL_MODE = -1, SPEED = 0, TORQUE } WbuDriverControlMode;
typedef enum { DOWN, SLOW, NORMAL, FAST } WbuDriverWiperMode;

bool wbu_driver_initialization_is_possible(void);
void wbu_driver_init(void);
void wbu_driver_cleanup(void);
int wbu_driver_step(void); /* a basicTimeStep of the world */

void wbu_driver_set_steering_angle(double steering_angle); /* rad, positive to the right */
double wbu_driver_get_steering_angle(void);
void wbu_driver_set_cruising_speed(double speed); /* km/h */
double wbu_driver_get_target_cruising_speed(void);
double wbu_driver_get_current_speed(void);     /* km/h, of the driven wheels */
void wbu_driver_set_throttle(double throttle); /* 0 ... 1 */
double wbu_driver_get_throttle(void);
void wbu_driver_set_brake_intensity(double intensity); /* 0 ... 1 */
double wbu_driver_get_brake_intensity(void);

void wbu_driver_set_indicator(WbuDriverIndicatorState state);
WbuDriverIndicatorState wbu_driver_get_indicator(void);
void wbu_driver_set_hazard_flashers(bool state);
bool wbu_driver_get_hazard_flashers(void);
void wbu_driver_set_dipped_beams(bool state);
bool wbu_driver_get_dipped_beams(void);
void wbu_driver_set_antifog_lights(bool state);
bool wbu_driver_get_antifog_lights(void);

double wbu_driver_get_rpm(void);
int wbu_driver_get_gear(void);
void wbu_driver_set_gear(int gear); /* -1 backwards, 0 neutral, 1 forwards */
int wbu_driver_get_gear_number(void);
WbuDriverControlMode wbu_driver_get_control_mode(void);
void wbu_driver_set_wiper_mode(WbuDriverWiperMode mode);
WbuDriverWiperMode wbu_driver_get_wiper_mode(void);

/* Older names. */
typedef WbuDriverWiperMode wbu_wipers_mode;
typedef WbuDriverIndicatorState wbu_indicator_state;
typedef WbuDriverControlMode wbu_control_mode;
void wbu_driver_set_brake(double brake);
double wbu_driver_get_brake(void);
void wbu_driver_set_wipers_mode(wbu_wipers_mode mode);
wbu_wipers_mode wbu_driver_get_wipers_mode(void);

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_VEHICLE_DRIVER_H */
