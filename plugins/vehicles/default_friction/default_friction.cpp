// DefaultFriction: Coulomb friction, a damped bearing and rolling resistance.
//
// Frame: the wheel's own. Along and across the wheel the ground gives the force that would stop all
// slip, each up to mu x normal load on its own: no friction circle. (MVSim, docs/vehicles.rst,
// Default Friction; modules/simulator/src/FrictionModels/DefaultFriction.cpp.)
#include "vehicle/plugin.h"
#include "vehicle/tyre_fields.h"

namespace protobeam {
namespace {

NodeSchema schema() {
  return {"DefaultFriction",
          "Tyre",
          "Coulomb friction with a damped bearing.",
          {mu_field(), bearing_damping_field(), rolling_resistance_field()}};
}

class DefaultFriction final : public Tyre {
 public:
  explicit DefaultFriction(const Fields& fields)
      : mu_(at_least_zero(fields, "mu")), bearing_(bearing_from(fields)) {}

  TyreOutput step(const TyreInput& in) const override {
    const double limit = in.friction.value_or(mu_) * in.normal_load;
    return settle(in, balance(in, bearing_.damping, bearing_.rolling_resistance), limit, limit);
  }

 private:
  double mu_;
  Bearing bearing_;
};

}  // namespace
}  // namespace protobeam

PROTOBEAM_TYRE_PLUGIN(protobeam::schema(), protobeam::DefaultFriction)
