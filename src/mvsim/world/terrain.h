// How high the ground is, for things that begin on it. MVSim puts them there when it loads a world.
#pragma once

#include <span>
#include <vector>

#include "mvsim/values.h"

namespace protobeam::mvsim {

class Terrain {
 public:
  struct Plane {
    Vec2 low, high;
    double z = 0;
  };
  /// Rows along x, columns along y; each cell is two triangles that meet on the diagonal from its
  /// corner of lowest x and y.
  struct Map {
    Matrix heights;
    Vec2 corner;
    double resolution = 1;
  };

  void add(const Plane& plane) { planes_.push_back(plane); }
  void add(Map map) { maps_.push_back(std::move(map)); }
  /// A map whose heights are not known here.
  void add_unknown_map() { unknown_map_ = true; }
  bool has_maps() const { return unknown_map_ || !maps_.empty(); }

  /// The highest ground that is not above `limit`, or else the lowest one; 0 where there is none.
  double height(const Vec2& p, double limit) const;
  /// `X` put on the ground where its feet (in its own frame) stand, its yaw kept.
  Pose standing(const Pose& X, std::span<const Vec2> feet, double reach) const;

 private:
  std::vector<Plane> planes_;
  std::vector<Map> maps_;
  bool unknown_map_ = false;
};

}  // namespace protobeam::mvsim
