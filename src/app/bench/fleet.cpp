#include "app/bench/fleet.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/libm.h"

namespace protobeam::bench {
namespace {

constexpr double kApart = 4;  // m

/// Hills of 0.2 m, 12 m from top to top, in squares of 1 m.
double height_at(double x, double y) { return 0.1 * libm::sin(x * 0.52) * libm::cos(y * 0.52); }

std::string hills(double half) {
  const int count = 2 * static_cast<int>(std::ceil(half)) + 1;
  std::string out = fmt::format(
      "Solid {{ translation {0} {0} 0 boundingObject ElevationGrid {{ xDimension {1} yDimension "
      "{1} "
      "xSpacing 1 ySpacing 1 height [",
      -(count - 1) / 2, count);
  for (int y = 0; y < count; ++y) {
    for (int x = 0; x < count; ++x) {
      const int middle = (count - 1) / 2;
      fmt::format_to(std::back_inserter(out), " {:.4f}", height_at(x - middle, y - middle));
    }
  }
  return out + " ] } }\n";
}

}  // namespace

std::string fleet_world(int vehicles, bool terrain) {
  const int side = static_cast<int>(std::ceil(std::sqrt(vehicles)));
  const double half = kApart * side / 2;
  std::string out = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 5 }\n";
  out += terrain ? hills(half + 5 * kApart) : "Solid { boundingObject Plane { } }\n";
  for (int i = 0; i < vehicles; ++i) {
    const double x = (i % side + 0.5) * kApart - half, y = (i / side + 0.5) * kApart - half;
    out += fmt::format(
        "Robot {{ name \"robot {}\" controller \"<none>\" translation {} {} {} "
        "boundingObject Pose {{ translation 0.05 0 0.325 children [ Box {{ size 0.9 0.8 0.55 }} ] "
        "}} physics Physics {{ density -1 mass 15 }} children [ DifferentialDrive {{ tyre "
        "DefaultFriction {{ mu 0.7 bearingDamping 0.1 rollingResistance 0.01 }} controller "
        "TwistPid "
        "{{ kp 4.1543 ki 1.9118 maxTorque 14.44 commandTimeout 0 speed 0.6 yawRate 0.4 }} wheels [ "
        "VehicleWheel {{ position 0 0.5 0.2 mass 4 diameter 0.4 width 0.2 }} VehicleWheel {{ "
        "position 0 -0.5 0.2 mass 4 diameter 0.4 width 0.2 }} ] }} ] }}\n",
        i, x, y, terrain ? height_at(x, y) + 0.05 : 0);
  }
  return out;
}

}  // namespace protobeam::bench
