#include "device/three_axis.h"

#include <cmath>
#include <limits>

#include "device/values.h"

namespace protobeam {

std::vector<FieldSpec> three_axis_fields(const char* default_name, const char* unit,
                                         const char* walk_unit) {
  return {
      {"name", FieldType::kString, default_name, "", Range::any(), "name for the controller"},
      {"lookupTable", FieldType::kMFVec3f, "[ ]", unit, Range::any(),
       "triples input, output, relative noise (standard deviation / output); empty: exact"},
      {"xAxis", FieldType::kBool, "TRUE", "", Range::any(), "measure along x; FALSE reports NaN"},
      {"yAxis", FieldType::kBool, "TRUE", "", Range::any(), "measure along y; FALSE reports NaN"},
      {"zAxis", FieldType::kBool, "TRUE", "", Range::any(), "measure along z; FALSE reports NaN"},
      {"resolution", FieldType::kFloat, "-1", unit, Range::positive().or_special(-1),
       "smallest step of the output; -1: none"},
      {"noise", FieldType::kFloat, "0", unit, Range::at_least(0),
       "standard deviation of each sample and axis, before the table"},
      {"biasWalk", FieldType::kFloat, "0", walk_unit, Range::at_least(0),
       "random walk of each axis' bias: its standard deviation after one second"},
  };
}

ThreeAxis::ThreeAxis(const Fields& fields)
    : table_(fields.numbers("lookupTable")),
      enabled_{fields.boolean("xAxis"), fields.boolean("yAxis"), fields.boolean("zAxis")},
      resolution_(fields.number("resolution")),
      noise_(fields.number("noise")),
      bias_walk_(fields.number("biasWalk")) {}

void ThreeAxis::reset() {
  bias_ = Vec3::Zero();
  last_time_.reset();
}

// White noise and a Wiener process, as C. Forster et al., IEEE Transactions on Robotics 33(1), 2017
// have them for inertial sensors. The numbers 0 to 2 of the device's noise are the table's.
std::array<double, 3> ThreeAxis::measure(const Vec3& value_S, double time, const NoiseKey& noise) {
  constexpr std::uint64_t kWhite = 3, kWalk = 6;
  const double walk = last_time_ ? bias_walk_ * std::sqrt(time - *last_time_) : 0;
  last_time_ = time;
  std::array<double, 3> out;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::uint64_t>(axis);
    if (walk > 0) bias_[axis] += walk * double{gaussian(noise, kWalk + i)};
    double value = value_S[axis] + bias_[axis];
    if (noise_ > 0) value += noise_ * double{gaussian(noise, kWhite + i)};
    out[i] = enabled_[i] ? quantised(table_.sample(value, noise, axis), resolution_)
                         : std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

Vec3 ThreeAxis::before_table(std::span<const double> sample) const {
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i)
    out[static_cast<int>(i)] = std::isnan(sample[i]) ? sample[i] : table_.input_of(sample[i]);
  return out;
}

std::vector<PropertySpec> three_axis_properties() {
  return {{"lookupTable", "", "triples input, output, relative noise"},
          {"resolution", "", "smallest step of the output; -1: none"}};
}

Properties ThreeAxis::properties() const {
  return {{"lookupTable", table_.numbers()}, {"resolution", resolution_}};
}

}  // namespace protobeam
