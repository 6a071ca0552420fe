// Pictures without a display: a sweep's ranges in false colours, and the scene with its points.
// The same input gives the same bytes, whatever the number of threads.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"
#include "geometry/material.h"
#include "raycast/ray_scene.h"

namespace protobeam {

/// A range image: layer 0 on top, near in warm colours, no return dark grey, a colour bar in
/// metres below. Enlarged so that single beams can be seen (at least 8 pixels a layer; 900 to 1800
/// wide); where several columns share a pixel, the nearest return shows. `max_range` ends the
/// colour bar at the latest; it ends earlier when everything is nearer.
Image draw_ranges(int layers, int columns, std::span<const float> ranges, double max_range);

/// Looks along +x of its frame, +z up, as a Webots Viewpoint does.
struct Camera {
  Pose X_WC;
  double vertical_fov = 0.7;  ///< rad
};

/// A camera that sees all of `box`, from `azimuth` about +z (0: from +x) and `elevation` above
/// the horizon.
Camera frame_bounds(const Bounds& box, double aspect, double azimuth = -2.2,
                    double elevation = 0.45);

/// What the picture needs to know about a shape beyond what rays hit.
struct ShapeLook {
  Material material;
  std::shared_ptr<const Geometry> geometry;  ///< for textures and smooth normals; may be null
  Pose X_WS;
};

struct SceneLook {
  /// By the scene's instance number, then by shape number. Instances beyond the table are grey.
  std::vector<std::vector<ShapeLook>> instances;
  Vec3 to_sun{-0.7, -0.25, 0.75};  ///< any length
  /// Where rays that hit nothing meet the ground, which has a grid of 1 m and 10 m; none: sky only.
  std::optional<double> ground_z;
  double haze_distance = 600;  ///< m; 63 % of the light from there is haze
};

/// A lidar return in the world.
struct ScenePoint {
  Vec3 p_W;
  float value = 0;  ///< 0..1, from blue to red (a height or a range, as the caller likes)
};

struct PictureSize {
  int width = 1280, height = 720;
  int samples = 3;            ///< rays a pixel: samples * samples
  double point_radius = 1.7;  ///< pixels
};

/// The scene in sun and sky light with shadows; points are discs, hidden by what is before them.
Image draw_scene(RayScene& scene, const SceneLook& look, const Camera& camera,
                 std::span<const ScenePoint> points = {}, const PictureSize& size = {});

}  // namespace protobeam
