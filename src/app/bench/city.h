// A town of about 100 000 triangles for measurements, made by rule: streets, houses, trees, cars.
#pragma once

#include <vector>

#include "raycast/ray_scene.h"

namespace protobeam::bench {

struct City {
  std::vector<RayScene::Instance> cars;  ///< these may be moved

  /// Where a sensor on a roof of a car in the middle of a crossing is.
  static Pose viewpoint() { return Pose::translation({0.4, -0.7, 1.8}); }
};

/// Adds the town to a scene; the same one each time.
City add_city(RayScene& scene);

}  // namespace protobeam::bench
