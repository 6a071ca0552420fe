// A world as a picture, drawn without a window.
#pragma once

#include <memory>
#include <string>

#include "sim/scene/camera_choice.h"
#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

struct PictureSettings {
  DrawSettings draw;
  int width = 1280, height = 720;
  bool film = false;  ///< one of many: each drawn once, as in the window, with smooth edges
};

/// Draws moments of one world. Throws NoGraphics where there is no EGL.
class PictureTaker {
 public:
  PictureTaker(std::shared_ptr<const SceneDescription> description,
               const PictureSettings& settings);
  ~PictureTaker();

  /// A sweep or a trail of an earlier moment stays in later pictures only if it was shown here.
  void show(const SceneState& state);
  /// The moment that was shown last. The same input gives the same bytes.
  Image take(const render::Camera& camera);
  std::string renderer() const;  ///< "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::viewer
