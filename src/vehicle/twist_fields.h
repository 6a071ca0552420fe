// The initial set-point of controllers that take twists.
#pragma once

#include <vector>

#include "base/field_table.h"
#include "base/fields.h"
#include "vehicle/twist.h"

namespace protobeam {

inline std::vector<FieldSpec> initial_twist_fields() {
  return {{"speed", FieldType::kFloat, "0", "m/s", Range::any(),
           "set-point until the first command: forward speed"},
          {"yawRate", FieldType::kFloat, "0", "rad/s", Range::any(),
           "set-point until the first command: left turn"}};
}

inline Twist initial_twist_from(const Fields& fields) {
  return {fields.number("speed"), 0, fields.number("yawRate")};
}

}  // namespace protobeam
