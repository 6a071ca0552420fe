// Where the robots have been.
#pragma once

#include <memory>
#include <vector>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/layers/shaders.h"
#include "viewer/layers/strokes.h"

namespace protobeam::viewer {

/// The way of one point. It has at most kMost points: when it is full, every second one goes, and
/// from then on they are taken twice as far apart.
class Trail {
 public:
  static constexpr std::size_t kMost = 4096;
  static constexpr double kLeastSpacing = 0.02;  ///< m

  /// True if that made it longer. Places that are not finite are ignored.
  bool record(const Vec3& p);
  const std::vector<Vec3>& points() const { return points_; }

 private:
  std::vector<Vec3> points_;
  double spacing_ = kLeastSpacing;
};

class Trails {
 public:
  Trails(std::shared_ptr<const WorldLook> look, const Shaders& shaders);
  osg::Node* root() { return root_; }
  void record(const WorldFrame& frame);  ///< whether they are shown or not
  void update();                         ///< draws what was recorded

 private:
  struct Robot {
    int solid = -1;
    Trail trail;
    bool changed = false;
    StrokesNode node;
  };

  osg::ref_ptr<osg::Group> root_;
  std::vector<Robot> robots_;
};

}  // namespace protobeam::viewer
