#include "raycast/quadric.h"

#include <algorithm>
#include <cmath>

#include "base/clones.h"

namespace protobeam {
namespace {

/// Neighbouring parts of a surface overlap by this fraction, so that no ray slips through a seam.
constexpr double kSeam = 1e-12;
constexpr int kFirstDisc = 3;

void add_sheet(Quadric& q, double k, double z0, double r2, double low, double high) {
  const double overlap = kSeam * (std::abs(low) + std::abs(high));
  q.sheets[q.sheet_count++] = {k, z0, r2, low - overlap, high + overlap};
}

void add_disc(Quadric& q, double z, double radius) {
  q.discs[q.disc_count++] = {z, radius * radius * (1 + kSeam)};
}

template <int W>
PROTOBEAM_INLINE void intersect_lanes(const Quadric& quadric, QuadricRays<W>& rays) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double *ox = rays.ox, *oy = rays.oy, *oz = rays.oz;
  const double *dx = rays.dx, *dy = rays.dy, *dz = rays.dz;
  // Counted from the ray's point nearest to the centre, squares of coordinates lose no digits.
  double shift[W], mx[W], my[W], mz[W], near[W], far[W], best[W], part[W];
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    shift[l] = -(ox[l] * dx[l] + oy[l] * dy[l] + oz[l] * dz[l]) /
               (dx[l] * dx[l] + dy[l] * dy[l] + dz[l] * dz[l]);
    mx[l] = ox[l] + shift[l] * dx[l];
    my[l] = oy[l] + shift[l] * dy[l];
    mz[l] = oz[l] + shift[l] * dz[l];
    near[l] = rays.near[l] - shift[l];
    far[l] = rays.far[l] - shift[l];
    best[l] = kInfinity;
    part[l] = 0;
  }
  for (int i = 0; i < quadric.sheet_count; ++i) {
    const Quadric::Sheet s = quadric.sheets[i];
    const double id = i;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      // a t^2 + 2 b t + c = 0, solved without cancellation. For a = 0 the second root is the
      // only one; whatever is not a number fails the comparisons.
      const double w = mz[l] - s.z0;
      const double a = dx[l] * dx[l] + dy[l] * dy[l] + s.k * dz[l] * dz[l];
      const double b = mx[l] * dx[l] + my[l] * dy[l] + s.k * w * dz[l];
      const double c = mx[l] * mx[l] + my[l] * my[l] + s.k * w * w - s.r2;
      const double root = std::sqrt(b * b - a * c);
      const double q = b < 0 ? root - b : -root - b;
      const double t0 = q / a, t1 = c / q;
      const double z0 = mz[l] + t0 * dz[l], z1 = mz[l] + t1 * dz[l];
      const double u0 =
          z0 >= s.low && z0 <= s.high && t0 >= near[l] && t0 <= far[l] ? t0 : kInfinity;
      const double u1 =
          z1 >= s.low && z1 <= s.high && t1 >= near[l] && t1 <= far[l] ? t1 : kInfinity;
      const double u = u0 < u1 ? u0 : u1;
      part[l] = u < best[l] ? id : part[l];
      best[l] = u < best[l] ? u : best[l];
    }
  }
  for (int i = 0; i < quadric.disc_count; ++i) {
    const Quadric::Disc disc = quadric.discs[i];
    const double id = kFirstDisc + i;
    PROTOBEAM_LANES
    for (int l = 0; l < W; ++l) {
      const double t = (disc.z - mz[l]) / dz[l];
      const double x = mx[l] + t * dx[l], y = my[l] + t * dy[l];
      const double u = x * x + y * y <= disc.r2 && t >= near[l] && t <= far[l] ? t : kInfinity;
      part[l] = u < best[l] ? id : part[l];
      best[l] = u < best[l] ? u : best[l];
    }
  }
  PROTOBEAM_LANES
  for (int l = 0; l < W; ++l) {
    rays.t[l] = best[l] + shift[l];
    rays.part[l] = part[l];
  }
}

}  // namespace

bool is_quadric(const Geometry& geometry) {
  return std::holds_alternative<Sphere>(geometry) || std::holds_alternative<Cylinder>(geometry) ||
         std::holds_alternative<Capsule>(geometry) || std::holds_alternative<Cone>(geometry);
}

Quadric make_quadric(const Geometry& geometry) {
  Quadric q;
  if (const auto* s = std::get_if<Sphere>(&geometry)) {
    const double r = s->radius;
    add_sheet(q, 1, 0, r * r, -r, r);
  } else if (const auto* c = std::get_if<Cylinder>(&geometry)) {
    const double half = c->height / 2;
    if (c->side) add_sheet(q, 0, 0, c->radius * c->radius, -half, half);
    if (c->top) add_disc(q, half, c->radius);
    if (c->bottom) add_disc(q, -half, c->radius);
  } else if (const auto* c = std::get_if<Capsule>(&geometry)) {
    const double half = c->height / 2, r = c->radius;
    if (c->side) add_sheet(q, 0, 0, r * r, -half, half);
    if (c->top) add_sheet(q, 1, half, r * r, half, half + r);
    if (c->bottom) add_sheet(q, 1, -half, r * r, -half - r, -half);
  } else if (const auto* c = std::get_if<Cone>(&geometry)) {
    const double half = c->height / 2, slope = c->radius / c->height;
    if (c->side) add_sheet(q, -slope * slope, half, 0, -half, half);
    if (c->bottom) add_disc(q, -half, c->radius);
  }
  return q;
}

void intersect(const Quadric& quadric, QuadricRays<1>& rays) { intersect_lanes(quadric, rays); }

PROTOBEAM_CLONES void intersect(const Quadric& quadric, QuadricRays<8>& rays) {
  intersect_lanes(quadric, rays);
}
PROTOBEAM_CLONES void intersect(const Quadric& quadric, QuadricRays<16>& rays) {
  intersect_lanes(quadric, rays);
}

Vec3 normal(const Quadric& quadric, int part, const Vec3& point) {
  if (part >= kFirstDisc) return {0, 0, quadric.discs[part - kFirstDisc].z > 0 ? 1.0 : -1.0};
  const Quadric::Sheet& sheet = quadric.sheets[part];
  return {point.x(), point.y(), sheet.k * (point.z() - sheet.z0)};
}

}  // namespace protobeam
