// The pictures of a Background as pages have them: a cube of three.js.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "sim/scene/scene_description.h"

namespace protobeam::web {

struct SkyPictures {
  /// JPEGs, for THREE.CubeTexture in the frame of the file, in which y is up: what is seen from the
  /// middle along -x, x, y, -y, z, -z.
  std::array<std::string, 6> sides;
  std::string color;  ///< their mean as light, as CSS has it
};

/// Behind a scene, as CSS has it; `pictures` may be null.
std::string sky_color(const SceneDescription& description, const SkyPictures* pictures);

/// Null where the Background has no picture.
std::shared_ptr<const SkyPictures> sky_pictures(const SceneDescription& description);

}  // namespace protobeam::web
