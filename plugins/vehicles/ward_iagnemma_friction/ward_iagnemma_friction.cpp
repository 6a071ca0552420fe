// WardIagnemmaFriction: DefaultFriction with a rolling drag that grows with speed, for soft ground.
//
// Frame: the wheel's own. The drag on the tread is
//   F = -sign(vx) N (r1 (1 - exp(-aRoll |vx|)) + r2 |vx|)
// with the normal load N and the speed vx of the wheel's centre; the exponential rounds off the
// step at vx = 0. It counts within the friction limit. (C. C. Ward and K. Iagnemma, A
// dynamic-model-based wheel slip detector for mobile robots on outdoor terrain, IEEE Transactions
// on Robotics 24(4), 2008; MVSim, docs/vehicles.rst, Ward-Iagnemma Friction.)
#include <cmath>

#include "base/libm.h"
#include "vehicle/plugin.h"
#include "vehicle/tyre_fields.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  using enum FieldType;
  return {"WardIagnemmaFriction",
          "Tyre",
          "Coulomb friction with a rolling drag that grows with speed.",
          {mu_field(),
           bearing_damping_field(),
           rolling_resistance_field(),
           {"aRoll", kFloat, "50", "s/m", Range::at_least(0),
            "how sharply the constant part of the drag sets in"},
           {"r1", kFloat, "0.0075", "", Range::at_least(0),
            "constant part of the drag, per normal load"},
           {"r2", kFloat, "0.02", "s/m", Range::at_least(0),
            "part that grows with speed, per normal load"}}};
}

class WardIagnemmaFriction final : public Tyre {
 public:
  explicit WardIagnemmaFriction(const Fields& fields)
      : mu_(at_least_zero(fields, "mu")),
        bearing_(bearing_from(fields)),
        a_roll_(at_least_zero(fields, "aRoll")),
        r1_(at_least_zero(fields, "r1")),
        r2_(at_least_zero(fields, "r2")) {}

  TyreOutput step(const TyreInput& in) const override {
    const double limit = in.friction.value_or(mu_) * in.normal_load;
    const double speed = std::abs(in.velocity.x());
    const double drag = in.normal_load * (r1_ * -libm::expm1(-a_roll_ * speed) + r2_ * speed);
    return settle(in, balance(in, bearing_.damping, bearing_.rolling_resistance), limit, limit,
                  -std::copysign(drag, in.velocity.x()));
  }

 private:
  double mu_;
  Bearing bearing_;
  double a_roll_, r1_, r2_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_TYRE_PLUGIN(protobeam::schema(), protobeam::WardIagnemmaFriction)
