#include "motor_drive_declaration.h"

#include "vehicle/drive.h"
#include "vehicle/twist_limits.h"

namespace protobeam {

DeviceType motor_drive_declaration() {
  using enum FieldType;
  const Range positive_or_none = Range::positive().or_special(-1);
  return {
      .node =
          {"MotorDrive", "Device",
           "Drives a robot by the motors of its wheels: twists in, odometry out. Its frame lies "
           "between the wheels, x ahead.",
           with_twist_limits(
               {{"name", kString, "\"drive\"", "", {}, "Name for the controller"},
                {"kinematics",
                 kString,
                 "\"differential\"",
                 "",
                 {},
                 "What wheels it has; planar: any or none, the robot is pushed",
                 "differential|mecanum|ackermann|tricycle|planar"},
                {"leftMotors",
                 kMFString,
                 "[ ]",
                 "",
                 {},
                 "Names of the RotationalMotors of the left wheels; mecanum: front, rear; "
                 "ackermann: of those that drive; tricycle: of the one that drives"},
                {"rightMotors",
                 kMFString,
                 "[ ]",
                 "",
                 {},
                 "Those of the right ones; mecanum: front, rear; ackermann: none if those named as "
                 "left are in the middle; tricycle: none"},
                {"steeringMotors",
                 kMFString,
                 "[ ]",
                 "",
                 {},
                 "Ackermann: names of the RotationalMotors that steer: left, right, or one in the "
                 "middle; tricycle: of the one that steers the driven wheel"},
                {"wheelRadius", kFloat, "0.05", "m", Range::positive(),
                 "Of each wheel; for the LinearMotors of Tracks 1"},
                {"wheelSeparation", kFloat, "0.3", "m", Range::positive(),
                 "From the left to the right wheels"},
                {"wheelbase", kFloat, "0.3", "m", Range::positive(),
                 "From the front to the rear wheels; mecanum, ackermann and tricycle only"},
                {"steeringSeparation", kFloat, "-1", "m", positive_or_none,
                 "Ackermann: from the left to the right axis about which wheels steer; -1: as the "
                 "wheels"},
                max_steering_field(),
                {"maxAcceleration", kFloat, "-1", "m/s^2", positive_or_none,
                 "Of the rim of a wheel; planar: of the robot; -1: none"},
                {"maxVelocity", kFloat, "-1", "m/s", positive_or_none,
                 "Of the robot, whatever its twists say; -1: none"},
                {"maxYawRate", kFloat, "-1", "rad/s", positive_or_none, "Likewise; -1: none"},
                {"twistSteers",
                 kBool,
                 "FALSE",
                 "",
                 {},
                 "Ackermann: the yaw rate of a twist is the angle of the central steering ahead, "
                 "rad"},
                {"pushesRobot",
                 kBool,
                 "FALSE",
                 "",
                 {},
                 "Mecanum: pushes the robot along as ideal rollers do, for wheels without "
                 "friction"},
                {"commandTimeout", kFloat, "1", "s", Range::any(),
                 "A twist that nobody renews for so long stops the robot; 0 or less: it holds"}})},
      .channels = {{"odometry_twist",
                    ElementType::kFloat64,
                    {3},
                    "m/s, m/s, rad/s",
                    "device",
                    "",
                    "vx, vy and yaw rate as the wheels tell"},
                   {"odometry_pose",
                    ElementType::kFloat64,
                    {3},
                    "m, m, rad",
                    "start",
                    "",
                    "x, y and yaw as the wheels tell, from where it started"}},
      .commands = {{"twist",
                    {{"vx", "m/s"}, {"vy", "m/s"}, {"yaw rate", "rad/s"}},
                    "set-point; vy: mecanum and planar only"}},
      .properties = {{"takes", "", "twist"},
                     {"wheelRadius", "m", "of each wheel"},
                     {"wheelSeparation", "m", "from the left to the right wheels"}},
      .forces = true,
      .motors = {"leftMotors", "rightMotors", "steeringMotors"},
  };
}

}  // namespace protobeam
