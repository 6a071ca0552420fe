#include "physics/line_crossing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace protobeam::physics {
namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Interval {
  double low, high;
};

/// Of a circle's or ball's equation: `o` to its middle, `d` of any length but 0.
template <typename Vector>
std::optional<Interval> round_piece(const Vector& o, const Vector& d, double radius) {
  const double square = d.squaredNorm(), middle = -o.dot(d) / square;
  // From the nearest point: of the farthest origins, too, digits are left.
  const double inside = radius * radius - (o + middle * d).squaredNorm();
  if (!(inside >= 0)) return std::nullopt;
  const double half = std::sqrt(inside / square);
  return Interval{middle - half, middle + half};
}

/// Points of a convex shape's surface on a line: the first one and the last one are its crossing.
class Points {
 public:
  void add(double t, const Vec3& normal) {
    if (t < all_.enter) all_.enter = t, all_.normal_at_enter = normal;
    if (t > all_.leave) all_.leave = t, all_.normal_at_leave = normal;
  }
  std::optional<LineCrossing> crossing() const {
    if (!(all_.enter <= all_.leave)) return std::nullopt;
    return all_;
  }

 private:
  LineCrossing all_{kEndless, -kEndless};
};

struct Crosser {
  const Vec3& o;
  const Vec3& d;

  std::optional<LineCrossing> operator()(const Box& box) const {
    LineCrossing out{-kEndless, kEndless};
    for (int axis = 0; axis < 3; ++axis) {
      if (!narrow(out, axis, box.size[axis] / 2)) return std::nullopt;
    }
    return out;
  }
  std::optional<LineCrossing> operator()(const Sphere& sphere) const {
    const auto piece = round_piece(o, d, sphere.radius);
    if (!piece) return std::nullopt;
    return LineCrossing{piece->low, piece->high, (o + piece->low * d).normalized(),
                        (o + piece->high * d).normalized()};
  }
  std::optional<LineCrossing> operator()(const Cylinder& cylinder) const {
    LineCrossing out{-kEndless, kEndless};
    const Vec2 o_xy = o.head<2>(), d_xy = d.head<2>();
    if (!(d_xy.squaredNorm() > 0)) {  // or so little that it is lost
      if (o_xy.squaredNorm() > cylinder.radius * cylinder.radius) return std::nullopt;
    } else {
      const auto side = round_piece(o_xy, d_xy, cylinder.radius);
      if (!side) return std::nullopt;
      out = {side->low, side->high, around_axis(side->low), around_axis(side->high)};
    }
    if (!narrow(out, 2, cylinder.height / 2)) return std::nullopt;
    return out;
  }
  /// What lies in one of its parts lies in it: the piece begins with the first one and ends with
  /// the last one.
  std::optional<LineCrossing> operator()(const Capsule& capsule) const {
    const double half = capsule.height / 2;
    Points points;
    const Vec2 o_xy = o.head<2>(), d_xy = d.head<2>();
    if (d_xy.squaredNorm() > 0) {
      if (const auto side = round_piece(o_xy, d_xy, capsule.radius)) {
        for (const double t : {side->low, side->high}) {
          if (std::abs(o.z() + t * d.z()) <= half) points.add(t, around_axis(t));
        }
      }
    }
    for (const double end : {-half, half}) {
      const Vec3 from_end = o - Vec3(0, 0, end);
      if (const auto cap = round_piece(from_end, d, capsule.radius)) {
        for (const double t : {cap->low, cap->high}) points.add(t, (from_end + t * d).normalized());
      }
    }
    return points.crossing();
  }
  std::optional<LineCrossing> operator()(const Cone& cone) const {
    Points points;
    const double half = cone.height / 2, slope = cone.radius / cone.height;
    // From the point of the line that is nearest to the middle, so that digits are left.
    const double middle = -o.dot(d);
    const Vec3 m = o + middle * d;
    const double down = half - m.z(), square = slope * slope;
    const double a = d.head<2>().squaredNorm() - square * d.z() * d.z();
    const double b = m.head<2>().dot(d.head<2>()) + square * down * d.z();
    const double c = m.head<2>().squaredNorm() - square * down * down;
    const auto add_side = [&](double t) {
      const Vec3 p = m + t * d;
      if (std::abs(p.z()) > half) return;
      points.add(middle + t, Vec3(p.x(), p.y(), slope * p.head<2>().norm()).normalized());
    };
    const double discriminant = b * b - a * c;
    if (a != 0 && discriminant >= 0) {
      const double q = -(b + std::copysign(std::sqrt(discriminant), b));
      add_side(q / a);
      if (q != 0) add_side(c / q);
    } else if (a == 0 && b != 0) {
      add_side(-c / (2 * b));
    }
    if (d.z() != 0) {
      const double t = (-half - m.z()) / d.z();
      if ((m + t * d).head<2>().squaredNorm() <= cone.radius * cone.radius) {
        points.add(middle + t, -Vec3::UnitZ());
      }
    }
    return points.crossing();
  }
  template <typename Other>
  std::optional<LineCrossing> operator()(const Other&) const {
    return std::nullopt;
  }

  Vec3 around_axis(double t) const {
    return Vec3(o.x() + t * d.x(), o.y() + t * d.y(), 0).normalized();
  }
  /// To what lies between two planes; false: nothing.
  bool narrow(LineCrossing& piece, int axis, double half) const {
    if (d[axis] == 0) return std::abs(o[axis]) <= half;
    const double side = std::copysign(half, d[axis]);
    const double low = (-side - o[axis]) / d[axis], high = (side - o[axis]) / d[axis];
    const Vec3 ahead = Vec3::Unit(axis) * std::copysign(1.0, d[axis]);
    if (low > piece.enter) piece.enter = low, piece.normal_at_enter = -ahead;
    if (high < piece.leave) piece.leave = high, piece.normal_at_leave = ahead;
    return piece.enter <= piece.leave;
  }
};

}  // namespace

bool is_primitive(const Geometry& geometry) {
  return std::holds_alternative<Box>(geometry) || std::holds_alternative<Sphere>(geometry) ||
         std::holds_alternative<Cylinder>(geometry) || std::holds_alternative<Capsule>(geometry) ||
         std::holds_alternative<Cone>(geometry);
}

std::optional<LineCrossing> line_crossing(const Geometry& primitive, const Vec3& o_S,
                                          const Vec3& d_S) {
  return std::visit(Crosser{o_S, d_S}, primitive);
}

std::optional<LineCrossing> line_crossing(std::span<const HullFace> hull, const Vec3& o_S,
                                          const Vec3& d_S) {
  LineCrossing out{-kEndless, kEndless};
  for (const HullFace& face : hull) {
    const double away = face.offset - face.normal.dot(o_S), speed = face.normal.dot(d_S);
    if (speed == 0) {
      if (away < 0) return std::nullopt;
    } else if (speed < 0) {
      if (away / speed > out.enter) out.enter = away / speed, out.normal_at_enter = face.normal;
    } else {
      if (away / speed < out.leave) out.leave = away / speed, out.normal_at_leave = face.normal;
    }
  }
  if (!(out.enter <= out.leave) || hull.empty()) return std::nullopt;
  return out;
}

}  // namespace protobeam::physics
