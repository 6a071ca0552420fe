// A world's shapes, light, sky and ground as an OSG subtree.
#pragma once

#include <memory>
#include <osg/Group>
#include <osg/ref_ptr>
#include <string>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::viewer {

enum class Quality {
  kWindow,   ///< fast enough for software rendering
  kPicture,  ///< softer shadows
};

class WorldScene {
 public:
  WorldScene(std::shared_ptr<const SceneDescription> description, Quality quality);
  ~WorldScene();

  osg::Group* root();
  void update(const SceneState& state);
  /// Tints the shapes of one Solid and of those inside it; -1: of none.
  void highlight(int solid);
  /// The Solid that a drawn node belongs to, from the node path of an intersection; -1: none.
  int solid_of(const std::vector<osg::Node*>& path) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::viewer
