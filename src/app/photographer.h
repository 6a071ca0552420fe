// Pictures of a running simulation: drawn by the viewer through EGL, or ray-cast where there is no
// OpenGL at all.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "geometry/material.h"
#include "sim/simulation.h"
#include "viewer/settings.h"

namespace protobeam {

struct PhotographerSettings {
  viewer::DrawSettings draw;
  int width = 1280, height = 720;
  bool film = false;   ///< many pictures: less time for each
  bool opengl = true;  ///< false: ray-cast anyway
  /// Where the Solid that the Viewpoint follows was when the world began; none: where it is now.
  std::optional<Vec3> followed_at;
};

class Photographer {
 public:
  Photographer(Simulation& simulation, const PhotographerSettings& settings);
  ~Photographer();

  /// Throws std::runtime_error when there is no such camera (see choose_camera).
  void check_camera(const std::string& camera) const;
  /// Call after each step: sweeps must be caught when they are whole.
  void note();
  Image take(const std::string& camera);
  /// "drawn by llvmpipe ...", "ray-cast".
  std::string how() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  Simulation& simulation_;
};

}  // namespace protobeam
