// Pictures without a window: OSG on an EGL context of its own, which needs neither X nor a GPU.
#pragma once

#include <memory>
#include <osg/Node>
#include <string>

#include "geometry/material.h"
#include "sim/scene/camera_choice.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

class Offscreen {
 public:
  /// `samples` * `samples` rendered pixels make one of the picture. `coverage` smooths the edges of things
  /// alone, for little time: places in each pixel at which they are tested, 1 to 8. Throws NoGraphics when
  /// there is no EGL, or the size is beyond what it can do.
  Offscreen(int width, int height, int samples, int coverage = 1);
  ~Offscreen();

  /// `world` is drawn from `camera`, then `over` (may be null: a HUD with a camera of its own, in
  /// pixels of the picture). The same input gives the same bytes.
  Image draw(osg::Node* world, osg::Node* over, const render::Camera& camera);
  /// "llvmpipe (LLVM 15.0.6, 256 bits)"
  std::string renderer() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::viewer
