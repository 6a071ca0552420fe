/* Drives the car of the test beside it by Webots' libraries of cars. It is driven at the rear,
   hangs in the air without gravity, and each of its wheels has a moment of inertia of 0.25 kg m^2.
 */
#include <math.h>
#include <stdio.h>
#include <webots/led.h>
#include <webots/motor.h>
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
#define check_near(value, expected, tolerance)                                         \
  do {                                                                                 \
    const double is = (value);                                                         \
    if (!(fabs(is - (expected)) <= (tolerance))) {                                     \
      printf("line %d: %s is %g, not %g\n", __LINE__, #value, is, (double)(expected)); \
      ++failures;                                                                      \
    }                                                                                  \
  } while (0)

static void steps(int count) {
  for (; count > 0; --count) wbu_driver_step();
}

static double spin(WbuCarWheelIndex wheel) { /* over the next step */
  const double before = wbu_car_get_wheel_encoder(wheel);
  wbu_driver_step();
  return (wbu_car_get_wheel_encoder(wheel) - before) / 0.008;
}

static void use_description(void) {
  check(wbu_car_get_type() == WBU_CAR_PROPULSION);
  check(wbu_car_get_engine_type() == WBU_CAR_ELECTRIC_ENGINE);
  check(wbu_car_get_wheelbase() == 2);
  check(wbu_car_get_track_front() == 1);
  check(wbu_car_get_track_rear() == 1.5);
  check(wbu_car_get_front_wheel_radius() == 0.3);
  check(wbu_car_get_rear_wheel_radius() == 0.25);
  check(wbu_driver_get_gear_number() == 2);
}

static void use_speed(void) {
  const WbDeviceTag right = wb_robot_get_device("right_steer");
  const WbDeviceTag left = wb_robot_get_device("left_steer");
  const double radius = 2 / tan(0.2); /* m, of the curve of the rear axle */
  wbu_driver_set_cruising_speed(36);
  check(wbu_driver_get_control_mode() == SPEED);
  steps(50);
  check_near(wbu_driver_get_current_speed(), 36, 0.01);
  check_near(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT), 40, 0.01);
  check_near(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_FRONT_LEFT), 0, 0.01);
  /* To the right; formulas of R. N. Jazar, Vehicle Dynamics (2008), 7.1. */
  wbu_driver_set_steering_angle(0.2);
  check_near(wb_motor_get_target_position(right), atan(1 / (1 / tan(0.2) - 0.25)), 1e-9);
  check_near(wb_motor_get_target_position(left), atan(1 / (1 / tan(0.2) + 0.25)), 1e-9);
  steps(100);
  check_near(wbu_driver_get_steering_angle(), 0.2, 0.005);
  check_near(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_RIGHT), 40 * (1 - 0.75 / radius), 0.01);
  check_near(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT), 40 * (1 + 0.75 / radius), 0.01);
  check_near(wbu_driver_get_current_speed(), 36, 0.01);
  wbu_driver_set_steering_angle(0);
  steps(100);
}

/* At 40 rad/s the engine turns at 400 rad/s in the first gear, where its 20 kW are 50 N m: at half
   throttle 125 N m at each wheel, 4 rad/s more in a step and a little less in the next. What an
   encoder shows of a step is the mean over it, so two steps under torque are compared. */
static void use_torque(void) {
  const double before = spin(WBU_CAR_WHEEL_REAR_LEFT);
  double after;
  wbu_driver_set_throttle(0.5);
  wbu_driver_set_gear(1);
  after = spin(WBU_CAR_WHEEL_REAR_LEFT);
  check_near(wbu_driver_get_rpm(), 10 * before * 30 / 3.14159265, 20);
  check_near(spin(WBU_CAR_WHEEL_REAR_LEFT) - after, 3.85, 0.15);
  check(wbu_driver_get_control_mode() == TORQUE);
  /* 100 N m against it. */
  wbu_driver_set_throttle(0);
  spin(WBU_CAR_WHEEL_REAR_LEFT);
  wbu_driver_set_brake_intensity(1);
  after = spin(WBU_CAR_WHEEL_REAR_LEFT);
  check(wbu_car_get_brake_lights());
  check(wb_led_get(wb_robot_get_device("brake_lights")) == 1);
  check_near(spin(WBU_CAR_WHEEL_REAR_LEFT) - after, -3.2, 0.2);
  wbu_driver_set_brake_intensity(0);
  check(wb_led_get(wb_robot_get_device("brake_lights")) == 0);
}

static void use_lights(void) {
  const WbDeviceTag right = wb_robot_get_device("right_indicators");
  const WbDeviceTag left = wb_robot_get_device("left_indicators");
  int on = 0, i;
  wbu_car_set_indicator_period(0.08);
  wbu_driver_set_indicator(RIGHT);
  for (i = 0; i < 100; ++i) {
    wbu_driver_step();
    on += wb_led_get(right);
    check(wb_led_get(left) == 0);
  }
  check(on == 50);
  wbu_driver_set_dipped_beams(true);
  check(wb_led_get(wb_robot_get_device("front_lights")) == 1);
}

int main(void) {
  check(wbu_driver_initialization_is_possible());
  wbu_driver_init();
  use_description();
  use_speed();
  use_torque();
  use_lights();
  printf("%d failures\n", failures);
  wbu_driver_cleanup();
  return failures ? 1 : 0;
}
