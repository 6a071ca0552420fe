// How much sun and sky reaches places in the scene.
#pragma once

#include <vector>

#include "geometry/geometry.h"
#include "raycast/ray_scene.h"
#include "sim/picture/shading.h"

namespace protobeam {

/// A place on a surface that wants to know its light.
struct Receiver {
  Vec3 p_W;
  Eigen::Vector3f normal;  ///< towards the eye
  int subset = 0;          ///< which parts of the sky it looks at (SkyLight::subset)
};

/// A ray scene casts many rays from one point, never from many points. So light is cast backwards:
/// from a far place in the sky to all receivers; what is hit before a receiver shades it.
class SkyLight {
 public:
  /// `side`: a pixel has side * side samples.
  SkyLight(RayScene& scene, const Bounds& box, const Vec3& to_sun, int side);
  /// The samples of a pixel and of its neighbours share the parts of the sky among them, so that a
  /// few rays a sample make smooth light.
  int subset(int column, int row) const;
  std::vector<Light> on(const std::vector<Receiver>& receivers) const;

 private:
  /// 1 for receivers in `which` that see the sky there, 0 for the others.
  std::vector<float> visible(const Vec3& direction, const std::vector<Receiver>& receivers,
                             const std::vector<std::size_t>& which) const;

  RayScene& scene_;
  Vec3 centre_ = Vec3::Zero();
  double distance_;
  Vec3 to_sun_;
  int side_;
  std::vector<std::vector<Vec3>> sky_;  ///< directions of each subset
};

}  // namespace protobeam
