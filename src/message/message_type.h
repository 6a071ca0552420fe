// Names, definitions and hashes of a message, as the programs that read it want them.
#pragma once

#include <string>

#include "message/description.h"

namespace protobeam::message {

struct MessageType {
  const MessageDescription* description = nullptr;
  std::string ros1_name;        ///< "sensor_msgs/Imu"
  std::string ros1_definition;  ///< with those of the messages in it, as a bag has them
  std::string ros1_md5;         ///< 32 hexadecimal digits (genmsg's gentools.py)
  std::string ros2_name;        ///< "sensor_msgs/msg/Imu"
  std::string ros2_definition;  ///< the same for ROS 2: "ros2msg" of MCAP (mcap.dev/spec/registry)
  std::string dds_name;         ///< "sensor_msgs::msg::dds_::Imu_" (design.ros2.org, "Topic and Service name mapping")
  std::string ros2_hash;        ///< "RIHS01_" and 64 hexadecimal digits (REP-2011, REP-2016)
};

MessageType make_type(const MessageDescription& description);

template <Message M>
const MessageType& type_of() {
  static const MessageType type = [] {
    MessageType made = make_type(description_of<M>());
    // Where the description has no words for what the definition has.
    if constexpr (requires { M::kRos2Hash; }) made.ros2_hash = M::kRos2Hash;
    return made;
  }();
  return type;
}

}  // namespace protobeam::message
