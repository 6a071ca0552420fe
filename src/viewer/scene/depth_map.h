// A shadow map of a parallel light: the depth of what it reaches first.
#pragma once

#include <map>
#include <osg/Camera>
#include <osg/Texture2D>
#include <osgUtil/CullVisitor>

#include "base/math.h"
#include "geometry/geometry.h"

namespace protobeam::viewer {

/// A frame whose z axis is `up`: R_LW. That of z is the world's; that of y has the world's z as x.
Mat3 frame_with_z(const Vec3& up);

/// Static objects are drawn once; a frame in which others moved copies that and adds them.
class DepthMap {
 public:
  /// Draws those of `objects` that cast shadows, seen along `-to_light`.
  DepthMap(int size, const Vec3& to_light, osg::Node* objects, osg::Program* depth_program);

  osg::Texture2D* texture() { return all_.texture; }

  /// Chooses what is covered: all of `casters`, but not more than `half_width` around `focus_W`,
  /// so that shadows near the camera are sharp. The region changes in steps, so that shadows do not
  /// flicker and the map need not be drawn again whenever the camera moves.
  void aim(const Bounds& casters, const Vec3& focus_W, double half_width);
  /// Casters have moved.
  void invalidate() { ++all_.version; }
  /// Draws the map before the rest of the frame, when it is not up to date.
  void draw_if_stale(osgUtil::CullVisitor& visitor);
  void release(osg::State* state);

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
  /// One texture and what draws it.
  struct Layer {
    osg::ref_ptr<osg::Camera> camera = new osg::Camera;
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D;
    unsigned version = 1;
    std::map<unsigned, unsigned> drawn;  ///< version, by context
  };
  void prepare(Layer& layer, osg::Node* objects, osg::Program* depth_program, unsigned mask) const;
  static void draw_if_stale(Layer& layer, osgUtil::CullVisitor& visitor);
  static Interval covered(const Interval& old, const Interval& box, double focus, double half);

  int size_;
  Mat3 R_LW_;  ///< L: z towards the light
  Layer static_, all_;
  osg::ref_ptr<osg::Drawable> copy_;  ///< of `static_`, what `all_` begins with
  Interval range_[3];
  osg::Matrixd map_from_world_;
  double texel_ = 1;
};

}  // namespace protobeam::viewer
