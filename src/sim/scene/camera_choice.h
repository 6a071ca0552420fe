// The camera of a picture, as users name it.
#pragma once

#include <string>

#include "render/camera.h"
#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam {

/// `text` is "viewpoint" (the world's, or one that sees everything), "top", "follow:ROBOT",
/// "device:ROBOT/DEVICE" or six numbers "x y z tx ty tz". `aspect` is width / height. Throws
/// std::runtime_error that says what is wrong, with the names that there are.
render::Camera choose_camera(const std::string& text, const SceneDescription& description,
                             const SceneState& state, double aspect);

}  // namespace protobeam
