// EllipseFriction: forces grow with slip until they saturate, and share the tyre's grip.
//
// Frame: the wheel's own. With slip ratio s, slip angle a and normal load N the greatest forces are
//   along   N slipStiffness |sat(s)| sqrt(1 - slipCoupling (sat(a) / slipAngleSaturation)^2)
//   across  N corneringStiffness |sat(a)| sqrt(1 - corneringCoupling (sat(s) /
//   slipRatioSaturation)^2)
// where sat() limits a slip to its saturation. Below them the ground gives what would stop all
// slip. (MVSim, docs/vehicles.rst, Ellipse Curve Method.) Grip comes from the two stiffnesses
// alone: the coefficient of friction of a place with its own ground has no effect.
#include <algorithm>
#include <cmath>

#include "vehicle/plugin.h"
#include "vehicle/tyre_fields.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  using enum FieldType;
  return {"EllipseFriction",
          "Tyre",
          "Forces by slip angle and slip ratio, coupled by an ellipse.",
          {bearing_damping_field(),
           rolling_resistance_field(),
           {"corneringStiffness", kFloat, "8.5", "1/rad", Range::at_least(0),
            "lateral force per normal load and slip angle"},
           {"slipAngleSaturation", kFloat, "0.1", "rad", Range::positive(),
            "slip angle beyond which the lateral force grows no more"},
           {"corneringCoupling", kFloat, "0.5", "", Range::between(0, 1),
            "how much of the lateral force a saturated slip ratio takes"},
           {"slipStiffness", kFloat, "7.5", "", Range::at_least(0),
            "longitudinal force per normal load and slip ratio"},
           {"slipRatioSaturation", kFloat, "0.1", "", Range::positive(),
            "slip ratio beyond which the longitudinal force grows no more"},
           {"slipCoupling", kFloat, "0.5", "", Range::between(0, 1),
            "how much of the longitudinal force a saturated slip angle takes"}}};
}

/// One axis of the ellipse.
struct Curve {
  double stiffness, saturation, coupling;

  double saturated(double slip) const { return std::min(std::abs(slip), saturation); }
  /// Force per normal load; `used` is the part of the other axis' saturation that is taken.
  double grip(double slip, double used) const {
    return stiffness * saturated(slip) * std::sqrt(1 - coupling * used * used);
  }
  double used(double slip) const { return saturated(slip) / saturation; }
};

class EllipseFriction final : public Tyre {
 public:
  explicit EllipseFriction(const Fields& fields)
      : bearing_(bearing_from(fields)),
        across_{at_least_zero(fields, "corneringStiffness"),
                above_zero(fields, "slipAngleSaturation"), fraction(fields, "corneringCoupling")},
        along_{at_least_zero(fields, "slipStiffness"), above_zero(fields, "slipRatioSaturation"),
               fraction(fields, "slipCoupling")} {}

  TyreOutput step(const TyreInput& in) const override {
    const Slip slip = slip_of(in);
    const double angle = slip.angle();
    const double longitudinal = in.normal_load * along_.grip(slip.ratio, across_.used(angle));
    const double lateral = in.normal_load * across_.grip(angle, along_.used(slip.ratio));
    return settle(in, balance(in, bearing_.damping, bearing_.rolling_resistance), longitudinal,
                  lateral);
  }

 private:
  Bearing bearing_;
  Curve across_, along_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_TYRE_PLUGIN(protobeam::schema(), protobeam::EllipseFriction)
