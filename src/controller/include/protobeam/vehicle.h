/* A vehicle that drives by rules (VehicleDrive): set-points, odometry and truth, wheels.

   In the vehicle's frame x points forward, y to the left. Yaw, steering and yaw rates are positive
   to the left, torques and spins forward. SI units and radians. Set-points act from the next step
   on; one that is older than the `commandTimeout` of the drive's controller stops the vehicle, so
   send it in each step. A set-point that the drive's controller does not take is told on stderr of
   this robot.

   What is measured comes in samples, like that of a sensor: see pb_vehicle_enable(). While
   disabled, the functions for it complain and return NaN. */
#ifndef PROTOBEAM_VEHICLE_H
#define PROTOBEAM_VEHICLE_H

#include <webots/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  double vx, vy; /* m/s, in the vehicle's frame */
  double omega;  /* rad/s */
} PbTwist;

typedef struct {
  double x, y, z;          /* m */
  double roll, pitch, yaw; /* rad: the vehicle is turned by yaw about z, then pitch, then roll */
} PbPose;

typedef struct {
  double steering;   /* rad: where the wheel points */
  double angle;      /* rad: how far it has turned since the start */
  double spin;       /* rad/s */
  double torque;     /* N m, of its motor */
  double load;       /* N, with which it stands on the ground */
  double slip_ratio; /* -1 locked ... 1 spinning on the spot */
  double slip_angle; /* rad, from the direction of motion to that of the wheel */
  bool contact;      /* it touches the ground */
} PbWheel;

typedef enum { PB_VEHICLE_TWIST = 0, PB_VEHICLE_SPEED, PB_VEHICLE_TORQUES } PbSetPoint;

/* Set-points. */
void pb_vehicle_set_twist(WbDeviceTag tag, double vx, double vy, double omega);
void pb_vehicle_set_speed(WbDeviceTag tag, double speed, double steering);
void pb_vehicle_set_torques(WbDeviceTag tag, const double* torques, int count, double steering);

/* Samples. */
void pb_vehicle_enable(WbDeviceTag tag, int sampling_period); /* ms */
void pb_vehicle_disable(WbDeviceTag tag);
int pb_vehicle_get_sampling_period(WbDeviceTag tag);

/* What the wheels say: the pose starts at 0 0 0 and goes wrong with slip, with the drive's
   odometryScale and with its odometryNoise. */
PbTwist pb_vehicle_get_odometry_twist(WbDeviceTag tag);
PbPose pb_vehicle_get_odometry_pose(WbDeviceTag tag);
/* The truth, in the world. */
PbTwist pb_vehicle_get_true_twist(WbDeviceTag tag);
PbPose pb_vehicle_get_true_pose(WbDeviceTag tag);
/* The vehicle has touched something other than the ground under its wheels since the last sample.
 */
bool pb_vehicle_has_collided(WbDeviceTag tag);
PbWheel pb_vehicle_get_wheel(WbDeviceTag tag, int wheel);

/* What kind of vehicle it is. Wheels in the order of the drive's `wheels`. */
const char* pb_vehicle_get_drive(WbDeviceTag tag);      /* "AckermannDrive" */
const char* pb_vehicle_get_controller(WbDeviceTag tag); /* "FrontSteerPid" */
bool pb_vehicle_takes(WbDeviceTag tag, PbSetPoint kind);
int pb_vehicle_get_number_of_torques(WbDeviceTag tag);
double pb_vehicle_get_max_torque(WbDeviceTag tag);   /* N m, of each of them; -1: no limit */
double pb_vehicle_get_max_steering(WbDeviceTag tag); /* rad; 0: it does not steer */
double pb_vehicle_get_wheelbase(WbDeviceTag tag);    /* m; 0: it does not steer */
int pb_vehicle_get_number_of_wheels(WbDeviceTag tag);
double pb_vehicle_get_wheel_radius(WbDeviceTag tag, int wheel); /* m */
bool pb_vehicle_is_wheel_driven(WbDeviceTag tag, int wheel);
/* x, y, z of its centre in the vehicle's frame (m); NULL for a wheel that is not there. */
const double* pb_vehicle_get_wheel_position(WbDeviceTag tag, int wheel);

#ifdef __cplusplus
}
#endif

#endif /* PROTOBEAM_VEHICLE_H */
