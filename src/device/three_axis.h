// What an accelerometer and a gyro share: three axes that can be switched off, a lookup table and a
// resolution.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "base/device_type.h"
#include "base/fields.h"
#include "base/math.h"
#include "base/state_archive.h"
#include "device/lookup_table.h"

namespace protobeam {

/// The fields of a three-axis sensor. `unit` is that of its input.
std::vector<FieldSpec> three_axis_fields(const char* default_name, const char* unit,
                                         const char* walk_unit);

/// What ThreeAxis::properties() holds.
std::vector<PropertySpec> three_axis_properties();

class ThreeAxis {
 public:
  /// Throws std::invalid_argument when the lookup table is malformed.
  explicit ThreeAxis(const Fields& fields);

  /// Each axis with its bias and noise, through the table (noise number = axis), then the
  /// resolution; NaN where switched off. `time`: s, of the sample.
  std::array<double, 3> measure(const Vec3& value_S, double time, const NoiseKey& noise);
  /// What a sample is in the unit of the input, for messages that have it: before the table.
  Vec3 before_table(std::span<const double> sample) const;
  /// No bias any more.
  void reset();
  void visit_state(StateArchive& archive) { archive(bias_, last_time_); }
  Properties properties() const;

 private:
  LookupTable table_;
  std::array<bool, 3> enabled_;
  double resolution_, noise_, bias_walk_;
  Vec3 bias_ = Vec3::Zero();
  std::optional<double> last_time_;
};

}  // namespace protobeam
