#include "sensor/three_axis.h"

#include <limits>

#include "sensor/values.h"

namespace protobeam {

std::vector<FieldSpec> three_axis_fields(const char* default_name, const char* unit) {
  return {
      {"name", FieldType::kString, default_name, "", Range::any(), "name for the controller"},
      {"lookupTable", FieldType::kMFFloat, "[ ]", unit, Range::any(),
       "triples input, output, relative noise (standard deviation / output); empty: exact"},
      {"xAxis", FieldType::kBool, "TRUE", "", Range::any(), "measure along x; FALSE reports NaN"},
      {"yAxis", FieldType::kBool, "TRUE", "", Range::any(), "measure along y; FALSE reports NaN"},
      {"zAxis", FieldType::kBool, "TRUE", "", Range::any(), "measure along z; FALSE reports NaN"},
      {"resolution", FieldType::kFloat, "-1", unit, Range::positive().or_special(-1),
       "smallest step of the output; -1: none"},
  };
}

ThreeAxis::ThreeAxis(const Fields& fields)
    : table_(fields.numbers("lookupTable")),
      enabled_{fields.boolean("xAxis"), fields.boolean("yAxis"), fields.boolean("zAxis")},
      resolution_(fields.number("resolution")) {}

std::array<double, 3> ThreeAxis::measure(const Vec3& value_S, const NoiseKey& noise) const {
  std::array<double, 3> out;
  for (int axis = 0; axis < 3; ++axis) {
    out[axis] = enabled_[axis] ? quantised(table_.sample(value_S[axis], noise, axis), resolution_)
                               : std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

Properties ThreeAxis::properties() const {
  return {{"lookupTable", table_.numbers()}, {"resolution", resolution_}};
}

}  // namespace protobeam
