// A world as a picture, drawn without a window.
#pragma once

#include <memory>
#include <string>

#include "sim/watch/eye.h"
#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"
#include "viewer/settings.h"

namespace protobeam::viewer {

struct PictureSettings {
  DrawSettings draw;
  int width = 1280, height = 720;
};

/// Draws moments of one world. Throws NoGraphics where there is no EGL.
class PictureTaker {
 public:
  PictureTaker(std::shared_ptr<const WorldLook> look, const PictureSettings& settings);
  ~PictureTaker();

  /// A sweep or a trail of an earlier moment stays in later pictures only if it was shown here.
  void show(const WorldFrame& frame);
  /// The moment that was shown last. The same input gives the same bytes.
  Image take(const Eye& eye);
  std::string renderer() const;  ///< "llvmpipe (LLVM 15.0.6, 256 bits)"

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace protobeam::viewer
