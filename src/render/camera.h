// A pinhole camera in the world.
#pragma once

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam::render {

/// Looks along +x of its frame C, +y is left and +z up in the picture, as a Webots Viewpoint does.
struct Camera {
  Pose X_WC;
  double vertical_fov = 0.7;  ///< rad
  /// Clip planes of renderers that need them, m; far 0: as far as there is something.
  double near = 0.05, far = 0;
};

/// The pose of a camera at `from` that looks at `target`, upright; straight down has +x of the
/// world up.
Pose look_at(const Vec3& from, const Vec3& target);

/// A camera that sees all of `box`, from `azimuth` about +z (0: from +x) and `elevation` above
/// the horizon.
Camera frame_bounds(const Bounds& box, double aspect, double azimuth = -2.2,
                    double elevation = 0.45);

}  // namespace protobeam::render
