// Fields that tyre models share, with MVSim's defaults.
#pragma once

#include "base/field_table.h"
#include "base/fields.h"

namespace protobeam {

FieldSpec mu_field();
FieldSpec bearing_damping_field();
FieldSpec rolling_resistance_field();

/// The number, which must be finite and at least 0; throws std::invalid_argument naming the field.
double at_least_zero(const Fields& fields, const char* name);
/// The same for one that must be greater than 0.
double above_zero(const Fields& fields, const char* name);
/// The same for one that must lie in [0, 1].
double fraction(const Fields& fields, const char* name);

struct Bearing {
  double damping;             ///< N m s/rad
  double rolling_resistance;  ///< torque per normal load and radius
};
/// The values of bearing_damping_field() and rolling_resistance_field().
Bearing bearing_from(const Fields& fields);

}  // namespace protobeam
