// The root node of a scene: before its children are drawn, it takes the camera of the view, updates
// the depth maps that are not up to date, and sets the uniforms of the shaders.
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
  /// Its content. Maps, ground and sky may be null.
  struct Content {
    osg::ref_ptr<osg::Group> objects;
    osg::ref_ptr<osg::Geometry> ground, sky;
    std::shared_ptr<LightSet> lights;
    std::unique_ptr<DepthMap> sun_map, sky_map;
  };
  explicit SceneRoot(Content content);

  /// Objects have moved; `casters` bounds those that cast shadows.
  void moved(const Bounds& casters);

  void traverse(osg::NodeVisitor& visitor) override;
  void releaseGLObjects(osg::State* state) const override;
  /// Of the objects; ground and sky have no end.
  osg::BoundingSphere computeBound() const override;

 private:
  void cull(osgUtil::CullVisitor& visitor);
  osg::ref_ptr<osg::StateSet> view_state(const osg::Matrixd& eye_from_world,
                                         const osg::Matrixd& world_from_eye,
                                         const osg::Matrixd& projection) const;

  mutable Content content_;
  Bounds casters_;
};

}  // namespace protobeam::viewer
