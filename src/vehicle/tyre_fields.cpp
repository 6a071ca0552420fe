#include "vehicle/tyre_fields.h"

#include <cmath>

#include "vehicle/require.h"

namespace protobeam {

FieldSpec mu_field() {
  return {"mu", FieldType::kFloat,  "0.8",
          "",   Range::at_least(0), "coefficient of friction: greatest force per normal load"};
}

FieldSpec bearing_damping_field() {
  return {"bearingDamping", FieldType::kFloat,  "0.01",
          "N m s/rad",      Range::at_least(0), "torque per spin that the bearing takes"};
}

FieldSpec rolling_resistance_field() {
  return {"rollingResistance",
          FieldType::kFloat,
          "0",
          "",
          Range::at_least(0),
          "torque that the ground takes, per normal load and wheel radius"};
}

double at_least_zero(const Fields& fields, const char* name) {
  const double value = fields.number(name);
  require(std::isfinite(value) && value >= 0, name, " must be at least 0, got ", value);
  return value;
}

double above_zero(const Fields& fields, const char* name) {
  const double value = fields.number(name);
  require(std::isfinite(value) && value > 0, name, " must be greater than 0, got ", value);
  return value;
}

double fraction(const Fields& fields, const char* name) {
  const double value = fields.number(name);
  require(value >= 0 && value <= 1, name, " must lie in [0, 1], got ", value);
  return value;
}

Bearing bearing_from(const Fields& fields) {
  return {at_least_zero(fields, "bearingDamping"), at_least_zero(fields, "rollingResistance")};
}

}  // namespace protobeam
