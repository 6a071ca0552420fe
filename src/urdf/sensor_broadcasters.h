// The broadcasters of ros2_controllers that publish what a sensor of <ros2_control> measures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace protobeam::urdf {

struct SensorBroadcaster {
  std::string type;                  ///< of the controller
  std::vector<std::string> sensors;  ///< types of <sensor> in <gazebo> that measure it
  std::string device;                ///< what those become
  std::string message;               ///< of the device; "": the first
  std::string topic;                 ///< behind the controller's name
  std::vector<std::string> states;   ///< interfaces, behind the sensor's name
  bool sampled = false;              ///< in a PROTO, for programs of Webots, it is several devices
};

/// Null for controllers that are none.
const SensorBroadcaster* sensor_broadcaster(std::string_view type);

}  // namespace protobeam::urdf
