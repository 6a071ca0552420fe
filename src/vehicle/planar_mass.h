// Mass, centre and yaw inertia of what lies in the plane of the ground.
#pragma once

#include <span>

#include "base/math.h"
#include "vehicle/vehicle_layout.h"

namespace protobeam {

struct PlanarMass {
  double mass = 0;             ///< kg
  Vec2 centre = Vec2::Zero();  ///< m, of mass
  double inertia = 0;          ///< kg m^2, about the vertical axis through the centre

  /// About the vertical axis through `point`.
  double inertia_about(const Vec2& point) const;
};

/// m^2, positive for corners in the order against the clock.
double signed_area(std::span<const Vec2> corners);
/// A uniform plate of any simple polygon, in either order. Throws std::invalid_argument when it has
/// no area or a corner is not finite.
PlanarMass polygon_mass(std::span<const Vec2> corners, double mass);
/// A uniform rectangle about its centre; its own yaw does not matter.
PlanarMass box_mass(const Vec2& size, const Vec2& centre, double mass);
PlanarMass combined(const PlanarMass& a, const PlanarMass& b);
/// Chassis plate and each wheel as a box of diameter x width, at steering angle 0.
PlanarMass vehicle_mass(std::span<const Vec2> chassis, const VehicleLayout& layout);

}  // namespace protobeam
