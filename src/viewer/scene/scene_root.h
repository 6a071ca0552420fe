// The node that makes the pieces of a scene one picture: before its children are drawn, it sees
// from where, draws the depth maps that are not up to date, and tells the shaders.
#pragma once

#include <memory>
#include <osg/Geometry>
#include <osg/Group>
#include <osgUtil/CullVisitor>

#include "viewer/scene/depth_map.h"
#include "viewer/scene/light_set.h"

namespace protobeam::viewer {

class SceneRoot : public osg::Group {
 public:
  /// What it draws. Maps, ground and sky may be null.
  struct Parts {
    osg::ref_ptr<osg::Group> things;
    osg::ref_ptr<osg::Geometry> ground, sky;
    std::shared_ptr<LightSet> lights;
    std::unique_ptr<DepthMap> sun_map, sky_map;
  };
  explicit SceneRoot(Parts parts);

  /// Things moved; `casters` is where those are that throw shadows.
  void moved(const Bounds& casters);

  void traverse(osg::NodeVisitor& visitor) override;
  void releaseGLObjects(osg::State* state) const override;
  /// Of the things; ground and sky have no end.
  osg::BoundingSphere computeBound() const override;

 private:
  void cull(osgUtil::CullVisitor& visitor);
  osg::ref_ptr<osg::StateSet> view_state(const osg::Matrixd& eye_from_world,
                                         const osg::Matrixd& world_from_eye,
                                         const osg::Matrixd& projection) const;

  mutable Parts parts_;
  Bounds casters_;
};

}  // namespace protobeam::viewer
