/* A car and its wheels: source compatible with the car library of Webots (R2025a). What is
   different: docs/controllers.md, "Cars". */
#ifndef WEBOTS_VEHICLE_CAR_H
#define WEBOTS_VEHICLE_CAR_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  WBU_CAR_TRACTION = 0,   /* front wheels driven */
  WBU_CAR_PROPULSION = 1, /* rear wheels driven */
  WBU_CAR_FOUR_BY_FOUR = 2
} WbuCarType;

typedef enum {
  WBU_CAR_COMBUSTION_ENGINE = 0,
  WBU_CAR_ELECTRIC_ENGINE = 1,
  WBU_CAR_PARALLEL_HYBRID_ENGINE = 2,
  WBU_CAR_POWER_SPLIT_HYBRID_ENGINE = 3
} WbuCarEngineType;

typedef enum {
  WBU_CAR_WHEEL_FRONT_RIGHT = 0,
  WBU_CAR_WHEEL_FRONT_LEFT = 1,
  WBU_CAR_WHEEL_REAR_RIGHT = 2,
  WBU_CAR_WHEEL_REAR_LEFT = 3,
  WBU_CAR_WHEEL_NB
} WbuCarWheelIndex;

void wbu_car_init(void);
void wbu_car_cleanup(void);

WbuCarType wbu_car_get_type(void);
WbuCarEngineType wbu_car_get_engine_type(void);

void wbu_car_set_indicator_period(double period); /* s */
double wbu_car_get_indicator_period(void);
bool wbu_car_get_backwards_lights(void);
bool wbu_car_get_brake_lights(void);

double wbu_car_get_track_front(void); /* m */
double wbu_car_get_track_rear(void);
double wbu_car_get_wheelbase(void);
double wbu_car_get_front_wheel_radius(void);
double wbu_car_get_rear_wheel_radius(void);

double wbu_car_get_wheel_encoder(WbuCarWheelIndex wheel_index); /* rad */
double wbu_car_get_wheel_speed(WbuCarWheelIndex wheel_index);   /* rad/s */

/* Positive to the right. */
void wbu_car_set_left_steering_angle(double angle);
void wbu_car_set_right_steering_angle(double angle);
double wbu_car_get_right_steering_angle(void);
double wbu_car_get_left_steering_angle(void);

void wbu_car_enable_limited_slip_differential(bool enable);
void wbu_car_enable_indicator_auto_disabling(bool enable);

/* Older names. */
typedef WbuCarType wbu_car_type;
typedef WbuCarEngineType wbu_car_engine_type;
typedef WbuCarWheelIndex wbu_car_wheel_index;

#ifdef __cplusplus
}
#endif

#endif /* WEBOTS_VEHICLE_CAR_H */
