// Edges of the boundingObjects.
#pragma once

#include <map>
#include <memory>
#include <osg/MatrixTransform>

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

}  // namespace protobeam::viewer
