// The colours of points: the colour map, and which value has which colour. The ends of the scale do
// not flicker from sweep to sweep.
#pragma once

#include <string>

#include "render/color.h"
#include "sim/scene/scene_state.h"
#include "viewer/layers/layers.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

/// The colour of a value at `t` in 0..1 of its scale, sRGB 0..1: Turbo from blue (0) over green to
/// red (1) without its dark ends, which vanish on dark backgrounds.
render::Color point_color(double t);

/// GLSL text of `vec3 point_color(float t)`, made of the same numbers as the C++ function.
std::string point_color_glsl();

/// The largest of 1, 2 or 5 times a power of ten of which at least four fit into `span` (> 0).
double round_step(double span);

/// The ends of the colour map for one meaning of the colours. They are round numbers and only
/// ever grow apart, until reset().
class ColorScale {
 public:
  /// `up`: of the world, along which heights are.
  explicit ColorScale(CloudColor color = CloudColor::kHeight, const Vec3& up = Vec3::UnitZ());
  void reset(CloudColor color);
  /// Widens it for what the sweep holds; `layers` is how many the lidar has.
  void include(const Sweep& sweep, int layers);

  CloudColor color() const { return color_; }
  const Vec3& up() const { return up_; }
  bool empty() const { return !(low_seen_ <= high_seen_); }  ///< nothing was included
  /// Title, unit and ends; a scale that is empty() has only its title and unit.
  Legend legend() const { return legend_; }

 private:
  void widen(double low, double high);

  CloudColor color_;
  Vec3 up_;
  double low_seen_ = 0, high_seen_ = 0;
  Legend legend_;
};

/// A point's place in the colour map, from what a vertex of a cloud holds:
/// t = position . p_S + marks . (range, ring, intensity, return number) + offset.
struct ColorWeights {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector4d marks = Eigen::Vector4d::Zero();
  double offset = 0;
};
ColorWeights color_weights(const ColorScale& scale, const Pose& X_WS);

}  // namespace protobeam::viewer
