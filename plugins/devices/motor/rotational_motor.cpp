// RotationalMotor: turns a hinge. See motor.h.
#include "motor.h"

namespace {

class RotationalMotor final : public protobeam::Motor {
 public:
  explicit RotationalMotor(const protobeam::Fields& fields) : Motor(fields, "maxTorque") {}
};

}  // namespace

PROTOBEAM_DEVICE_PLUGIN(protobeam::motor_type({"RotationalMotor", "Turns a hinge.",
                                               "\"rotational motor\"", "maxTorque", "N m",
                                               "RotationalDevice", 57}),
                        RotationalMotor)
