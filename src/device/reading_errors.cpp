#include "device/reading_errors.h"

#include "device/values.h"

namespace protobeam {
namespace {

constexpr std::uint32_t kTurnOnStream = 0x7475726e;  // of the biases; samples have a small one
constexpr std::uint64_t kFirstSign = 1u << 20;       // beyond the normal values of the biases

}  // namespace

std::vector<FieldSpec> ReadingErrors::fields(const char* unit, const Names& names) {
  using enum FieldType;
  const Range not_negative = Range::at_least(0);
  return {
      {names[0], kFloat, "0", unit, not_negative, "standard deviation of each sample, white"},
      {names[1], kFloat, "0", unit, Range::any(), "what is added to each reading"},
      {names[2], kFloat, "0", unit, not_negative,
       "standard deviation of a bias that stays from the first sample on"},
      {names[3], kFloat, "0", unit, not_negative,
       "what that bias is drawn about, on either side of 0 by chance"},
      {names[4], kFloat, "-1", unit, Range::positive().or_special(-1),
       "smallest step of the output; -1: none"},
  };
}

ReadingErrors::ReadingErrors(const Fields& fields, const Names& names)
    : deviation_(fields.number(names[0])),
      offset_(fields.number(names[1])),
      turn_on_(fields.number(names[2])),
      turn_on_mean_(fields.number(names[3])),
      resolution_(fields.number(names[4])) {}

double ReadingErrors::apply(double value, const NoiseKey& noise, std::uint64_t index) const {
  value += offset_;
  if (turn_on_ > 0 || turn_on_mean_ > 0) {
    NoiseKey key = noise;
    key.stream = kTurnOnStream;
    key.frame = 0;
    const double bias = turn_on_mean_ + turn_on_ * double{gaussian(key, index)};
    value += uniform(key, kFirstSign + index) < 0.5F ? -bias : bias;
  }
  if (deviation_ > 0) value += deviation_ * double{gaussian(noise, index)};
  return quantised(value, resolution_);
}

}  // namespace protobeam
