// Bullet's own ray test on visible shapes: the reference that the production engine is compared
// with (`--ray-engine bullet`). Slow, one thread.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam::physics {

class BulletRays {
 public:
  struct Shape {
    std::shared_ptr<const Geometry> geometry;
    Pose X_BS;
  };
  struct Hit {
    double distance;
    Vec3 normal_W;
    int instance, shape;
  };
  BulletRays();
  ~BulletRays();

  /// Boxes are 12 triangles, curved shapes Bullet's own convex ones, planes finite rectangles.
  int add(const std::vector<Shape>& shapes, const Pose& X_WB);
  void set_pose(int instance, const Pose& X_WB);
  void set_visible(int instance, bool visible);
  /// Nearest surface with near <= distance <= far, from inside or outside.
  std::optional<Hit> cast(const Vec3& origin_W, const Vec3& unit_direction_W, double near,
                          double far);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::physics
