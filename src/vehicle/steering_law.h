// Which steering angle makes a car follow a twist.
#pragma once

#include "vehicle/drive.h"

namespace protobeam {

struct SteeredMotion {
  double steering = 0;  ///< rad, central, within the drive's limit
  Twist twist;          ///< that the car has with it: vx as asked, vy 0, omega as far as it goes
};

/// steering = atan(wheelbase omega / vx), limited. A car that is asked to turn on the spot steers
/// as far as it can and stands.
SteeredMotion steered_motion(const Twist& wanted, const Drive& drive);
/// The motion at a given steering angle, which is limited first.
SteeredMotion steered_motion(double speed, double steering, const Drive& drive);

}  // namespace protobeam
