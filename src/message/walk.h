// The bytes of a message read by its description, for programs that do not know its type: tables,
// filters, what shows a message as text.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "message/description.h"

namespace protobeam::message {

/// Integers are widened, signed and unsigned each for itself.
using LeafValue =
    std::variant<bool, std::int64_t, std::uint64_t, float, double, std::string, Time, Duration>;

/// A number, text or time in a message.
struct Leaf {
  std::string_view path;  ///< "pose.covariance[35]", names of ROS 2; "" never
  const LeafValue& value;
  /// It, or a message around it, is an element of a sequence: another message may have more or fewer.
  bool in_sequence = false;
};

/// Calls back for each leaf of the message, in the order of its description, until that returns
/// false. `cdr` begins with the encapsulation. Throws std::runtime_error for bytes that are no such
/// message, when it comes to the place.
void walk(const MessageDescription& description, std::span<const std::uint8_t> cdr,
          const std::function<bool(const Leaf&)>& visit);

}  // namespace protobeam::message
