// Where what a camera sees begins: at its near plane, and outside of the shapes that it sits in.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "device/sample_input.h"
#include "raycast/quadric.h"
#include "raycast/ray_scene.h"
#include "render/projection.h"

namespace protobeam::render {

/// The shapes around a device that are fixed to it, as the housing of a camera. Webots draws only
/// the front of surfaces (its renderer WREN culls back faces), so that a camera in a housing looks
/// out of it, and a lidar, which reads such a picture; a ray would end on the inside.
class Housing {
 public:
  Housing() = default;
  /// Of the shapes (SampleInput::fixed_shapes; null: none), those with the origin of S inside; open
  /// or not, a Mesh when most of three rays leave it more often than they enter. One that turns
  /// counts as the cylinder about its axis that it fills on the way. A Box, Sphere, Cylinder or
  /// Capsule counts, too, when S stands on its surface: rounding takes rays along it inside.
  explicit Housing(const std::vector<FixedShape>* shapes) : Housing(shapes, Pose{}) {}
  /// The same of an imager C that has a place of its own in S, with its origin and axes for those
  /// of S; where there is one, no shape turns.
  Housing(const std::vector<FixedShape>* shapes, const Pose& X_SC);
  bool empty() const { return shapes_.empty(); }

  /// Raises `near` (m, by ray) to where rays have left all of the shapes, unless they meet another
  /// shape of the robot before; of the batch, directions and origins count. These lie where the
  /// origin of S does: inside, or in front of an opening.
  void leave(const RayBatch& rays, std::span<float> near) const;

 private:
  /// One of the shapes that rays leave: a curved one, or the scene where it is alone, in S.
  struct Shape {
    Quadric quadric;
    Pose X_GS;
    std::shared_ptr<RayScene> scene;  ///< null: the quadric
  };
  /// How far the rays of the batch go until they meet the shape; 0: they do not.
  static std::vector<float> ways_out(const Shape& shape, const RayBatch& rays);

  std::vector<Shape> shapes_;
  std::shared_ptr<RayScene> others_;               ///< that do not turn, in S; null: none
};

/// How near things may be to be seen, for each ray of an image.
class NearLimits {
 public:
  /// `near` is measured along the axis when the image is planar, otherwise along the ray, m.
  NearLimits(const PixelRays& rays, const ImageGeometry& image, double near,
             const Housing& housing = {});

  /// For rays from `first` on, which may be all of them.
  void give(RayBatch& batch, std::size_t first = 0) const;

 private:
  std::vector<float> near_;
  float least_ = 0;
};

}  // namespace protobeam::render
