/* Drives the car of the test beside it by Webots' libraries of cars. It is driven at the rear,
   hangs in the air without gravity, and each of its wheels has a moment of inertia of 10 kg m^2,
   but the right rear one of 30 kg m^2. */
#include <math.h>
#include <stdio.h>
#include <webots/camera.h>
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
  check(wbu_driver_get_gear_number() == 3); /* with that for driving backwards */
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
   throttle 125 N m at each wheel, 0.1 rad/s more in a step and a little less in the next. What an
   encoder shows of a step is the mean over it, so two steps under torque are compared. */
static void use_torque(void) {
  const double before = spin(WBU_CAR_WHEEL_REAR_LEFT);
  double after;
  wbu_car_enable_limited_slip_differential(false);
  wbu_driver_set_gear(1);
  check(wbu_driver_get_gear() == 0); /* there are no gears under control by speed */
  check(wbu_driver_get_rpm() == 0);
  wbu_driver_set_throttle(0.5);
  check(wbu_driver_get_gear() == 1);
  after = spin(WBU_CAR_WHEEL_REAR_LEFT);
  check_near(wbu_driver_get_rpm(), 10 * before * 30 / 3.14159265, 20);
  check_near(spin(WBU_CAR_WHEEL_REAR_LEFT) - after, 0.0995, 0.001);
  check(wbu_driver_get_control_mode() == TORQUE);
  /* 100 N m against it. */
  wbu_driver_set_throttle(0);
  spin(WBU_CAR_WHEEL_REAR_LEFT);
  wbu_driver_set_brake_intensity(1);
  after = spin(WBU_CAR_WHEEL_REAR_LEFT);
  check(wbu_car_get_brake_lights());
  check(wb_led_get(wb_robot_get_device("brake_lights")) == 1);
  check_near(spin(WBU_CAR_WHEEL_REAR_LEFT) - after, -0.08, 0.002);
  wbu_driver_set_brake_intensity(0);
  check(wb_led_get(wb_robot_get_device("brake_lights")) == 0);
}

static void stop(void) {
  wbu_driver_set_cruising_speed(0);
  steps(20);
}

/* 500 N m for each wheel: 50 rad/s^2 of the left one and 16.7 of the right one. With limited slip
   both turn at one speed, by 250 and 750 N m. */
static void use_differential(void) {
  stop();
  wbu_driver_set_gear(2);
  wbu_driver_set_throttle(1);
  steps(50);
  check_near(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT) /
                 wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_RIGHT),
             3, 0.1);
  stop();
  wbu_car_enable_limited_slip_differential(true);
  wbu_driver_set_throttle(1);
  steps(200);
  check_near(wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT) /
                 wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_RIGHT),
             1, 0.1);
}

/* The first gear gives the left wheel 100 rad/s^2: after a step of more than 50 the engine gives
   way to 50, then there is nothing against 100 again. */
static void use_acceleration(void) {
  double before;
  stop();
  wbu_car_enable_limited_slip_differential(false);
  wbu_driver_set_gear(1);
  wbu_driver_set_throttle(1);
  steps(1);
  before = wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT);
  steps(12);
  check_near((wbu_car_get_wheel_speed(WBU_CAR_WHEEL_REAR_LEFT) - before) / (12 * 0.008), 75, 6);
}

static double target(const char* motor) {
  return wb_motor_get_target_position(wb_robot_get_device(motor));
}

static void use_cockpit(void) {
  int sweeps = 0, up = 0, i;
  wbu_driver_set_cruising_speed(36);
  wbu_driver_set_steering_angle(0.05);
  check_near(target("steering_wheel_motor"), 0.5, 1e-9);
  steps(100);
  check_near(target("speed_needle_motor"), 4.4 * 36 / 220, 0.001);
  check_near(target("rpm_needle_motor"), 0, 0);
  wbu_driver_set_gear(2);
  wbu_driver_set_throttle(0);
  steps(2); /* 40 rad/s, five times as fast: 1910 revolutions in a minute */
  check_near(target("rpm_needle_motor"), 4.4 * 200 * 30 / 3.14159265 / 11000, 0.01);
  check(wb_camera_get_sampling_period(wb_robot_get_device("rear_camera")) == 40);
  /* 1.5 rad at 2 rad/s and back: 1.5 s. */
  wbu_driver_set_wiper_mode(NORMAL);
  check(wbu_driver_get_wiper_mode() == NORMAL);
  for (i = 0; i < 750; ++i) {
    const int was = up;
    wbu_driver_step();
    up = target("right_wiper_motor") > 1;
    check(target("left_wiper_motor") == target("right_wiper_motor"));
    sweeps += up && !was;
  }
  check(sweeps == 4);
  /* Slowly: in the first of four seconds. */
  wbu_driver_set_wiper_mode(SLOW);
  while ((int)wb_robot_get_time() % 4 != 2) wbu_driver_step();
  for (sweeps = i = 0; i < 1000; ++i) {
    const int was = up;
    wbu_driver_step();
    up = target("right_wiper_motor") > 1;
    sweeps += up && !was;
    check(!up || (int)(wb_robot_get_time() - 0.004) % 4 == 0);
  }
  check(sweeps == 2);
  wbu_driver_set_wiper_mode(DOWN);
  check(target("right_wiper_motor") == 0);
}

/* The indicator goes out when the driver steers back by 0.1 rad. */
static void use_indicator(void) {
  wbu_driver_set_steering_angle(0);
  wbu_driver_set_indicator(RIGHT);
  check_near(target("indicator_lever_motor"), 0.4, 0);
  wbu_driver_set_steering_angle(0.2);
  wbu_driver_set_steering_angle(0.11);
  check(wbu_driver_get_indicator() == RIGHT);
  wbu_driver_set_steering_angle(0.09);
  check(wbu_driver_get_indicator() == OFF);
  check_near(target("indicator_lever_motor"), 0, 0);
  wbu_driver_set_indicator(LEFT);
  check_near(target("indicator_lever_motor"), -0.3, 0);
  wbu_driver_set_steering_angle(0.18);
  check(wbu_driver_get_indicator() == LEFT);
  wbu_driver_set_steering_angle(0.2);
  check(wbu_driver_get_indicator() == OFF);
  /* What is no number changes nothing. */
  wbu_driver_set_steering_angle(NAN);
  check_near(target("steering_wheel_motor"), 2, 1e-9);
  wbu_driver_init(); /* nothing is forgotten */
  check(wbu_driver_get_gear_number() == 3);
  check(wbu_driver_get_control_mode() == TORQUE);
  wbu_driver_set_steering_angle(0);
}

static void use_lights(void) {
  const WbDeviceTag right = wb_robot_get_device("right_indicators");
  const WbDeviceTag left = wb_robot_get_device("left_indicators");
  int on = 0, i;
  check(wbu_car_get_indicator_period() == 0.34);
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
  use_differential();
  use_acceleration();
  use_cockpit();
  use_indicator();
  use_lights();
  printf("%d failures\n", failures);
  wbu_driver_cleanup();
  return failures ? 1 : 0;
}
