#include "mvsim/world/terrain.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/libm.h"
#include "base/linear_solve.h"

namespace protobeam::mvsim {
namespace {

std::optional<double> height_of(const Terrain::Map& map, const Vec2& p) {
  const auto& z = map.heights;
  const double rows = static_cast<double>(z.size()), columns = static_cast<double>(z[0].size());
  const Vec2 cell = (p - map.corner) / map.resolution;
  if (!(cell.x() >= 0 && cell.y() >= 0 && cell.x() <= rows - 1 && cell.y() <= columns - 1)) {
    return std::nullopt;
  }
  const double i = std::min(std::floor(cell.x()), rows - 2);
  const double j = std::min(std::floor(cell.y()), columns - 2);
  const auto at = [&](double di, double dj) {
    return z[static_cast<std::size_t>(i + di)][static_cast<std::size_t>(j + dj)];
  };
  const double u = cell.x() - i, v = cell.y() - j;
  if (u >= v) return at(0, 0) + u * (at(1, 0) - at(0, 0)) + v * (at(1, 1) - at(1, 0));
  return at(0, 0) + v * (at(0, 1) - at(0, 0)) + u * (at(1, 1) - at(0, 1));
}

}  // namespace

double Terrain::height(const Vec2& p, double limit) const {
  std::vector<double> found;
  for (const Plane& plane : planes_) {
    const bool inside = (p.array() >= plane.low.array() && p.array() <= plane.high.array()).all();
    if (inside) found.push_back(plane.z);
  }
  for (const Map& map : maps_) {
    if (const auto z = height_of(map, p)) found.push_back(*z);
  }
  if (found.empty()) return 0;
  std::sort(found.begin(), found.end());
  const auto above = std::upper_bound(found.begin(), found.end(), limit);
  return above == found.begin() ? *above : *std::prev(above);
}

Pose Terrain::standing(const Pose& X, std::span<const Vec2> feet, double reach) const {
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
    z(i) = height((X.p + arm).head<2>(), X.p.z() + reach);
  }
  Pose out{R_yaw, X.p};
  if (places.rows() == 0 || (z.array() == z(0)).all()) {
    out.p.z() = places.rows() == 0 ? height(X.p.head<2>(), X.p.z() + reach) : z(0);
    return out;
  }
  const Vec3 plane = solve_least_squares(places, z);
  const Vec3 up = Vec3(-plane.y(), -plane.z(), 1).normalized();
  const Vec3 left = up.cross(R_yaw * Vec3::UnitX()).normalized();
  Mat3 R;
  R << left.cross(up), left, up;
  out.R = Quat(R);
  out.p.z() = plane.x();
  return out;
}

}  // namespace protobeam::mvsim
