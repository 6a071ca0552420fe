// What a parallel light sees of the world, as depths: everything behind them is in its shadow.
#pragma once

#include <map>

#include <osg/Camera>
#include <osg/Texture2D>
#include <osgUtil/CullVisitor>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam::viewer {

class DepthMap {
 public:
  /// Draws those of `things` that cast shadows, seen along `-to_light`.
  DepthMap(int size, const Vec3& to_light, osg::Node* things, osg::Program* depth_program);

  osg::Camera* camera() { return camera_; }
  osg::Texture2D* texture() { return texture_; }

  /// Chooses what is covered: all of `casters`, but not more than `half_width` around `focus_W`,
  /// so that shadows near the eye are sharp. What is covered changes in steps, so that shadows do
  /// not crawl and the map need not be drawn again whenever the eye moves.
  void aim(const Bounds& casters, const Vec3& focus_W, double half_width);
  /// The casters have moved.
  void invalidate() { ++version_; }
  /// Draws the map before the rest of the frame, when it is not up to date.
  void draw_if_stale(osgUtil::CullVisitor& visitor);
  void forget(unsigned context) { drawn_.erase(context); }
  void forget_all() { drawn_.clear(); }

  /// World to texture coordinates and depth, 0..1.
  const osg::Matrixd& map_from_world() const { return map_from_world_; }
  /// Metres: of a texel, and from depth 0 to depth 1.
  double texel() const { return texel_; }
  double depth() const { return range_[2].size(); }
  osg::Vec2 width() const {
    return {static_cast<float>(range_[0].size()), static_cast<float>(range_[1].size())};
  }

 private:
  struct Interval {
    double low = 0, high = 0;
    double size() const { return high - low; }
    bool operator==(const Interval&) const = default;
  };
  static Interval covered(const Interval& old, const Interval& box, double focus, double half);

  int size_;
  Mat3 R_LW_;  ///< L: z towards the light
  osg::ref_ptr<osg::Camera> camera_ = new osg::Camera;
  osg::ref_ptr<osg::Texture2D> texture_ = new osg::Texture2D;
  Interval range_[3];
  osg::Matrixd map_from_world_;
  double texel_ = 1;
  unsigned version_ = 1;
  std::map<unsigned, unsigned> drawn_;  ///< version, by context
};

}  // namespace protobeam::viewer
