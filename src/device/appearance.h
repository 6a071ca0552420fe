// What the world looks like in visible light, for devices that take pictures. Colours are linear.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/math.h"
#include "geometry/geometry.h"
#include "geometry/material.h"

namespace protobeam {

/// One shape of the ray scene: by its instance's number, then its own, as RayBlock has them.
struct ShapeLook {
  std::shared_ptr<const Material> material;
  std::shared_ptr<const Geometry> geometry;
  Pose X_IS;  ///< in its instance
};

struct InstanceLook {
  std::vector<ShapeLook> shapes;
  Pose X_WI;  ///< at the end of the step
};

struct LightSource {
  enum class Kind { kDirectional, kPoint, kSpot };
  Kind kind = Kind::kDirectional;
  Eigen::Vector3f color{1, 1, 1};
  float intensity = 1;
  float ambient = 0;  ///< ambientIntensity: lights all within its radius from everywhere
  bool casts_shadows = false;
  Vec3 p_W = Vec3::Zero();
  Vec3 direction_W{0, 0, -1};   ///< where it shines, unit length
  Vec3 attenuation{1, 0, 0};    ///< 1 / (x + y d + z d^2)
  double radius = 100;          ///< m; no light beyond (points and spots)
  double beam_width = 1.570796, cut_off_angle = 0.785398;  ///< rad; full inside, none outside
};

struct SkyLook {
  Eigen::Vector3f color{0, 0, 0};
  float luminosity = 1;
  /// Right, left, top, bottom, front, back, as Webots names them; null where none is given.
  std::array<std::shared_ptr<const Image>, 6> sides;
};

struct FogLook {
  enum class Kind { kLinear, kExponential, kExponential2 };
  Kind kind = Kind::kLinear;
  Eigen::Vector3f color{1, 1, 1};
  double visibility_range = 0;  ///< m; 0: none
};

struct Appearance {
  std::vector<InstanceLook> instances;
  std::vector<LightSource> lights;
  SkyLook sky;
  FogLook fog;
};

}  // namespace protobeam
