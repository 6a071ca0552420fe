// What sensors and physics know, drawn over the world: clouds, beams, frusta, frames,
// boundingObjects, joint axes, contacts, trails.
#pragma once

#include <memory>
#include <osg/Group>
#include <string>
#include <vector>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

/// What the colours of the points mean: a bar from `low` to `high`, or steps when they are counts.
struct Legend {
  std::string title;  ///< "range", "height", ...
  std::string unit;   ///< "m"; "" for none
  double low = 0, high = 1;
  bool steps = false;  ///< rings and returns: whole numbers
};

class Layers {
 public:
  Layers(std::shared_ptr<const WorldLook> look, const DrawSettings& settings);
  ~Layers();

  /// Not to be picked: see pick_mask.h.
  osg::Group* root();
  /// What is switched on shows the newest frame at once.
  void set(const DrawSettings& settings);
  /// Frames of another load are ignored. Trails grow even while they are not drawn.
  void update(const WorldFrame& frame);
  /// Of the points; their ends only ever grow apart until the meaning of the colours changes. Empty
  /// title: no cloud is drawn.
  Legend legend() const;
  std::size_t points() const;  ///< drawn now

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// The colour of `t` in 0..1, RGB 0..1 as it stands in the picture (sRGB): from blue (0) over green
/// to red (1), readable on light and dark grounds.
Eigen::Vector3f map_colour(double t);

}  // namespace protobeam::viewer
