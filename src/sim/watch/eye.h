// Where a picture of a world is taken from.
#pragma once

#include <optional>
#include <string>

#include "sim/watch/world_frame.h"
#include "sim/watch/world_look.h"

namespace protobeam {

/// Looks along +x of C, +z is up.
struct Eye {
  Pose X_WC;
  double vertical_fov = 0.7;    ///< rad
  double near = 0.05, far = 0;  ///< m; far 0: as far as there is something
};

/// Eye at `from` that looks at `target`, upright; straight down has +x of the world up.
Pose looking_at(const Vec3& from, const Vec3& target);

/// `text` is "viewpoint" (the world's, or one that sees everything), "top", "follow:ROBOT",
/// "device:ROBOT/DEVICE" or six numbers "x y z tx ty tz". `aspect` is width / height. Throws
/// std::runtime_error that says what is wrong, with the names that there are.
Eye choose_eye(const std::string& text, const WorldLook& look, const WorldFrame& frame,
               double aspect);

}  // namespace protobeam
