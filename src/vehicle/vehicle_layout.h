// The wheels of a vehicle: where they are and what they weigh.
//
// Frame: the vehicle's own, V: x forward, y left, z up. Its origin is the reference point, whose
// velocity the set-points of controllers mean. The rules use x and y; z places the wheel in 3-D.
#pragma once

#include <string>
#include <vector>

#include "base/field_table.h"
#include "base/fields.h"
#include "base/math.h"

namespace protobeam {

struct Wheel {
  Vec3 position_V = Vec3::Zero();  ///< of its centre, m
  double yaw = 0;                  ///< rad, left; of a steered wheel at steering angle 0
  double mass = 2;                 ///< kg
  double width = 0.2;              ///< m
  double diameter = 0.4;           ///< m
  double inertia = 0.04;           ///< kg m^2, about its axle
  double spring = -1;              ///< N/m of the suspension; -1: stiff
  double damper = -1;              ///< N s/m of the suspension; -1: critical
  double travel = 0.05;            ///< m, that the wheel can move up and down from its position

  double radius() const { return diameter / 2; }
  Vec2 planar() const { return position_V.head<2>(); }
};

/// Of a uniform disc: mass radius^2 / 2. What a wheel has when nobody says otherwise.
double disc_inertia(double mass, double radius);

struct VehicleLayout {
  double chassis_mass = 0;  ///< kg, everything but the wheels
  std::vector<Wheel> wheels;

  double total_mass() const;
  /// Mass that rests on wheel i: an equal share of the chassis, and the wheel itself. kg.
  double carried_mass(std::size_t i) const;
};

/// Throws std::invalid_argument that names the wheel and the field: no chassis mass, no wheel, a
/// wheel without mass, diameter, width or inertia, a number that is not finite.
void check_layout(const VehicleLayout& layout);

/// The node VehicleWheel. Its children are what is seen of it.
NodeSchema wheel_schema();
/// A wheel out of the fields of a VehicleWheel.
Wheel wheel_from(const Fields& fields);

}  // namespace protobeam
