#include "vehicle/ackermann.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam {

FrontAngles ackermann_angles(double central, double wheelbase, double track) {
  if (central == 0) return {};
  const double cot = 1 / libm::tan(std::abs(central));
  const double half = track / (2 * wheelbase);
  const double outer = libm::atan2(1, cot + half), inner = libm::atan2(1, cot - half);
  return central > 0 ? FrontAngles{inner, outer} : FrontAngles{-outer, -inner};
}

double curvature(double central, double wheelbase) { return libm::tan(central) / wheelbase; }

Shares torsen_shares(double spin_first, double spin_second, double bias, double split) {
  if (spin_first == 0 || spin_second == 0) return open_shares(split);
  const double first = std::abs(spin_first), second = std::abs(spin_second);
  const double k = std::max(0.0, 1 - bias * std::min(first, second) / std::max(first, second));
  const double sign = first > second ? -1 : 1;
  const double a = split * (1 + sign * k), b = (1 - split) * (1 - sign * k);
  return {a / (a + b), b / (a + b)};
}

}  // namespace protobeam
