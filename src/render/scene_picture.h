// The scene and its points as a ray-cast picture, without a display. The same input gives the same
// bytes, whatever the number of threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"
#include "geometry/material.h"
#include "geometry/paint_layer.h"
#include "raycast/ray_scene.h"
#include "render/camera.h"
#include "render/color.h"

namespace protobeam::render {

/// What the picture needs to know about a shape beyond what rays hit.
struct ShapeAppearance {
  Material material;
  std::shared_ptr<const Geometry> geometry;  ///< for textures and smooth normals; may be null
  Pose X_WS;
  std::shared_ptr<const PaintLayer> paint;  ///< what pens drew on it; null: nothing
};

/// What the renderer needs to know about a ray scene and the light in it.
struct SceneAppearance {
  /// By the scene's instance number, then by shape number. Instances beyond the table are grey.
  std::vector<std::vector<ShapeAppearance>> instances;
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

/// sRGB of a point whose value is `fraction`.
Color point_color(double fraction);

struct PictureSize {
  int width = 1280, height = 720;
  int samples = 3;            ///< rays a pixel: samples * samples
  double point_radius = 1.7;  ///< pixels
};

/// The scene in sun and sky light with shadows; points are discs, hidden by what is before them.
Image draw_scene(RayScene& scene, const SceneAppearance& appearance, const Camera& camera,
                 std::span<const ScenePoint> points = {}, const PictureSize& size = {});

}  // namespace protobeam::render
