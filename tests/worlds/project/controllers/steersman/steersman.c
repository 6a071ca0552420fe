/* Drives a vehicle by protobeam/vehicle.h and checks what it feels. Arguments say what for. */
#include <math.h>
#include <protobeam/vehicle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webots/robot.h>

static int failures = 0;
#define check_near(value, wanted, tolerance)                                                      \
  do {                                                                                            \
    if (!(fabs((double)(value) - (double)(wanted)) <= (tolerance))) {                             \
      printf("line %d: %s is %g, not %g\n", __LINE__, #value, (double)(value), (double)(wanted)); \
      ++failures;                                                                                 \
    }                                                                                             \
  } while (0)

static WbDeviceTag drive;
static int step_ms;

/* Drives with the twist for so many seconds; then stops sending for the others. */
static void drive_for(double seconds, double vx, double omega) {
  const double end = wb_robot_get_time() + seconds - 1e-6;
  while (wb_robot_get_time() < end) {
    pb_vehicle_set_twist(drive, vx, 0, omega);
    if (wb_robot_step(step_ms) == -1) exit(EXIT_FAILURE);
  }
}
static void wait_for(double seconds) {
  const double end = wb_robot_get_time() + seconds - 1e-6;
  while (wb_robot_get_time() < end) {
    if (wb_robot_step(step_ms) == -1) exit(EXIT_FAILURE);
  }
}

static double load(void) {
  double sum = 0;
  for (int i = 0; i < pb_vehicle_get_number_of_wheels(drive); ++i) {
    const PbWheel wheel = pb_vehicle_get_wheel(drive, i);
    if (!wheel.contact) printf("wheel %d hangs in the air\n", i);
    sum += wheel.load;
  }
  return sum;
}

/* Ahead at 1 m/s, then nobody sends any more: after commandTimeout it stands. */
static void ahead(double weight) {
  drive_for(4, 1, 0);
  const PbTwist truth = pb_vehicle_get_true_twist(drive);
  const PbTwist wheels = pb_vehicle_get_odometry_twist(drive);
  const PbPose there = pb_vehicle_get_true_pose(drive), told = pb_vehicle_get_odometry_pose(drive);
  check_near(truth.vx, 1, 0.02);
  check_near(truth.vy, 0, 0.01);
  check_near(wheels.vx, truth.vx, 0.01);
  check_near(told.x, there.x, 0.02);
  check_near(there.y, 0, 0.01);
  check_near(load(), weight, 0.02 * weight);
  check_near(pb_vehicle_get_wheel(drive, 0).spin * pb_vehicle_get_wheel_radius(drive, 0), 1, 0.02);
  check_near(pb_vehicle_get_wheel(drive, 0).angle * pb_vehicle_get_wheel_radius(drive, 0), there.x,
             0.02);
  check_near(pb_vehicle_has_collided(drive), 0, 0);
  wait_for(4);
  check_near(pb_vehicle_get_true_twist(drive).vx, 0, 0.05); /* it rolls out below stopSpeed */
}

/* Into the wall that stands in front. */
static void crash(void) {
  int collided = 0;
  for (int i = 0; i < 140 && !collided; ++i) {
    drive_for(0.1, 1, 0);
    collided = pb_vehicle_has_collided(drive);
  }
  check_near(collided, 1, 0);
}

static void print_odometry(void) {
  drive_for(4, 1, 0.25);
  const PbPose told = pb_vehicle_get_odometry_pose(drive), there = pb_vehicle_get_true_pose(drive);
  printf("told %.9f %.9f %.9f there %.9f %.9f %.9f\n", told.x, told.y, told.yaw, there.x, there.y,
         there.yaw);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  wb_robot_init();
  step_ms = (int)lround(wb_robot_get_basic_time_step());
  drive = wb_robot_get_device("drive");
  pb_vehicle_enable(drive, step_ms);
  wait_for(1);
  if (!strcmp(what, "ahead")) ahead(atof(argv[2]));
  if (!strcmp(what, "crash")) crash();
  if (!strcmp(what, "odometry")) print_odometry();
  if (!strcmp(what, "torque")) {
    const double torques[] = {5, 5};
    for (int i = 0; i < 20; ++i) {
      pb_vehicle_set_torques(drive, torques, 2, 0);
      wb_robot_step(step_ms);
    }
    check_near(pb_vehicle_get_true_twist(drive).vx, 0, 0.01);
  }
  if (!strcmp(what, "leave")) drive_for(3, 1, 0);
  printf("%d failures\n", failures);
  wb_robot_cleanup();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
