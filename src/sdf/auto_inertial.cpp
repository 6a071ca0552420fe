#include "sdf/auto_inertial.h"

#include "geometry/geometry.h"
#include "urdf/shapes.h"

namespace protobeam::sdf {
namespace {

constexpr double kDensity = 1000;  // kg/m^3, SDFormat's default
constexpr double kGreatest = 1e9;  // kg/m^3 and kg

}  // namespace

bool is_auto(const Element& inertial) {
  const Text* value = inertial.attribute("auto");
  return value && (value->value == "true" || value->value == "1");
}

// As libsdformat's Link::ResolveAutoInertials.
std::optional<urdf::Inertial> auto_inertial(Context& context, const Element& inertial,
                                            const urdf::Link& link) {
  const double usual = number_in(context, inertial, "density", kDensity, 1e-9, kGreatest);
  MassProperties all;
  for (const urdf::Shape& shape : link.collisions) {
    auto filled = urdf::solid_properties(shape);
    if (!filled) {
      context.ignored.add(
          "'auto' of an <inertial> of a link with other collisions than boxes, "
          "spheres, ellipsoids, cylinders and capsules",
          inertial.place);
      return std::nullopt;
    }
    const double density = number_in(context, *shape.element, "density", usual, 1e-9, kGreatest);
    filled->mass *= density;
    filled->inertia *= density;
    all = combined(all, transformed(*filled, shape.X_LS));
  }
  if (!(all.mass > 0)) {
    context.ignored.add("'auto' of an <inertial> of a link without a <collision>", inertial.place);
    return std::nullopt;
  }
  const double mass = number_in(context, inertial, "mass", all.mass, 1e-9, kGreatest);
  return urdf::Inertial{mass, all.com, Mat3(all.inertia * (mass / all.mass))};
}

}  // namespace protobeam::sdf
