#include "raycast/shadow_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"

namespace protobeam {

/// Where lines begin, in cells.
struct LightPoints {
  static constexpr int kMost = 256;
  alignas(64) double u[kMost], v[kMost], h[kMost];
  alignas(64) std::int32_t cell[kMost];     ///< -1: beside the map
  alignas(64) double du[kMost], dv[kMost];  ///< from the middle of the cell
  alignas(64) double over[kMost];           ///< its plane; -1 beside the map
};

namespace {

constexpr double kSmallestCell = 0.1;  // m
constexpr double kMostCells = 1 << 21;
constexpr double kLeastBlur = 5e-5;  // m
/// Sine of the angle between the light and a surface along which it only grazes.
constexpr double kGrazing = 0.03;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// m. Embree computes in float: a line that begins nearer than that to a triangle, on either side,
/// may meet it. Measured with lines that begin just off random triangles: up to 1.4e-7 of the
/// distance of their corners from the middle of the group, and where all corners have one
/// coordinate in common up to 5e-8 of the size of the group.
double find_blur(const InstanceRecord& caster, const float (&x)[3], const float (&y)[3],
                 const float (&z)[3]) {
  const auto level = [](const float(&v)[3]) { return v[0] == v[1] && v[1] == v[2]; };
  double size = 0;
  if (level(x) || level(y) || level(z)) {
    size = 1.2e-7 * double{caster.group->radius()};
  } else {
    float most = 0;
    for (const auto* v : {&x, &y, &z}) {
      for (const float of : *v) most = std::max(most, std::abs(of));
    }
    size = 3e-7 * double{most};
  }
  return std::max(kLeastBlur, size);
}

/// Not less than the number.
float rounded_up(double x) {
  const auto nearest = static_cast<float>(x);
  return nearest < x ? std::nextafter(nearest, std::numeric_limits<float>::infinity()) : nearest;
}

/// h = height + along_u (u - u0) + along_v (v - v0).
struct LightPlane {
  double u0, v0, height, along_u, along_v;
  double steepness;  ///< sine of the angle between it and the light

  explicit LightPlane(const Vec3 (&p)[3]) : u0(p[0].x()), v0(p[0].y()), height(p[0].z()) {
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    const double length = n.norm();
    steepness = length > 0 ? std::abs(n.z()) / length : 0;
    along_u = -n.x() / n.z(), along_v = -n.y() / n.z();
  }
  double at(double u, double v) const { return height + along_u * (u - u0) + along_v * (v - v0); }
};

/// First and last of the cells from low to high; last < first: none of them are in the map.
struct CellRange {
  int first, last;
  CellRange(double low, double high, int count)
      : first(static_cast<int>(std::clamp(std::floor(low), 0.0, double{1e9}))),
        last(static_cast<int>(std::clamp(std::floor(high), -1.0, count - 1.0))) {}
};

/// Least and greatest u of the part of a triangle between two v; false: there is none.
bool find_span(const Vec3 (&p)[3], double low, double high, double& first, double& last) {
  first = std::numeric_limits<double>::infinity(), last = -first;
  const auto take = [&](double u) { first = std::min(first, u), last = std::max(last, u); };
  for (int i = 0; i < 3; ++i) {
    const Vec3 &a = p[i], &b = p[(i + 1) % 3];
    if (a.y() >= low && a.y() <= high) take(a.x());
    for (const double v : {low, high}) {
      if ((a.y() < v) != (b.y() < v)) {
        const double part = (v - a.y()) / (b.y() - a.y());
        take(a.x() + part * (b.x() - a.x()));
      }
    }
  }
  return first <= last;
}

struct Limits {
  double low, high;
};
/// Of up to LightPoints::kMost; there is room for as many.
PROTOBEAM_CLONES Limits limits_of(double* x, int count) {
  constexpr int kLanes = 16;
  for (; count % kLanes != 0; ++count) x[count] = x[0];
  double low[kLanes], high[kLanes];
  for (int l = 0; l < kLanes; ++l) low[l] = high[l] = x[l];
  for (int i = kLanes; i < count; i += kLanes) {
    for (int l = 0; l < kLanes; ++l) low[l] = x[i + l] < low[l] ? x[i + l] : low[l];
    for (int l = 0; l < kLanes; ++l) high[l] = x[i + l] > high[l] ? x[i + l] : high[l];
  }
  return {*std::min_element(low, low + kLanes), *std::max_element(high, high + kLanes)};
}

// Three loops that GCC finds vectors for.
PROTOBEAM_CLONES void place(const Mat3& R, const Vec3& o, const float* x, const float* y,
                            const float* z, int count, LightPoints& __restrict to) {
  const double r0 = R(0, 0), r1 = R(0, 1), r2 = R(0, 2), r3 = R(1, 0), r4 = R(1, 1), r5 = R(1, 2),
               r6 = R(2, 0), r7 = R(2, 1), r8 = R(2, 2);
  const double u0 = o.x(), v0 = o.y(), h0 = o.z();
  for (int i = 0; i < count; ++i) {
    const double a = x[i], b = y[i], c = z[i];
    to.u[i] = u0 + r0 * a + r1 * b + r2 * c;
    to.v[i] = v0 + r3 * a + r4 * b + r5 * c;
    to.h[i] = h0 + r6 * a + r7 * b + r8 * c;
  }
}
PROTOBEAM_CLONES void find_cells(int columns, int rows, int count, LightPoints& __restrict of) {
  const double wide = columns, deep = rows;
  for (int i = 0; i < count; ++i) {
    const double u = of.u[i], v = of.v[i];
    const double in_u = u >= 0 ? (u < wide ? u : -1.0) : -1.0;
    const double in_v = v >= 0 ? (v < deep ? v : -1.0) : -1.0;
    const auto column = static_cast<std::int32_t>(in_u), row = static_cast<std::int32_t>(in_v);
    const std::int32_t within = column < row ? column : row;
    const std::int32_t at = row * columns + column;
    of.cell[i] = within < 0 ? -1 : at;
    of.du[i] = in_u - column - 0.5;
    of.dv[i] = in_v - row - 0.5;
  }
}
PROTOBEAM_CLONES void compare(const float* planes, int count, LightPoints& __restrict of) {
  for (int i = 0; i < count; ++i) {
    const std::int32_t at = of.cell[i], cell = at < 0 ? 0 : at;
    const double plane = double{planes[3 * cell]} + double{planes[3 * cell + 1]} * of.du[i] +
                         double{planes[3 * cell + 2]} * of.dv[i];
    of.over[i] = at < 0 ? -1.0 : of.h[i] - plane;
  }
}

}  // namespace

ShadowMap::ShadowMap(const Vec3& to_light, const Vec3& around_W,
                     const std::vector<const InstanceRecord*>& casters) {
  const Vec3 across = to_light.unitOrthogonal();
  R_LW_ << across.transpose(), to_light.cross(across).transpose(), to_light.transpose();
  set_bounds(around_W, casters);
  cells_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_),
                {kNothing, 0, 0});
  find_slopes(casters);
  each_triangle(casters, [this](const Vec3(&p)[3], double blur) { raise(p, blur); });
  for (const InstanceRecord* caster : casters) {
    const ClusterBalls& balls = caster->group->curved().balls;
    for (std::size_t i = 0; i < balls.radius.size() && balls.radius[i] >= 0; ++i) {
      const Vec3 center = caster->R_WB * Vec3(balls.x[i], balls.y[i], balls.z[i]) + caster->p_WG;
      raise(ball_around(center, balls.radius[i]));
    }
  }
}

template <typename Take>
void ShadowMap::each_triangle(const std::vector<const InstanceRecord*>& casters,
                              const Take& take) const {
  for (const InstanceRecord* caster : casters) {
    const Mat3 R = scale_ * (R_LW_ * caster->R_WB);
    const Vec3 o = in_cells(caster->p_WG);
    for (const TriangleCluster& of : caster->group->clusters().clusters) {
      for (int i = 0; i < of.count; ++i) {
        const float x[] = {of.ax[i], of.bx[i], of.cx[i]}, y[] = {of.ay[i], of.by[i], of.cy[i]},
                    z[] = {of.az[i], of.bz[i], of.cz[i]};
        const Vec3 corners[3] = {R * Vec3(x[0], y[0], z[0]) + o, R * Vec3(x[1], y[1], z[1]) + o,
                                 R * Vec3(x[2], y[2], z[2]) + o};
        take(corners, scale_ * find_blur(*caster, x, y, z));
      }
    }
  }
}

void ShadowMap::set_bounds(const Vec3& around_W,
                           const std::vector<const InstanceRecord*>& casters) {
  corner_W_ = around_W;
  Vec3 low = Vec3::Constant(kReach), high = -low;
  const auto take = [&](const Vec3& p, double radius) {
    low = low.cwiseMin(p - Vec3::Constant(radius));
    high = high.cwiseMax(p + Vec3::Constant(radius));
  };
  for (const InstanceRecord* caster : casters) {
    const ShapeGroup& group = *caster->group;
    for (const ClusterBalls* balls : {&group.clusters().balls, &group.curved().balls}) {
      for (std::size_t i = 0; i < balls->radius.size() && balls->radius[i] >= 0; ++i) {
        const Vec3 p_G(balls->x[i], balls->y[i], balls->z[i]);
        take(in_cells(caster->R_WB * p_G + caster->p_WG), double{balls->radius[i]});
      }
    }
  }
  low = low.cwiseMax(-kReach), high = high.cwiseMin(kReach);
  const double wide = std::max(0.0, high.x() - low.x()), deep = std::max(0.0, high.y() - low.y());
  const double cell = std::max(kSmallestCell, std::sqrt(wide * deep / kMostCells));
  columns_ = static_cast<int>(wide / cell) + 1, rows_ = static_cast<int>(deep / cell) + 1;
  corner_W_ = around_W + R_LW_.transpose() * Vec3(low.x(), low.y(), 0);
  scale_ = 1 / cell;
}

/// Of what is on top at the middle of each cell, unless light only grazes it.
void ShadowMap::find_slopes(const std::vector<const InstanceRecord*>& casters) {
  each_triangle(casters, [this](const Vec3(&p)[3], double) {
    const auto [first_v, last_v] = std::minmax({p[0].y(), p[1].y(), p[2].y()});
    // Rows of which the middle lies within.
    const CellRange rows(std::ceil(first_v - 0.5), last_v - 0.5, rows_);
    if (rows.last < rows.first) return;
    const LightPlane plane(p);
    if (!(plane.steepness > kGrazing)) return;
    for (int row = rows.first; row <= rows.last; ++row) {
      const double v = row + 0.5;
      double low = 0, high = 0;
      if (!find_span(p, v, v, low, high)) continue;
      // Columns whose middle lies within.
      const CellRange columns(std::ceil(low - 0.5), high - 0.5, columns_);
      for (int column = columns.first; column <= columns.last; ++column) {
        Cell& c = cell(column, row);
        const auto height = static_cast<float>(plane.at(column + 0.5, v));
        if (!(height > c.height)) continue;
        c = {height, static_cast<float>(plane.along_u), static_cast<float>(plane.along_v)};
      }
    }
  });
  for (Cell& c : cells_) c.height = kNothing;
}

/// The planes of the cells that a triangle lies in, which may be off by the blur.
void ShadowMap::raise(const Vec3 (&p)[3], double blur) {
  const LightPlane plane(p);
  const bool steep = !(plane.steepness > 1e-3);
  // Across the light, rounding to float moves it less than that.
  const double margin = 40 * blur, half = 0.5 + margin;
  const double off = steep ? 0 : blur / plane.steepness;
  const auto [first_v, last_v] = std::minmax({p[0].y(), p[1].y(), p[2].y()});
  const auto [first_u, last_u] = std::minmax({p[0].x(), p[1].x(), p[2].x()});
  const CellRange rows(first_v - margin, last_v + margin, rows_);
  const CellRange most(first_u - margin, last_u + margin, columns_);
  for (int row = rows.first; row <= rows.last; ++row) {
    CellRange columns = most;
    if (most.last - most.first > 1 && rows.last > rows.first) {
      double low = 0, high = 0;
      if (!find_span(p, row - margin, row + 1 + margin, low, high)) continue;
      columns = CellRange(low - margin, high + margin, columns_);
    }
    for (int column = columns.first; column <= columns.last; ++column) {
      Cell& c = cell(column, row);
      const double u = column + 0.5, v = row + 0.5;
      // It is not higher than its plane over all of the cell, nor than its corners.
      double over = std::numeric_limits<double>::infinity();
      if (!steep) {
        over = off + plane.at(u, v) +
               half * (std::abs(plane.along_u - c.along_u) + std::abs(plane.along_v - c.along_v));
      }
      if (!(over > c.height)) continue;
      double corners = -std::numeric_limits<double>::infinity();
      for (const Vec3& corner : p) {
        corners = std::max(
            corners, corner.z() - c.along_u * (corner.x() - u) - c.along_v * (corner.y() - v));
      }
      corners += blur * (1 + std::abs(c.along_u) + std::abs(c.along_v));
      over = std::min(over, corners);
      if (over > c.height) c.height = rounded_up(over);
    }
  }
}

/// The planes of the cells below a ball.
void ShadowMap::raise(const LightBall& ball) {
  const CellRange rows(ball.v - ball.radius, ball.v + ball.radius, rows_);
  const CellRange columns(ball.u - ball.radius, ball.u + ball.radius, columns_);
  for (int row = rows.first; row <= rows.last; ++row) {
    for (int column = columns.first; column <= columns.last; ++column) {
      Cell& c = cell(column, row);
      const double over = ball.top + 0.5 * (std::abs(c.along_u) + std::abs(c.along_v));
      if (over > c.height) c.height = rounded_up(over);
    }
  }
}

std::size_t ShadowMap::find_free(const SightLines& lines, const std::vector<LightBall>& movers,
                                 std::uint8_t* blocked) const {
  const Mat3 R = scale_ * R_LW_;
  const Vec3 o = in_cells(lines.origin_W);
  std::size_t beside = 0;
  LightPoints p;
  for (std::size_t first = 0; first < lines.count; first += LightPoints::kMost) {
    const int count =
        static_cast<int>(std::min<std::size_t>(LightPoints::kMost, lines.count - first));
    place(R, o, lines.ox + first, lines.oy + first, lines.oz + first, count, p);
    find_cells(columns_, rows_, count, p);
    compare(&cells_[0].height, count, p);
    std::uint8_t* const out = blocked + first;
    for (int i = 0; i < count; ++i) out[i] = p.over[i] >= 0 ? 0 : kUnknown;
    for (int i = 0; i < count; ++i) beside += p.cell[i] < 0 ? 1 : 0;
    look_for(movers, p, count, out);
  }
  return beside;
}

/// Of lines that something that moves may lie on, nothing is known.
void ShadowMap::look_for(const std::vector<LightBall>& movers, LightPoints& p, int count,
                         std::uint8_t* blocked) {
  const Limits u = limits_of(p.u, count), v = limits_of(p.v, count);
  for (const LightBall& m : movers) {
    if (m.u + m.radius < u.low || m.u - m.radius > u.high || m.v + m.radius < v.low ||
        m.v - m.radius > v.high) {
      continue;
    }
    for (int i = 0; i < count; ++i) {
      const double du = p.u[i] - m.u, dv = p.v[i] - m.v;
      const bool under = du * du + dv * dv <= m.radius * m.radius && p.h[i] <= m.top;
      blocked[i] = under ? kUnknown : blocked[i];
    }
  }
}

LightBall ShadowMap::ball_around(const Vec3& p_W, double radius) const {
  const Vec3 center = in_cells(p_W);
  const double in_cells = scale_ * (radius * 1.00001 + kLeastBlur * 40);
  return {center.x(), center.y(), center.z() + in_cells, in_cells};
}

}  // namespace protobeam
