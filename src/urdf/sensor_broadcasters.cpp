#include "urdf/sensor_broadcasters.h"

#include <algorithm>

namespace protobeam::urdf {

// ros2_controllers, NAME_broadcaster/src; ros2_control, controller_interface/include/
// semantic_components.
const SensorBroadcaster* sensor_broadcaster(std::string_view type) {
  static const std::vector<SensorBroadcaster> all = {
      {"imu_sensor_broadcaster/IMUSensorBroadcaster",
       {"imu"},
       "Imu",
       "imu",
       "imu",
       {"orientation.x", "orientation.y", "orientation.z", "orientation.w", "angular_velocity.x",
        "angular_velocity.y", "angular_velocity.z", "linear_acceleration.x",
        "linear_acceleration.y", "linear_acceleration.z"},
       true},
      {"force_torque_sensor_broadcaster/ForceTorqueSensorBroadcaster",
       {"force_torque"},
       "ForceTorqueSensor",
       "wrench",
       "wrench",
       {"force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"}},
      {"gps_sensor_broadcaster/GPSSensorBroadcaster",
       {"gps", "navsat"},
       "GPS",
       "",
       "gps/fix",
       {"status", "service", "latitude", "longitude", "altitude"}},
      {"magnetometer_broadcaster/MagnetometerBroadcaster",
       {"magnetometer"},
       "Magnetometer",
       "magnetic_field",
       "magnetic_field",
       {"magnetic_field.x", "magnetic_field.y", "magnetic_field.z"}},
      {"range_sensor_broadcaster/RangeSensorBroadcaster",
       {"ray", "gpu_ray", "lidar", "gpu_lidar"},
       "Lidar",
       "range",
       "range",
       {"range"}},
  };
  const auto found = std::ranges::find(all, type, &SensorBroadcaster::type);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace protobeam::urdf
