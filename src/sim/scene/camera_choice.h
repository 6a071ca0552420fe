// The camera of a picture, as users name it.
#pragma once

#include <optional>
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

/// Where the Solid is that the world's Viewpoint follows; none when it follows nothing. A picture
/// from "viewpoint" moves by as much as that Solid has since the start.
std::optional<Vec3> followed_position(const SceneDescription& description,
                                      const SceneState& state);

}  // namespace protobeam
