// Names that ROS takes: letters, digits, '_' and '/', no part of a name beginning with a digit
// (design.ros2.org, "Topic and Service name mapping to DDS"; wiki.ros.org/Names).
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace protobeam {

/// `text` with '_' for what cannot stand in a name, and 'n' before a digit at the start of a part.
/// Empty parts go; "unnamed" for nothing.
std::string ros_name(std::string_view text);

/// Names that are all different.
class TopicNames {
 public:
  /// `name` as a whole name ("/car/odom"), or with a number behind it when there is that one already.
  std::string add(std::string_view name);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace protobeam
