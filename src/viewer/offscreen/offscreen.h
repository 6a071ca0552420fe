// Pictures without a window: OSG on an EGL context of its own, which needs neither X nor a GPU.
#pragma once

#include <memory>
#include <osg/Node>
#include <string>

#include "geometry/material.h"
#include "sim/scene/camera_choice.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

enum class Edges { kRaw, kSmooth };

class Offscreen {
 public:
  /// `samples` * `samples` rendered pixels make one of the picture. Smooth edges cost little
  /// (render/smooth_edges.h); what is drawn `over` the world keeps its own. Throws NoGraphics when
  /// there is no EGL, or the size is beyond what it can do.
  Offscreen(int width, int height, int samples, Edges edges = Edges::kRaw);
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
