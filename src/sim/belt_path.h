// The way of a belt around its wheels, for what is seen moving along it.
#pragma once

#include <vector>

#include "base/math.h"

namespace protobeam {

/// In the x-z plane of the belt's frame T.
struct BeltWheel {
  Vec2 centre = Vec2::Zero();  ///< x and z, m
  double radius = 0;           ///< m
  bool inner = true;           ///< inside the belt, which goes clockwise around it (x right, z up)
};

class BeltPath {
 public:
  /// Around the wheels in their order, back to the first one. Throws std::invalid_argument for no
  /// wheels, and for neighbours that leave no straight way between them.
  explicit BeltPath(const std::vector<BeltWheel>& wheels);

  double length() const { return length_; }
  /// At `s` m along the belt from where it leaves the first wheel, any number of rounds: x along
  /// the belt, y as T's.
  Pose pose_T(double s) const;

 private:
  /// Straight, then around the wheel at its end.
  struct Part {
    Vec2 from, direction;
    double straight;  ///< m
    BeltWheel wheel;  ///< at the end
    double turn;      ///< rad around it, negative: clockwise
    double begin;     ///< m along the belt
  };
  void around(const BeltWheel& wheel);

  std::vector<Part> parts_;
  double length_ = 0;
};

}  // namespace protobeam
