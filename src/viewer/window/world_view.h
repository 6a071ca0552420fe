// The world that the window shows: its scene and its layers, and what a ray meets there.
#pragma once

#include <memory>
#include <optional>
#include <osg/Group>

#include "viewer/layers/layers.h"
#include "viewer/scene/world_scene.h"
#include "viewer/window/camera_control.h"

namespace protobeam::viewer {

class WorldView {
 public:
  explicit WorldView(const DrawSettings& settings);

  osg::Group* root() { return root_.get(); }
  /// A state of the world of `description`. Returns false when there is nothing new; a new
  /// description replaces what was drawn.
  bool update(const std::shared_ptr<const SceneDescription>& description,
              const std::shared_ptr<const SceneState>& state);
  void draw(const DrawSettings& settings);
  void highlight(int solid);

  struct Hit {
    Vec3 point;
    int solid = -1;  ///< -1: it belongs to none
  };
  std::optional<Hit> hit(const Ray& ray) const;

  /// Null before the first update.
  const SceneDescription* description() const { return description_.get(); }
  const SceneState* state() const { return state_.get(); }
  Legend legend() const { return layers_ ? layers_->legend() : Legend{}; }
  std::size_t points() const { return layers_ ? layers_->points() : 0; }

 private:
  DrawSettings settings_;
  osg::ref_ptr<osg::Group> root_ = new osg::Group;
  std::shared_ptr<const SceneDescription> description_;
  std::shared_ptr<const SceneState> state_;
  std::unique_ptr<WorldScene> scene_;
  std::unique_ptr<Layers> layers_;
};

}  // namespace protobeam::viewer
