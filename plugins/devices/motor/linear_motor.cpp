// LinearMotor: pushes a slider. See motor.h.
#include "motor.h"

namespace {

class LinearMotor final : public protobeam::Motor {
 public:
  explicit LinearMotor(const protobeam::Fields& fields) : Motor(fields, "maxForce") {}
};

}  // namespace

PROTOBEAM_DEVICE_PLUGIN(protobeam::motor_type({"LinearMotor", "Pushes a slider.",
                                               "\"linear motor\"", "maxForce", "N", "LinearDevice",
                                               50}),
                        LinearMotor)
