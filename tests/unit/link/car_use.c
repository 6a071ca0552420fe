/* Uses every function of webots/vehicle/driver.h and car.h; compiled as C99 and as C++. What the
   simulator gets from it: vehicle_library_test.cpp. */
#include <math.h>
#include <stdio.h>
#include <webots/robot.h>
#include <webots/vehicle/car.h>
#include <webots/vehicle/driver.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)
#define near(a, b) (fabs((a) - (b)) < 1e-9)

static void use_remembered(void) {
  wbu_driver_set_indicator(RIGHT);
  check(wbu_driver_get_indicator() == RIGHT);
  wbu_driver_set_steering_angle(-0.1); /* against it */
  check(wbu_driver_get_indicator() == OFF);
  wbu_car_enable_indicator_auto_disabling(false);
  wbu_driver_set_indicator(LEFT);
  wbu_driver_set_steering_angle(0.1);
  check(wbu_driver_get_indicator() == LEFT);
  wbu_driver_set_hazard_flashers(true);
  check(wbu_driver_get_hazard_flashers());
  wbu_driver_set_dipped_beams(true);
  check(wbu_driver_get_dipped_beams());
  wbu_driver_set_antifog_lights(true);
  check(wbu_driver_get_antifog_lights());
  wbu_driver_set_wiper_mode(SLOW);
  check(wbu_driver_get_wiper_mode() == SLOW);
  wbu_driver_set_wipers_mode(FAST);
  check(wbu_driver_get_wipers_mode() == FAST);
  wbu_car_set_indicator_period(0.75);
  check(wbu_car_get_indicator_period() == 0.75);
  wbu_car_set_left_steering_angle(0.1);
  wbu_car_set_right_steering_angle(0.1);
  wbu_car_enable_limited_slip_differential(false);
}

static void use_car(void) {
  check(wbu_car_get_type() == WBU_CAR_TRACTION);
  check(wbu_car_get_engine_type() == WBU_CAR_ELECTRIC_ENGINE);
  check(wbu_car_get_track_front() == 1.5);
  check(wbu_car_get_track_rear() == 1.25);
  check(wbu_car_get_wheelbase() == 2);
  check(wbu_car_get_front_wheel_radius() == 0.35);
  check(wbu_car_get_rear_wheel_radius() == 0.3);
}

int main(void) {
  check(wbu_driver_initialization_is_possible());
  wbu_driver_init();
  wbu_car_init();
  use_car();
  use_remembered();
  check(wbu_driver_get_control_mode() == UNDEFINED_CONTROL_MODE);

  /* Step 1: 36 km/h, half of it braked away, to the right. */
  wbu_driver_set_cruising_speed(36);
  wbu_driver_set_steering_angle(0.25);
  wbu_driver_set_brake_intensity(0.5);
  check(wbu_driver_get_target_cruising_speed() == 36);
  check(wbu_driver_get_steering_angle() == 0.25);
  check(wbu_driver_get_brake_intensity() == 0.5 && wbu_driver_get_brake() == 0.5);
  check(wbu_driver_get_control_mode() == SPEED);
  check(wbu_car_get_brake_lights() && !wbu_car_get_backwards_lights());
  check(wbu_driver_get_rpm() == 0); /* an error: there is no throttle */
  check(wbu_driver_step() == 0);

  /* The sample has spins 10, 20, 30, 40 rad/s (rear left, rear right, front left, front right),
     angles 1, 2, 3, 4 and the front wheels 0.2 and 0.3 to the left. */
  check(near(wbu_driver_get_current_speed(), 3.6 * 0.35 * 35));
  check(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_FRONT_RIGHT) == 40);
  check(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT) == 10);
  check(wbu_car_get_wheel_encoder(WBU_CAR_WHEEL_FRONT_LEFT) == 3);
  check(wbu_car_get_wheel_encoder(WBU_CAR_WHEEL_REAR_RIGHT) == 2);
  check(near(wbu_car_get_left_steering_angle(), -0.2));
  check(near(wbu_car_get_right_steering_angle(), -0.3));

  /* Step 2: backwards by the throttle, full steering at most. */
  wbu_driver_set_brake(0);
  wbu_driver_set_throttle(0.5);
  wbu_driver_set_gear(-1);
  wbu_driver_set_steering_angle(-2);
  check(wbu_driver_get_steering_angle() == -0.5);
  check(wbu_driver_get_throttle() == 0.5);
  check(wbu_driver_get_gear() == -1 && wbu_driver_get_gear_number() == 2);
  check(wbu_driver_get_control_mode() == TORQUE);
  check(near(wbu_driver_get_rpm(), 35 * 30 / 3.14159265358979323846));
  check(wbu_car_get_backwards_lights());
  check(wbu_driver_step() == 0);

  check(wbu_driver_step() == -1);
  printf("%d failures\n", failures);
  wbu_car_cleanup();
  wbu_driver_cleanup();
  return failures;
}
