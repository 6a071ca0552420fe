// Messages that clients send, as JSON or as CDR: they may be anything.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "message/wire.h"

namespace protobeam::foxglove {

/// Of at most kMostJson bytes, nested at most 64 deep. Throws std::runtime_error for what is no
/// JSON.
nlohmann::json parse_json(std::string_view text);
inline constexpr std::size_t kMostJson = 1'000'000;

/// A message of ROS 2 from an object that has its fields by name; missing ones are 0, false, "" or
/// empty. A number may be null, which is how JavaScript writes NaN; a time is {"sec", "nanosec"} or
/// {"sec", "nsec"}. Throws std::runtime_error ("linear.x: not a number").
message::Bytes json_to_cdr(const nlohmann::json& json,
                           const message::MessageDescription& description);

/// Throws std::runtime_error when the bytes are no message of this type.
void check_cdr(std::span<const std::uint8_t> cdr, const message::MessageDescription& description);

}  // namespace protobeam::foxglove
