#include "raycast/height_field.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"

namespace protobeam {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
/// Tiles overlap by this part of a cell, so that no ray slips through between them.
constexpr double kTileSeam = 1e-9;

/// One of the three families of parallel lines that cut a field, seen from above, into triangles:
/// columns, rows, diagonals. Line k lies where a coordinate of the ray, o + t d, is k.
class Lines {
 public:
  PROTOBEAM_INLINE Lines(double o, double d, double inverse, double t)
      : o_(o),
        inverse_(inverse),
        step_(d > 0 ? 1 : -1),
        ahead_(d > 0 ? 1 : 0),
        strip_(floor_of(o + t * d)),
        moves_(d != 0) {
    find_next();
  }

  /// The strip between lines k and k + 1 in which the ray is.
  PROTOBEAM_INLINE int strip() const { return strip_; }
  PROTOBEAM_INLINE double next() const { return next_; }  ///< t at which it leaves it
  PROTOBEAM_INLINE void advance() {
    strip_ += step_;
    find_next();
  }

 private:
  PROTOBEAM_INLINE static int floor_of(double x) {
    const int towards_zero = static_cast<int>(x);
    return towards_zero - (x < towards_zero ? 1 : 0);
  }
  PROTOBEAM_INLINE void find_next() { next_ = moves_ ? (strip_ + ahead_ - o_) * inverse_ : kInf; }

  double o_, inverse_;
  int step_, ahead_, strip_;
  bool moves_;
  double next_ = kInf;
};

/// Narrows [from, to] to where low <= o + t d <= high.
PROTOBEAM_INLINE void clip(double o, double d, double inverse, double low, double high,
                           double& from, double& to) {
  if (!(d < 0 || d > 0)) {  // along it, or not a number
    if (d != 0 || !(o >= low && o <= high)) to = -kInf;
    return;
  }
  const double a = (low - o) * inverse, b = (high - o) * inverse;
  from = std::max(from, std::min(a, b));
  to = std::min(to, std::max(a, b));
}

}  // namespace

TiledField::TiledField(const HeightField& field)
    : field_(&field),
      tiles_x_((field.columns - 2) / kTile + 1),
      tiles_y_((field.rows - 2) / kTile + 1) {
  const auto count = static_cast<std::size_t>(tiles_x_) * static_cast<std::size_t>(tiles_y_);
  low_.reserve(count);
  high_.reserve(count);
  for (int y = 0; y < tiles_y_; ++y) {
    const int last_row = std::min((y + 1) * kTile, field.rows - 1);
    for (int x = 0; x < tiles_x_; ++x) {
      const int last_column = std::min((x + 1) * kTile, field.columns - 1);
      double low = kInf, high = -kInf;
      for (int j = y * kTile; j <= last_row; ++j) {
        for (int i = x * kTile; i <= last_column; ++i) {
          low = std::min(low, field.height(i, j));
          high = std::max(high, field.height(i, j));
        }
      }
      low_.push_back(std::nextafter(static_cast<float>(low), -INFINITY));
      high_.push_back(std::nextafter(static_cast<float>(high), INFINITY));
    }
  }
}

Bounds TiledField::tile_bounds(std::uint32_t tile) const {
  const int x = static_cast<int>(tile) % tiles_x_, y = static_cast<int>(tile) / tiles_x_;
  const HeightField& f = *field_;
  Bounds box{f.point(x * kTile, y * kTile), f.point(std::min((x + 1) * kTile, f.columns - 1),
                                                    std::min((y + 1) * kTile, f.rows - 1))};
  box.min.z() = low_[tile];
  box.max.z() = high_[tile];
  return box;
}

CellRay TiledField::in_cells(const Vec3& origin, const Vec3& direction) const {
  const HeightField& f = *field_;
  CellRay ray;
  ray.o = {(origin.x() - f.origin.x()) / f.spacing.x(), (origin.y() - f.origin.y()) / f.spacing.y(),
           origin.z()};
  ray.d = {direction.x() / f.spacing.x(), direction.y() / f.spacing.y(), direction.z()};
  ray.inverse = ray.d.cwiseInverse();
  ray.inverse_diagonal = 1 / (ray.d.x() - ray.d.y());
  return ray;
}

bool TiledField::intersect(std::uint32_t tile, const CellRay& ray, double near, double far,
                           FieldHit& hit) const {
  const HeightField& f = *field_;
  const int tile_x = static_cast<int>(tile) % tiles_x_, tile_y = static_cast<int>(tile) / tiles_x_;
  const int first_i = tile_x * kTile, last_i = std::min(first_i + kTile, f.columns - 1) - 1;
  const int first_j = tile_y * kTile, last_j = std::min(first_j + kTile, f.rows - 1) - 1;
  const double ox = ray.o.x(), oy = ray.o.y(), oz = ray.o.z();
  const double dx = ray.d.x(), dy = ray.d.y(), dz = ray.d.z();
  double from = near, to = far;
  clip(ox, dx, ray.inverse.x(), first_i - kTileSeam, last_i + 1 + kTileSeam, from, to);
  clip(oy, dy, ray.inverse.y(), first_j - kTileSeam, last_j + 1 + kTileSeam, from, to);
  clip(oz, dz, ray.inverse.z(), low_[tile] - kTileSeam, high_[tile] + kTileSeam, from, to);
  if (!(from <= to)) return false;

  // Between two lines the ray's height above the ground is linear; it meets the ground where the
  // sign changes, also where it does so between the end of one triangle and the start of the next.
  Lines columns(ox, dx, ray.inverse.x(), from), rows(oy, dy, ray.inverse.y(), from),
      diagonals(ox - oy, dx - dy, ray.inverse_diagonal, from);
  const auto columns_count = static_cast<std::size_t>(f.columns);
  double above_before = 0;
  double t = from;
  for (int segment = 0; segment < 8 * kTile && t <= to; ++segment) {  // 6 kTile without rounding
    const double end = std::min({columns.next(), rows.next(), diagonals.next(), to});
    const int i = std::clamp(columns.strip(), first_i, last_i);
    const int j = std::clamp(rows.strip(), first_j, last_j);
    const bool right = diagonals.strip() >= i - j;
    const double* cell =
        &f.heights[static_cast<std::size_t>(j) * columns_count + static_cast<std::size_t>(i)];
    const double h = cell[0], opposite = cell[columns_count + 1];
    const double corner = cell[right ? 1 : columns_count];
    const double slope_x = right ? corner - h : opposite - corner;
    const double slope_y = right ? opposite - corner : corner - h;
    // above(t) = a + b t
    const double a = oz - h - slope_x * (ox - i) - slope_y * (oy - j);
    const double b = dz - slope_x * dx - slope_y * dy;
    const double above = a + b * t, above_end = a + b * end;
    const bool crosses = above * above_end <= 0 && !(above == 0 && above_end == 0);
    if (crosses || above * above_before < 0) {
      hit.t = crosses && b != 0 ? std::clamp(-a / b, t, end) : t;
      const auto number =
          static_cast<std::uint32_t>(j) * static_cast<std::uint32_t>(f.columns - 1) +
          static_cast<std::uint32_t>(i);
      hit.triangle = 2 * number + (right ? 0 : 1);
      return true;
    }
    above_before = above_end;
    if (!(end < to)) return false;
    if (columns.next() <= end) columns.advance();
    if (rows.next() <= end) rows.advance();
    if (diagonals.next() <= end) diagonals.advance();
    t = std::max(t, end);
  }
  return false;
}

Vec3 TiledField::normal(std::uint32_t triangle) const {
  const auto p = field_->corners(triangle);
  return (p[1] - p[0]).cross(p[2] - p[0]).normalized();
}

}  // namespace protobeam
