// Edges of the boundingObjects.
#pragma once

#include <map>
#include <memory>
#include <osg/MatrixTransform>
#include <vector>

#include "geometry/geometry.h"
#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"
#include "viewer/layers/shaders.h"

namespace protobeam::viewer {

class Wireframe {
 public:
  Wireframe(std::shared_ptr<const SceneDescription> description, const Shaders& shaders);
  osg::Node* root() { return root_; }
  void update(const SceneState& state);

 private:
  void build();

  std::shared_ptr<const SceneDescription> description_;
  osg::ref_ptr<osg::Group> content_ = new osg::Group;
  osg::ref_ptr<osg::Group> root_;
  std::map<physics::BodyId, osg::ref_ptr<osg::MatrixTransform>> bodies_;
  bool built_ = false;
};

/// Ends of segments, two each, in the shape's frame. Boxes: their twelve edges. Round shapes:
/// circles, and four lines along the side. A Plane, which has no end for physics: a grid of its
/// size, at least 10 x 10 m. Meshes: edges of one triangle only, and those where two meet at an
/// angle.
std::vector<Vec3> edges_of(const Geometry& geometry);

}  // namespace protobeam::viewer
