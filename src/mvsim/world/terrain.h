// How high the ground is, for things that begin on it. MVSim puts them there when it loads a world.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "mvsim/values.h"

namespace protobeam::mvsim {

class Terrain {
 public:
  /// A rectangle in the plane z of its own frame.
  struct Plane {
    Pose X;
    Vec2 low, high;
    double z = 0;
  };
  /// Rows along x, columns along y; each cell is two triangles that meet on the diagonal from its
  /// corner of lowest x and y.
  struct Map {
    std::size_t rows = 0, columns = 0;
    std::function<double(std::size_t row, std::size_t column)> height;
    Vec2 corner;
    double resolution = 1;
  };
  /// The upper side of a block: as high as `top` says of a place in its own frame, within the
  /// outline.
  struct Top {
    Pose X;
    std::vector<Vec2> outline;
    std::function<double(const Vec2&)> top;
  };

  void add(const Plane& plane) {
    planes_.push_back(plane);
    lowest_plane_ = std::min(lowest_plane_, (plane.X * Vec3(0, 0, plane.z)).z());
  }
  void add(Map map) { maps_.push_back(std::move(map)); }
  void add(Top top);
  bool has_maps() const { return !maps_.empty(); }
  /// Of the ground where there is no element: 0, or that of a plane below it.
  double bottom() const { return lowest_plane_; }

  /// The highest ground that is not above `limit` (World.cpp, getHighestElevationUnder), or else
  /// the lowest map, so that nothing begins below the surface; 0 where there is neither.
  double height(const Vec2& p, double limit) const;
  /// `X` put on the ground where its feet (in its own frame) stand, its yaw kept. The ground under
  /// its origin may be `reach` above it, and that under a foot `climb` above that one.
  Pose standing(const Pose& X, std::span<const Vec2> feet, double reach, double climb) const;

 private:
  std::vector<Plane> planes_;
  std::vector<Map> maps_;
  std::vector<Top> tops_;
  /// Those over each square of the ground, and those that are over many.
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> tops_of_;
  std::vector<std::size_t> wide_tops_;
  double lowest_plane_ = 0;
};

}  // namespace protobeam::mvsim
