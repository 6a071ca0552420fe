#include "sdf/inertial.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <stdexcept>

#include "base/named_files.h"
#include "geometry/files.h"
#include "geometry/geometry.h"
#include "urdf/shapes.h"
#include "urdf/values.h"

namespace protobeam::sdf {
namespace {

constexpr double kDensity = 1000;  // kg/m^3, SDFormat's default
constexpr double kGreatest = 1e9;  // kg/m^3, kg and kg m^2

/// What Gazebo gives a link that says nothing.
constexpr double kMass = 1, kMoment = 1;  // kg, kg m^2

bool is_auto(const Element& inertial) {
  const Text* value = inertial.attribute("auto");
  return value && (value->value == "true" || value->value == "1");
}

/// Of 1 kg/m^3, in the shape's frame; nothing for what has no volume.
std::optional<MassProperties> filled_with_one(Context& context, const urdf::Shape& shape) {
  if (shape.shape->tag == "cone") return mass_properties(Cone{shape.radius, shape.length}, 1);
  if (shape.kind != urdf::Shape::Kind::kMesh) return urdf::solid_properties(shape);
  Diagnostics said;  // where the node is made
  const auto file = context.resources.find(shape.file, said);
  if (!file || !why_not_allowed(*file).empty()) return std::nullopt;
  try {
    return mass_properties(scaled(*load_mesh(*file, true, -1, shape.part), shape.scale), 1);
  } catch (const std::runtime_error&) {
    return std::nullopt;
  }
}

// As libsdformat's Link::ResolveAutoInertials.
std::optional<urdf::Inertial> auto_inertial(Context& context, const Element& inertial,
                                            const urdf::Link& link) {
  const double usual = number_in(context, inertial, "density", kDensity, 1e-9, kGreatest);
  MassProperties all;
  for (const urdf::Shape& shape : link.collisions) {
    auto filled = filled_with_one(context, shape);
    if (!filled) {
      context.ignored.add("'auto' of an <inertial> of a link with a <collision> without a volume",
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

}  // namespace

std::optional<urdf::Inertial> inertial_of(Context& context, const Element& link,
                                          const urdf::Link& made) {
  const Element* element = link.child("inertial");
  if (element && is_auto(*element)) {
    if (auto weighed = auto_inertial(context, *element, made)) return weighed;
  }
  urdf::Inertial out{kMass, Vec3::Zero(), Mat3(Vec3::Constant(kMoment).asDiagonal())};
  if (!element) return out;
  out.mass = number_in(context, *element, "mass", kMass, -kGreatest, kGreatest);
  if (!(out.mass > 0)) {
    context.diagnostics.error(element->child("mass")->place,
                              fmt::format("<mass> must be greater than 0 kg, got {}", out.mass));
    return std::nullopt;
  }
  const Pose X = urdf::child_pose(*element, context.diagnostics);
  out.com = X.p;
  if (const Element* inertia = element->child("inertia")) {
    const auto moment = [&](const char* tag, double otherwise) {
      return number_in(context, *inertia, tag, otherwise, -kGreatest, kGreatest);
    };
    const double xy = moment("ixy", 0), xz = moment("ixz", 0), yz = moment("iyz", 0);
    Mat3 I;
    I << moment("ixx", kMoment), xy, xz, xy, moment("iyy", kMoment), yz, xz, yz,
        moment("izz", kMoment);
    out.inertia = I;
    const Vec3 moments =
        Eigen::SelfAdjointEigenSolver<Mat3>(I, Eigen::EigenvaluesOnly).eigenvalues();
    if (!(moments[0] > 1e-12 * moments[2])) {
      context.diagnostics.warning(inertia->place, "the <inertia> is not positive definite",
                                  "that of the collision shapes is taken");
      out.inertia.reset();
    }
  }
  const Mat3 R = X.R.toRotationMatrix();
  if (out.inertia) out.inertia = Mat3(R * *out.inertia * R.transpose());
  return out;
}

}  // namespace protobeam::sdf
