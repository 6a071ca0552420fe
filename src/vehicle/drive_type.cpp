#include "vehicle/drive_type.h"

#include "base/vehicle_data.h"

namespace protobeam {

DeviceType drive_type(const NodeSchema& node) {
  using enum ElementType;
  constexpr std::size_t kMostTorques = 16;  // the drive says how many it takes
  const Dimension columns = vehicle_data::kWheelSize;
  return {
      .node = node,
      .channels =
          {{"odometry_twist", kFloat64, {3}, "m/s, m/s, rad/s", "vehicle", "",
            "vx, vy and yaw rate as the wheels tell"},
           {"odometry_pose", kFloat64, {3}, "m, m, rad", "start", "",
            "x, y and yaw as the wheels tell, from where it started"},
           {"true_twist", kFloat64, {3}, "m/s, m/s, rad/s", "vehicle", "", "the truth"},
           {"true_pose", kFloat64, {6}, "m and rad", "world", "", "x, y, z, roll, pitch, yaw"},
           {"collision", kFloat64, {}, "", "", "", "1: touched something since the last sample"},
           {"wheels", kFloat64, {"wheelRadii", columns}, "", "vehicle", "",
            "steering (rad), angle (rad), spin (rad/s), torque (N m), load (N), contact (1: yes), "
            "slip ratio, slip angle (rad)"}},
      .commands = {{"twist",
                    {{"vx", "m/s"}, {"vy", "m/s"}, {"yaw rate", "rad/s"}},
                    "set-point of controllers that take a twist"},
                   {"speed",
                    {{"speed", "m/s"}, {"steering", "rad"}},
                    "set-point of controllers that take speed and steering"},
                   {"torques",
                    {{"steering", "rad"}, {"torque", "N m"}},
                    "set-point of controllers that take a torque for each input",
                    false,
                    kMostTorques}},
      .properties = {{"drive", "", "node type"},
                     {"controller", "", "node type of its controller"},
                     {"takes", "", "twist, speed or torques"},
                     {"inputs", "", "torques that it takes"},
                     {"maxTorque", "N m", "of each; -1: no limit"},
                     {"maxSteering", "rad", "0: it does not steer"},
                     {"wheelbase", "m", "0: it does not steer"},
                     {"wheelRadii", "m", "of each wheel"},
                     {"drivenWheels", "", "1 for each wheel with a torque"},
                     {"wheelPositions", "m", "x, y, z of each wheel's centre"}},
      .inputs = Input::kBodyContacts,
      .forces = true,
      .api = "VehicleDrive",
      .webots_node = 1001,
  };
}

}  // namespace protobeam
