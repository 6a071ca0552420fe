// What stands between body and ground: springs that only push, solved together so that they are
// stable however stiff they are.
#pragma once

#include <span>
#include <vector>

#include "base/math.h"
#include "vehicle/vehicle_layout.h"

namespace protobeam {

/// A wheel or support as a spring: force = preload + spring s + damper ds/dt while it touches, with
/// the compression s = 0 at its drawn position.
struct Strut {
  Vec3 position_V = Vec3::Zero();  ///< of the wheel's centre, or of the support
  double radius = 0;               ///< m; 0: a support
  double preload = 0;              ///< N
  double spring = 0, damper = 0;   ///< N/m, N s/m
  double travel = 0;               ///< m, up and down
  double stop = 0;                 ///< N/m, added to the spring beyond the travel

  /// How far below its drawn position it can go, m: to its stop, or where the spring is slack.
  double droop() const;
};

/// Wheels first, then supports. Without supports, and while all wheels stand in one line, two are
/// added: half the line's length before and behind its middle. `centre_V` is the centre of mass,
/// `weight` (N) that of the whole; preloads share it such that the body rests at its drawn pose on
/// flat ground. One that does not tilt is held where its centre of mass is over none of them, too:
/// by one more support, as far beyond it as their middle is on this side.
std::vector<Strut> make_struts(const VehicleLayout& layout, std::span<const Vec3> supports_V,
                               const Vec3& centre_V, double weight, bool tilts = true);

/// A strut that touches, seen by the body.
struct StrutContact {
  const Strut* strut = nullptr;
  double compression = 0;      ///< m
  Vec3 arm_W = Vec3::Zero();   ///< from the centre of mass to where it touches
  Vec3 push_W = Vec3::Zero();  ///< force on the body per force of the spring
  double rate = 0;             ///< m/s, of the compression, if no strut pushed in this step
  double force = 0;            ///< N, of the spring: the result
};

struct BodyMobility {
  double inverse_mass = 0;
  Mat3 inverse_inertia_W = Mat3::Zero();
};

/// Most struts of a vehicle.
inline constexpr int kMostStruts = 16;

/// Forces at the end of a step of `dt`, by implicit Euler in all struts at once; none pulls.
void solve_struts(std::span<StrutContact> contacts, const BodyMobility& body, double dt);

}  // namespace protobeam
