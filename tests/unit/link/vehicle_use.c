/* Uses every function of protobeam/vehicle.h; compiled as C99 and as C++. The test that starts it
   (vehicle_library_test.cpp) has the car, and numbers its sample 1, 2, 3, ... */
#include <math.h>
#include <protobeam/vehicle.h>
#include <stdio.h>
#include <string.h>
#include <webots/device.h>
#include <webots/nodes.h>
#include <webots/robot.h>

static int failures = 0;
#define check(condition)                             \
  do {                                               \
    if (!(condition)) {                              \
      printf("line %d: %s\n", __LINE__, #condition); \
      ++failures;                                    \
    }                                                \
  } while (0)

static void use_constants(WbDeviceTag drive) {
  check(wb_device_get_node_type(drive) == WB_NODE_PROTOBEAM_VEHICLE);
  check(!strcmp(pb_vehicle_get_drive(drive), "AckermannDrive"));
  check(!strcmp(pb_vehicle_get_controller(drive), "FrontSteerPid"));
  check(pb_vehicle_takes(drive, PB_VEHICLE_TWIST));
  check(!pb_vehicle_takes(drive, PB_VEHICLE_SPEED));
  check(!pb_vehicle_takes(drive, PB_VEHICLE_TORQUES));
  check(pb_vehicle_get_number_of_torques(drive) == 2);
  check(pb_vehicle_get_max_torque(drive) == 600);
  check(pb_vehicle_get_max_steering(drive) == 0.5);
  check(pb_vehicle_get_wheelbase(drive) == 2);
  check(pb_vehicle_get_number_of_wheels(drive) == 4);
  check(pb_vehicle_get_wheel_radius(drive, 3) == 0.35);
  check(isnan(pb_vehicle_get_wheel_radius(drive, 4)));
  check(!pb_vehicle_is_wheel_driven(drive, 1) && pb_vehicle_is_wheel_driven(drive, 2));
  check(pb_vehicle_get_wheel_position(drive, 3)[1] == -0.75);
  check(pb_vehicle_get_wheel_position(drive, -1) == NULL);
}

static void use_set_points(WbDeviceTag drive) {
  const double torques[] = {30, 40};
  pb_vehicle_set_twist(drive, 1, 2, 3);
  pb_vehicle_set_speed(drive, 4, 0.25);
  pb_vehicle_set_torques(drive, torques, 2, -0.125);
  pb_vehicle_set_torques(drive, torques, 1, 0);
  pb_vehicle_set_twist(drive, NAN, 0, 0);
  pb_vehicle_set_speed(drive, INFINITY, 0);
  pb_vehicle_set_speed(wb_robot_get_device("gps"), 1, 0);
}

static void use_samples(WbDeviceTag drive) {
  const PbTwist odometry = pb_vehicle_get_odometry_twist(drive);
  const PbPose odometry_pose = pb_vehicle_get_odometry_pose(drive);
  const PbTwist truth = pb_vehicle_get_true_twist(drive);
  const PbPose pose = pb_vehicle_get_true_pose(drive);
  const PbWheel wheel = pb_vehicle_get_wheel(drive, 3);
  check(odometry.vx == 1 && odometry.vy == 2 && odometry.omega == 3);
  check(odometry_pose.x == 4 && odometry_pose.y == 5 && odometry_pose.yaw == 6);
  check(odometry_pose.z == 0 && odometry_pose.roll == 0 && odometry_pose.pitch == 0);
  check(truth.vx == 7 && truth.vy == 8 && truth.omega == 9);
  check(pose.x == 10 && pose.y == 11 && pose.z == 12);
  check(pose.roll == 13 && pose.pitch == 14 && pose.yaw == 15);
  check(pb_vehicle_has_collided(drive));
  check(wheel.steering == 41 && wheel.angle == 42 && wheel.spin == 43 && wheel.torque == 44);
  check(wheel.load == 45 && wheel.contact && wheel.slip_ratio == 47 && wheel.slip_angle == 48);
  check(isnan(pb_vehicle_get_wheel(drive, 4).spin));
}

int main(void) {
  WbDeviceTag drive;
  wb_robot_init();
  drive = wb_robot_get_device("drive");
  use_constants(drive);
  check(isnan(pb_vehicle_get_true_pose(drive).x)); /* not enabled */
  pb_vehicle_enable(drive, 32);
  check(pb_vehicle_get_sampling_period(drive) == 32);
  use_set_points(drive);
  wb_robot_step(32);
  use_samples(drive);
  pb_vehicle_disable(drive);
  check(pb_vehicle_get_sampling_period(drive) == 0);
  wb_robot_step(32);
  wb_robot_cleanup();
  printf("%d failures\n", failures);
  return failures;
}
