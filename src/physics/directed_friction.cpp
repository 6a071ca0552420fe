// The rules are those of Webots (reference, ContactProperties; WbSimulationCluster.cpp and
// computeFrictionDirection() of its geometries): the coefficients of both bodies are added, those
// of the second by the angle between their directions.
#include "physics/directed_friction.h"

#include <cmath>

#include "base/turn.h"

namespace protobeam::physics {
namespace {

/// A shape's first friction direction, that of its texture's U, on the side that n_S points out of.
Vec3 first_direction(Grain grain, const Vec3& n_S) {
  const Vec3 n = n_S.cwiseAbs();
  switch (grain) {
    case Grain::kBox:
      return n.z() > n.x() && n.z() > n.y() ? Vec3::UnitX() : Vec3::UnitZ();
    case Grain::kCylinder:
      return n.z() > std::sqrt(0.5) ? Vec3::UnitX() : Vec3::UnitZ();
    case Grain::kPlane:
      return Vec3::UnitX();
    case Grain::kNone:
      break;
  }
  return Vec3::Zero();
}

Vec3 direction_W(const GrainedShape& shape, const Vec3& n_W, double turn) {
  const Vec3 first_W = shape.R_WS * first_direction(shape.grain, shape.R_WS.inverse() * n_W);
  const Vec3 flat = axis_angle(n_W, -turn) * (first_W - n_W * n_W.dot(first_W));
  return flat.norm() > 1e-6 ? Vec3(flat.normalized()) : Vec3::Zero();
}

/// Of one to four values: what both bodies have together along and across the first direction.
Vec2 together(const std::array<double, 4>& v, int count, double cosine, double sine) {
  switch (count) {
    case 1:
      return {v[0], v[0]};
    case 2:
      return {v[0] + v[0] * cosine + v[1] * sine, v[1] + v[0] * sine + v[1] * cosine};
    case 3:
      return {v[0] + v[2], v[1] + v[2]};
    default:
      return {v[0] + v[2] * cosine + v[3] * sine, v[1] + v[2] * sine + v[3] * cosine};
  }
}

/// As friction, but of two values of which one is 0 the other one counts by itself: Mecanum wheels
/// slip along their rollers alone, however the floor's directions lie.
Vec2 slip_together(const std::array<double, 4>& v, int count, double cosine, double sine) {
  if (count == 2 && (v[0] == 0 || v[1] == 0)) return {v[0], v[1]};
  return together(v, count, cosine, sine);
}

std::optional<DirectedFriction> given_direction(const ContactRule& rule, const Vec3& n_W,
                                                const Quat& R_WS) {
  const Vec3 first_W = R_WS * rule.first_direction;
  const Vec3 flat = first_W - n_W * n_W.dot(first_W);
  if (!(flat.norm() > 1e-6)) return {};
  const std::size_t of_friction = rule.friction_count > 1 ? 1 : 0;
  const std::size_t of_slip = rule.slip_count > 1 ? 1 : 0;
  return DirectedFriction{flat.normalized(), rule.frictions[0], rule.frictions[of_friction],
                          rule.slips[0], rule.slips[of_slip]};
}

}  // namespace

Grain grain_of(const Geometry& geometry) {
  if (std::holds_alternative<Box>(geometry)) return Grain::kBox;
  if (std::holds_alternative<Plane>(geometry)) return Grain::kPlane;
  if (std::holds_alternative<Cylinder>(geometry)) return Grain::kCylinder;
  return Grain::kNone;
}

std::optional<DirectedFriction> directed_friction(const ContactRule& rule, const Vec3& n_W,
                                                  const GrainedShape& one,
                                                  const GrainedShape& other) {
  if (rule.friction_count < 2 && rule.slip_count < 2) return {};
  if (!rule.first_direction.isZero(0)) return given_direction(rule, n_W, one.R_WS);
  if (one.grain == Grain::kNone || other.grain == Grain::kNone) return {};
  const Vec3 first = direction_W(one, n_W, rule.friction_rotation.x());
  const Vec3 others = direction_W(other, n_W, rule.friction_rotation.y());
  if (first.isZero() || others.isZero()) return {};
  // What rounding leaves of a right angle or none would let in a share of unlimited friction.
  const auto share = [](double part) { return part > 1e-6 ? part : 0.0; };
  const double cosine = share(std::abs(first.dot(others))), sine = share(first.cross(others).norm());
  const Vec2 friction = together(rule.frictions, rule.friction_count, cosine, sine);
  const Vec2 slip = slip_together(rule.slips, rule.slip_count, cosine, sine);
  return DirectedFriction{first, friction.x(), friction.y(), slip.x(), slip.y()};
}

}  // namespace protobeam::physics
