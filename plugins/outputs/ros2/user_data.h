// What stands in the user data of readers and writers of ROS 2: "clientid=1.2.3;typehash=...;".
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace protobeam::ros2 {

/// What stands between = and ; behind `key`; "" when there is nothing.
inline std::string user_value(std::string data, std::string_view key) {
  constexpr std::size_t kMost = 4096;  // theirs have about a hundred bytes
  data.resize(std::min(data.size(), kMost));
  const std::string text = ";" + data, start = ";" + std::string(key) + "=";
  const std::size_t at = text.find(start);
  if (at == std::string::npos) return "";
  const std::size_t from = at + start.size();
  return text.substr(from, text.find(';', from) - from);
}

}  // namespace protobeam::ros2
