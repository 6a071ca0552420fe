#include "vehicle/schemas.h"

#include "vehicle/vehicle_layout.h"

namespace protobeam {

std::vector<NodeSchema> vehicle_schemas() {
  using enum FieldType;
  return {
      {"VehicleDrive",
       "",
       "Drives the robot that holds it on wheels that follow rules instead of contacts; what "
       "stands "
       "in a world is one of the types that extend it.",
       {{"name", kString, "\"drive\"", "", Range::any(), "name of the device"},
        {"wheels", kMFNode, "[ ]", "", Range::any(), "in the order that the type asks for",
         "VehicleWheel"},
        {"tyre", kNode, "NULL", "", Range::any(),
         "how the wheels hold the ground; NULL: a DefaultFriction with its defaults", "Tyre"},
        {"controller", kNode, "NULL", "", Range::any(),
         "what turns set-points into torques; NULL: a RawControl with its defaults",
         "DriveController"},
        {"wheelLoad", kString, "\"static\"", "", Range::any(),
         "what presses a wheel on the ground: \"static\": an equal share of the chassis, as in "
         "MVSim; \"dynamic\": its suspension",
         "static|dynamic"},
        {"supports", kMFVec3f, "[ ]", "m", Range::any(),
         "points in the vehicle's frame that glide on the ground without friction, as ball casters "
         "do; none, while all wheels stand in one line: two, half a track before and behind it"},
        {"tilts", kBool, "TRUE", "", Range::any(),
         "the vehicle pitches and rolls when it speeds up, brakes and turns, and may tip; FALSE: "
         "its "
         "tyres push at the height of its centre of mass, so that it stays level, as in MVSim"},
        {"calm", kBool, "TRUE", "", Range::any(),
         "wheels that together correct a sideways motion too far in a step, the other way in the "
         "next one, get smaller shares of it; FALSE: they do not, as in MVSim, and the vehicle "
         "trembles"},
        {"odometryScale", kVec3f, "1 1 1", "", Range::any(),
         "what the odometry tells of x, y and yaw, in shares of what the wheels rolled"},
        {"odometryNoise", kVec3f, "0 0 0", "m, m, rad", Range::any(),
         "standard deviation by which x, y and yaw of the odometry stray after 1 m of way or 1 rad "
         "of turn; it grows with the root of both"},
        {"linearDamping", kFloat, "0.1", "1/s", Range::at_least(0),
         "rate at which the vehicle's speed decays by itself"},
        {"angularDamping", kFloat, "0.1", "1/s", Range::at_least(0), "the same for its yaw rate"}}},
      {"Tyre",
       "",
       "How a wheel holds the ground; what stands in a world is one of the types that extend it.",
       {}},
      {"DriveController",
       "",
       "Turns set-points into torques and steering; what stands in a world is one of the types "
       "that "
       "extend it.",
       {{"commandTimeout", kFloat, "1", "s", Range::any(),
         "simulated time after which a set-point that is not renewed stops the vehicle; 0 or less: "
         "never"}}},
      wheel_schema(),
  };
}

}  // namespace protobeam
