#include "mvsim/world/terrain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/libm.h"
#include "base/linear_solve.h"

namespace protobeam::mvsim {
namespace {

constexpr double kSquare = 4;       ///< m
constexpr double kManySquares = 8;  ///< along a side

std::pair<std::int64_t, std::int64_t> square_of(const Vec2& p) {
  constexpr double kFarthest = 1e15;
  const auto of = [=](double x) {
    return static_cast<std::int64_t>(std::floor(std::clamp(x / kSquare, -kFarthest, kFarthest)));
  };
  return {of(p.x()), of(p.y())};
}

std::optional<double> height_of(const Terrain::Map& map, const Vec2& p) {
  const double rows = static_cast<double>(map.rows), columns = static_cast<double>(map.columns);
  const Vec2 cell = (p - map.corner) / map.resolution;
  if (!(cell.x() >= 0 && cell.y() >= 0 && cell.x() <= rows - 1 && cell.y() <= columns - 1)) {
    return std::nullopt;
  }
  const double i = std::min(std::floor(cell.x()), rows - 2);
  const double j = std::min(std::floor(cell.y()), columns - 2);
  const auto at = [&](double di, double dj) {
    return map.height(static_cast<std::size_t>(i + di), static_cast<std::size_t>(j + dj));
  };
  const double u = cell.x() - i, v = cell.y() - j;
  if (u >= v) return at(0, 0) + u * (at(1, 0) - at(0, 0)) + v * (at(1, 1) - at(1, 0));
  return at(0, 0) + v * (at(0, 1) - at(0, 0)) + u * (at(1, 1) - at(0, 1));
}

std::optional<double> height_of(const Terrain::Plane& plane, const Vec2& p) {
  const Vec3 normal = plane.X.R * Vec3::UnitZ(), on = plane.X * Vec3(0, 0, plane.z);
  if (!(std::abs(normal.z()) > 1e-9)) return std::nullopt;
  const Vec2 away = p - on.head<2>();
  const double z = on.z() - normal.head<2>().dot(away) / normal.z();
  const Vec2 local = (plane.X.inverse() * Vec3(p.x(), p.y(), z)).head<2>();
  const bool inside =
      (local.array() >= plane.low.array() && local.array() <= plane.high.array()).all();
  return inside ? std::optional(z) : std::nullopt;
}

std::optional<double> height_of(const Terrain::Top& block, const Vec2& p) {
  const Vec2 local = (block.X.inverse() * Vec3(p.x(), p.y(), block.X.p.z())).head<2>();
  bool inside = false;
  const auto& outline = block.outline;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Vec2 &a = outline[i], &b = outline[j];
    if ((a.y() > local.y()) == (b.y() > local.y())) continue;
    const double x = a.x() + (b.x() - a.x()) * (local.y() - a.y()) / (b.y() - a.y());
    if (local.x() < x) inside = !inside;
  }
  return inside ? std::optional(block.X.p.z() + block.top(local)) : std::nullopt;
}

}  // namespace

void Terrain::add(Top top) {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vec2& corner : top.outline) {
    const Vec2 p = (top.X * Vec3(corner.x(), corner.y(), 0)).head<2>();
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const Pose top_X = top.X;
  const std::size_t index = tops_.size();
  tops_.push_back(std::move(top));
  const Vec2 squares = (high - low) / kSquare;
  const bool upright = (top_X.R * Vec3::UnitZ()).z() > 1 - 1e-12;
  if (!(upright && squares.x() < kManySquares && squares.y() < kManySquares)) {
    wide_tops_.push_back(index);
    return;
  }
  const auto [x0, y0] = square_of(low);
  const auto [x1, y1] = square_of(high);
  for (auto x = x0; x <= x1; ++x) {
    for (auto y = y0; y <= y1; ++y) tops_of_[{x, y}].push_back(index);
  }
}

double Terrain::height(const Vec2& p, double limit) const {
  std::optional<double> below, lowest_map;
  const auto consider = [&](const std::optional<double>& z) {
    if (z && *z <= limit && (!below || *z > *below)) below = z;
  };
  for (const Plane& plane : planes_) consider(height_of(plane, p));
  for (const std::size_t i : wide_tops_) consider(height_of(tops_[i], p));
  if (const auto here = tops_of_.find(square_of(p)); here != tops_of_.end()) {
    for (const std::size_t i : here->second) consider(height_of(tops_[i], p));
  }
  for (const Map& map : maps_) {
    const auto z = height_of(map, p);
    consider(z);
    if (z && (!lowest_map || *z < *lowest_map)) lowest_map = z;
  }
  return below ? *below : lowest_map.value_or(0);
}

Pose Terrain::standing(const Pose& X, std::span<const Vec2> feet, double reach,
                       double climb) const {
  const double limit = height(X.p.head<2>(), X.p.z() + reach) + climb;
  const Vec3 heading = X.R * Vec3::UnitX();
  const double yaw = libm::atan2(heading.y(), heading.x());
  const Quat R_yaw = axis_angle(Vec3::UnitZ(), yaw);
  // z = a + b x + c y through the feet, about the origin of X.
  Eigen::MatrixXd places(static_cast<Eigen::Index>(feet.size()), 3);
  Eigen::VectorXd z(places.rows());
  for (Eigen::Index i = 0; i < places.rows(); ++i) {
    const Vec2& foot = feet[static_cast<std::size_t>(i)];
    const Vec3 arm = R_yaw * Vec3(foot.x(), foot.y(), 0);
    places.row(i) = Eigen::RowVector3d(1, arm.x(), arm.y());
    z(i) = height((X.p + arm).head<2>(), limit);
  }
  Pose out{R_yaw, X.p};
  if (places.rows() == 0 || (z.array() == z(0)).all()) {
    out.p.z() = places.rows() == 0 ? limit - climb : z(0);
    return out;
  }
  const Vec3 plane = solve_least_squares(places, z);
  const Vec3 up = Vec3(-plane.y(), -plane.z(), 1).normalized();
  // Seen from above it heads where it did: MVSim never changes a yaw (World_simul.cpp,
  // internal_simul_pre_step_terrain_elevation).
  const Vec3 level = R_yaw * Vec3::UnitX();
  const Vec3 forward =
      Vec3(level.x(), level.y(), plane.y() * level.x() + plane.z() * level.y()).normalized();
  Mat3 R;
  R << forward, up.cross(forward), up;
  out.R = Quat(R);
  out.p.z() = plane.x();
  return out;
}

}  // namespace protobeam::mvsim
