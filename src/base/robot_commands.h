// Commands to the robot itself: tag 0 of the link.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "base/device_type.h"

namespace protobeam::robot_commands {

inline constexpr std::uint16_t kCustomData = device_op::kFirstCommand;
inline constexpr std::uint16_t kKeyboard = device_op::kFirstCommand + 1;

inline constexpr std::uint16_t kBatterySensor = device_op::kFirstCommand + 2;

inline constexpr std::uint16_t kWindowText = device_op::kFirstCommand + 3;

inline std::span<const CommandSpec> specs() {
  static const std::vector<CommandSpec> commands = {
      {"custom data", {}, "the new customData", true},
      {"keyboard",
       {{"period", "ms", Range::between(0, std::numeric_limits<int>::max())}},
       "sampling period of the keyboard; 0: off"},
      {"battery sensor",
       {{"period", "ms", Range::between(0, std::numeric_limits<int>::max())}},
       "sampling period of the battery sensor; 0: off"},
      {"window text", {}, "for the page of the robot's window", true}};
  return commands;
}

}  // namespace protobeam::robot_commands
