// Edges of the boundingObjects.
#pragma once

#include <map>
#include <memory>
#include <osg/MatrixTransform>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/layers/shaders.h"

namespace protobeam::viewer {

class Wireframe {
 public:
  Wireframe(std::shared_ptr<const WorldLook> look, const Shaders& shaders);
  osg::Node* root() { return root_; }
  void update(const WorldFrame& frame);

 private:
  void build();

  std::shared_ptr<const WorldLook> look_;
  osg::ref_ptr<osg::Group> content_ = new osg::Group;
  osg::ref_ptr<osg::Group> root_;
  std::map<physics::BodyId, osg::ref_ptr<osg::MatrixTransform>> bodies_;
  bool built_ = false;
};

}  // namespace protobeam::viewer
