// Which value of a point has which colour: ranges that do not flicker from sweep to sweep.
#pragma once

#include "sim/watch/world_frame.h"
#include "viewer/layers/layers.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

/// The largest of 1, 2 or 5 times a power of ten of which at least four fit into `span` (> 0).
double nice_step(double span);

/// The ends of the colour map for one meaning of the colours. They lie on nice numbers and only
/// ever grow apart, until reset().
class ColourScale {
 public:
  explicit ColourScale(CloudColour colour = CloudColour::kHeight);
  void reset(CloudColour colour);
  /// Widens it for what the sweep holds; `layers` is how many the lidar has.
  void include(const Sweep& sweep, int layers);

  CloudColour colour() const { return colour_; }
  bool empty() const { return !(low_seen_ <= high_seen_); }  ///< nothing was included
  /// Title, unit and ends; a scale that is empty() has only its title and unit.
  Legend legend() const { return legend_; }

 private:
  void widen(double low, double high);

  CloudColour colour_;
  double low_seen_ = 0, high_seen_ = 0;
  Legend legend_;
};

/// A point's place in the colour map, from what a vertex of a cloud holds:
/// t = position . p_S + marks . (range, ring, intensity, return number) + offset.
struct ColourWeights {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Vector4d marks = Eigen::Vector4d::Zero();
  double offset = 0;
};
ColourWeights colour_weights(const ColourScale& scale, const Pose& X_WS);

}  // namespace protobeam::viewer
