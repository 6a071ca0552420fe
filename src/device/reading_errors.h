// The random errors of plain readings, such as those of a magnetometer or a barometer.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"
#include "base/rng.h"

namespace protobeam {

/// A reading is value + offset + turn-on bias + noise, then rounded. The turn-on bias is drawn once
/// for each number of a reading: normal about turnOnMean, and then on either side of 0 by chance,
/// as in gz-sensors' GaussianNoiseModel.
class ReadingErrors {
 public:
  /// Names of the fields of the noise, the offset, the turn-on bias and its mean, the resolution.
  using Names = std::array<const char*, 5>;
  static constexpr Names kNames{"noise", "offset", "turnOnBias", "turnOnMean", "resolution"};

  static std::vector<FieldSpec> fields(const char* unit, const Names& names = kNames);

  explicit ReadingErrors(const Fields& fields, const Names& names = kNames);

  /// The reading of number `index` of the device, of which each has its own.
  double apply(double value, const NoiseKey& noise, std::uint64_t index) const;
  /// Of the noise of a sample.
  double variance() const { return deviation_ * deviation_; }

 private:
  double deviation_, offset_, turn_on_, turn_on_mean_, resolution_;
};

}  // namespace protobeam
