#include "vehicle/steering_law.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "vehicle/ackermann.h"

namespace protobeam {

SteeredMotion steered_motion(const Twist& wanted, const Drive& drive) {
  if (wanted.omega == 0) return {0, {wanted.vx, 0, 0}};
  const double limit = drive.max_steering();
  const double steering = wanted.vx == 0 ? std::copysign(limit, wanted.omega)
                                         : libm::atan(drive.wheelbase() * wanted.omega / wanted.vx);
  if (std::abs(steering) <= limit && wanted.vx != 0) {
    return {steering, {wanted.vx, 0, wanted.omega}};
  }
  return steered_motion(wanted.vx, steering, drive);
}

SteeredMotion steered_motion(double speed, double steering, const Drive& drive) {
  const double limited = std::clamp(steering, -drive.max_steering(), drive.max_steering());
  return {limited, {speed, 0, speed * curvature(limited, drive.wheelbase())}};
}

}  // namespace protobeam
