#include "raycast/quadric.h"

#include <cmath>

namespace protobeam {
namespace {

/// Keeps the nearest crossing within [near, far]. Its `t` are counted from a point close to the
/// shape, where squares of coordinates lose no digits; `shift` leads back to the ray's origin.
class Nearest {
 public:
  Nearest(double shift, double near, double far) : shift_(shift), near_(near), far_(far) {}

  void offer(double t, const Vec3& normal) {
    t += shift_;
    if (t >= near_ && t <= far_ && t < hit_.t) hit_ = {t, normal};
  }
  const QuadricHit& hit() const { return hit_; }

 private:
  double shift_, near_, far_;
  QuadricHit hit_;
};

/// Neighbouring parts of a surface overlap by this fraction, so that no ray slips through a seam.
constexpr double kSeam = 1 + 1e-12;

/// Real roots of a t^2 + 2 b t + c, without cancellation. False when there are none.
bool roots(double a, double b, double c, double& t0, double& t1) {
  if (a == 0) {
    t0 = t1 = -c / (2 * b);
    return b != 0;
  }
  const double discriminant = b * b - a * c;
  if (!(discriminant >= 0)) return false;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  t0 = q / a;
  t1 = q == 0 ? t0 : c / q;
  return true;
}

void disc(Nearest& nearest, const Vec3& o, const Vec3& d, double z, double radius, double sign) {
  if (d.z() == 0) return;
  const double t = (z - o.z()) / d.z();
  const double x = o.x() + t * d.x(), y = o.y() + t * d.y();
  if (x * x + y * y <= radius * radius * kSeam) nearest.offer(t, {0, 0, sign});
}

/// The part of a cylinder's mantle with |z| <= half.
void mantle(Nearest& nearest, const Vec3& o, const Vec3& d, double radius, double half) {
  const double a = d.x() * d.x() + d.y() * d.y();
  if (a == 0) return;
  double t[2];
  const double b = o.x() * d.x() + o.y() * d.y();
  const double c = o.x() * o.x() + o.y() * o.y() - radius * radius;
  if (!roots(a, b, c, t[0], t[1])) return;
  for (const double ti : t) {
    const Vec3 p = o + ti * d;
    if (std::abs(p.z()) <= half * kSeam) nearest.offer(ti, {p.x(), p.y(), 0});
  }
}

/// The part of a sphere around (0, 0, z) that lies on the side `sign` of its centre; 0: all of it.
void sphere(Nearest& nearest, const Vec3& o, const Vec3& d, double radius, double z, int sign) {
  const Vec3 m = o - Vec3(0, 0, z);
  double t[2];
  if (!roots(d.squaredNorm(), m.dot(d), m.squaredNorm() - radius * radius, t[0], t[1])) return;
  for (const double ti : t) {
    const Vec3 n = m + ti * d;
    if (sign == 0 || sign * n.z() >= -radius * (kSeam - 1)) nearest.offer(ti, n);
  }
}

void cone_mantle(Nearest& nearest, const Vec3& o, const Vec3& d, const Cone& cone) {
  // x^2 + y^2 = k^2 w^2 with w = height / 2 - z, the distance below the apex.
  const double half = cone.height / 2, k = cone.radius / cone.height, k2 = k * k;
  const double w = half - o.z(), dw = -d.z();
  const double a = d.x() * d.x() + d.y() * d.y() - k2 * dw * dw;
  const double b = o.x() * d.x() + o.y() * d.y() - k2 * w * dw;
  const double c = o.x() * o.x() + o.y() * o.y() - k2 * w * w;
  double t[2];
  if (!roots(a, b, c, t[0], t[1])) return;
  for (const double ti : t) {
    const Vec3 p = o + ti * d;
    const double below_apex = half - p.z();
    // The other nappe of the double cone lies above the apex.
    if (below_apex >= 0 && below_apex <= cone.height * kSeam) {
      nearest.offer(ti, {p.x(), p.y(), k2 * below_apex});
    }
  }
}

}  // namespace

bool is_quadric(const Geometry& geometry) {
  return std::holds_alternative<Sphere>(geometry) || std::holds_alternative<Cylinder>(geometry) ||
         std::holds_alternative<Capsule>(geometry) || std::holds_alternative<Cone>(geometry);
}

QuadricHit intersect_quadric(const Geometry& shape, const Vec3& origin, const Vec3& d,
                             double t_near, double t_far) {
  const double shift = -origin.dot(d) / d.squaredNorm();
  const Vec3 o = origin + shift * d;  // the ray's point nearest to the shape's centre
  Nearest nearest(shift, t_near, t_far);
  if (const auto* s = std::get_if<Sphere>(&shape)) {
    sphere(nearest, o, d, s->radius, 0, 0);
  } else if (const auto* c = std::get_if<Cylinder>(&shape)) {
    const double half = c->height / 2;
    if (c->side) mantle(nearest, o, d, c->radius, half);
    if (c->top) disc(nearest, o, d, half, c->radius, 1);
    if (c->bottom) disc(nearest, o, d, -half, c->radius, -1);
  } else if (const auto* c = std::get_if<Capsule>(&shape)) {
    const double half = c->height / 2;
    if (c->side) mantle(nearest, o, d, c->radius, half);
    if (c->top) sphere(nearest, o, d, c->radius, half, 1);
    if (c->bottom) sphere(nearest, o, d, c->radius, -half, -1);
  } else if (const auto* c = std::get_if<Cone>(&shape)) {
    if (c->side) cone_mantle(nearest, o, d, *c);
    if (c->bottom) disc(nearest, o, d, -c->height / 2, c->radius, -1);
  }
  return nearest.hit();
}

}  // namespace protobeam
