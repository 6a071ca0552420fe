// Data of sensors and physics, drawn over the world: clouds, beams, frusta, frames,
// boundingObjects, joint axes, contacts, trails.
#pragma once

#include <memory>
#include <osg/Group>
#include <string>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

/// What the colours of the points mean: a bar from `low` to `high`, or steps when they are counts.
struct Legend {
  std::string title;  ///< "range", "height", ...
  std::string unit;   ///< "m"; "" for none
  double low = 0, high = 1;
  bool steps = false;  ///< rings and returns: whole numbers
};

/// The traversal mask of intersections with the world. Layers::root() lacks this bit, so that a
/// click goes through clouds and lines to the thing behind them; nodes of the world have it, as all
/// nodes of OSG do by default.
inline constexpr osg::Node::NodeMask kPickMask = 0x1;

class Layers {
 public:
  Layers(std::shared_ptr<const SceneDescription> description, const DrawSettings& settings);
  ~Layers();

  /// Not to be picked: see kPickMask.
  osg::Group* root();
  /// What is switched on shows the newest state at once.
  void set(const DrawSettings& settings);
  /// States of another load are ignored. Trails grow even while they are not drawn.
  void update(const SceneState& state);
  /// Of the points; their ends only ever grow apart until the meaning of the colours changes. Empty
  /// title: no cloud is drawn.
  Legend legend() const;
  std::size_t points() const;  ///< drawn now

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::viewer
