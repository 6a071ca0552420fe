/* A program of the time of DifferentialWheels: prints what its functions give. */
#include <stdio.h>
#include <webots/differential_wheels.h>
#include <webots/robot.h>

int main(void) {
  double before;
  wb_robot_init();
  printf("at first: %g of %g rad/s in units of %g\n", wb_differential_wheels_get_left_speed(),
         wb_differential_wheels_get_max_speed(), wb_differential_wheels_get_speed_unit());
  wb_differential_wheels_enable_encoders(32);
  wb_differential_wheels_set_speed(10, -20);
  wb_robot_step(320);
  before = wb_differential_wheels_get_left_encoder();
  wb_robot_step(1600);
  printf("counted: %.0f in %d ms\n", wb_differential_wheels_get_left_encoder() - before, 1600);
  printf("told: %g %g\n", wb_differential_wheels_get_left_speed(),
         wb_differential_wheels_get_right_speed());
  wb_differential_wheels_set_encoders(7, -8);
  printf("set: %g %g\n", wb_differential_wheels_get_left_encoder(),
         wb_differential_wheels_get_right_encoder());
  wb_robot_step(1600);
  printf("then: %.0f %.0f\n", wb_differential_wheels_get_left_encoder(),
         wb_differential_wheels_get_right_encoder());
  wb_differential_wheels_set_speed(1000, 0);
  wb_differential_wheels_disable_encoders();
  printf("period: %d\n", wb_differential_wheels_get_encoders_sampling_period());
  wb_robot_cleanup();
  return 0;
}
