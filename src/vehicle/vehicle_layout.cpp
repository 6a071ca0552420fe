#include "vehicle/vehicle_layout.h"

#include <cmath>
#include <numeric>

#include "vehicle/require.h"

namespace protobeam {
namespace {

void require_positive(std::size_t wheel, const char* field, double value, const char* unit) {
  require(std::isfinite(value) && value > 0, "wheels[", wheel, "].", field,
          " must be greater than 0, got ", value, " ", unit);
}

}  // namespace

double disc_inertia(double mass, double radius) { return 0.5 * mass * radius * radius; }

double VehicleLayout::total_mass() const {
  return std::accumulate(wheels.begin(), wheels.end(), chassis_mass,
                         [](double sum, const Wheel& wheel) { return sum + wheel.mass; });
}

double VehicleLayout::carried_mass(std::size_t i) const {
  return chassis_mass / static_cast<double>(wheels.size()) + wheels[i].mass;
}

void check_layout(const VehicleLayout& layout) {
  require(std::isfinite(layout.chassis_mass) && layout.chassis_mass > 0,
          "the mass of the vehicle without its wheels must be greater than 0, got ",
          layout.chassis_mass, " kg");
  require(!layout.wheels.empty(), "wheels is empty: a vehicle needs wheels");
  for (std::size_t i = 0; i < layout.wheels.size(); ++i) {
    const Wheel& wheel = layout.wheels[i];
    require_positive(i, "mass", wheel.mass, "kg");
    require_positive(i, "diameter", wheel.diameter, "m");
    require_positive(i, "width", wheel.width, "m");
    require_positive(i, "inertia", wheel.inertia, "kg m^2");
    require(wheel.position_V.allFinite(), "wheels[", i, "].position is not finite");
    require(std::isfinite(wheel.yaw), "wheels[", i, "].yaw is not finite");
  }
}

NodeSchema wheel_schema() {
  return {
      "VehicleWheel",
      "Group",
      "A wheel of a vehicle; its children are what is seen of it, and turn with it.",
      {{"steeredChildren", FieldType::kMFNode, "[ ]", "", Range::any(),
        "what is seen of the part that is steered with the wheel but does not spin: a fork, a "
        "mudguard",
        "Group|Shape|CadShape"},
       {"position", FieldType::kVec3f, "0 0 0.2", "m", Range::any(),
        "its centre in the vehicle's frame"},
       {"yaw", FieldType::kFloat, "0", "rad", Range::any(),
        "how far it is turned left when it is not steered"},
       {"mass", FieldType::kFloat, "2", "kg", Range::positive(), "of the wheel alone"},
       {"width", FieldType::kFloat, "0.2", "m", Range::positive(), "along the axle"},
       {"diameter", FieldType::kFloat, "0.4", "m", Range::positive(), "of the tread"},
       {"inertia", FieldType::kFloat, "-1", "kg m^2", Range::positive().or_special(-1),
        "about the axle; -1: that of a uniform disc"},
       {"suspensionSpringConstant", FieldType::kFloat, "-1", "N/m",
        Range::positive().or_special(-1),
        "of the wheel's own spring, which holds it at `position` at rest; -1: stiff, 2 mm under "
        "the wheel's share of the weight"},
       {"suspensionDampingConstant", FieldType::kFloat, "-1", "N s/m",
        Range::at_least(0).or_special(-1), "of the spring's damper; -1: critical"},
       {"suspensionTravel", FieldType::kFloat, "0.05", "m", Range::positive(),
        "how far the wheel moves up and down from `position` until it meets a stop"}}};
}

Wheel wheel_from(const Fields& fields) {
  Wheel wheel;
  wheel.position_V = fields.vec3("position");
  wheel.yaw = fields.number("yaw");
  wheel.mass = fields.number("mass");
  wheel.width = fields.number("width");
  wheel.diameter = fields.number("diameter");
  wheel.inertia = fields.number("inertia");
  wheel.spring = fields.number("suspensionSpringConstant");
  wheel.damper = fields.number("suspensionDampingConstant");
  wheel.travel = fields.number("suspensionTravel");
  if (wheel.inertia == -1) wheel.inertia = disc_inertia(wheel.mass, wheel.radius());
  return wheel;
}

}  // namespace protobeam
