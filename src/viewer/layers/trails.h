// Where robots have been.
#pragma once

#include <memory>
#include <vector>

#include "sim/scene/glyphs.h"
#include "viewer/layers/shaders.h"
#include "viewer/layers/strokes.h"

namespace protobeam::viewer {

class Trails {
 public:
  Trails(std::shared_ptr<const SceneDescription> description, const Shaders& shaders);
  osg::Node* root() { return root_; }
  void record(const SceneState& state);  ///< whether they are shown or not
  void update();                         ///< draws what was recorded

 private:
  struct Robot {
    int solid = -1;
    scene::Trail trail;
    bool changed = false;
    StrokesNode node;
  };

  osg::ref_ptr<osg::Group> root_;
  std::vector<Robot> robots_;
};

}  // namespace protobeam::viewer
