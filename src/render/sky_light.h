// How much of the sun and of the sky is visible from points of the scene.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/geometry.h"
#include "raycast/ray_scene.h"
#include "render/shading.h"

namespace protobeam::render {

/// A point on a surface whose light is wanted.
struct ShadingPoint {
  Vec3 p_W;
  Eigen::Vector3f normal;     ///< towards the camera
  int column = 0, row = 0;    ///< its sample in the picture
  std::uint64_t surface = 0;  ///< points of one surface are neighbours in light
};

/// A ray scene casts many rays from one point, never from many points. So light is cast backwards:
/// from a far place in the sky to all points; what is hit before a point shades it.
class SkyLight {
 public:
  /// The points of a block of 2 * side x 2 * side places share the directions of the sky among them.
  SkyLight(RayScene& scene, const Bounds& box, const Vec3& to_sun, int side);
  /// Share of the sun that gets to each point.
  std::vector<float> sun_on(const std::vector<ShadingPoint>& points) const;
  /// Share of the sky that each of the points in `which` sees; 1 for the others. The points are in the
  /// order of rows.
  std::vector<float> sky_on(const std::vector<ShadingPoint>& points,
                            const std::vector<std::size_t>& which) const;

 private:
  /// So that a few rays a point make smooth light.
  std::size_t subset(const ShadingPoint& point) const;
  /// Points far from everything are unshaded.
  bool is_near(const ShadingPoint& point) const;
  /// 1 for points in `which` that see the sky there, 0 for the others.
  std::vector<float> visible(const Vec3& direction, const std::vector<ShadingPoint>& points,
                             const std::vector<std::size_t>& which) const;

  RayScene& scene_;
  Vec3 centre_ = Vec3::Zero();
  double distance_;
  Vec3 to_sun_;
  int side_;
  std::vector<std::vector<Vec3>> sky_;  ///< directions of each subset
};

}  // namespace protobeam::render
