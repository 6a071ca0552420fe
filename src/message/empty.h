// std_msgs/Empty: that it comes is all that it says.
#pragma once

#include "message/description.h"

namespace protobeam::message {

struct Empty {
  static constexpr MessageName kName{"std_msgs", "Empty"};
  static void each(auto&, auto&&) {}
};

}  // namespace protobeam::message
