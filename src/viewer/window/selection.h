// The place in the picture of the Solid that was clicked.
#pragma once

#include <array>
#include <optional>
#include <osg/Matrixd>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::viewer {

/// x0, y0, x1, y1 in pixels, (0, 0) is the upper left corner.
using PixelBox = std::array<int, 4>;
/// The box of what is seen of a Solid's shapes and of those inside it, cut at the edges of the
/// picture; nothing when it is outside of it.
std::optional<PixelBox> pixels_of(const SceneDescription& description, const SceneState& state,
                                  int solid, const osg::Matrixd& clip_from_world, int width,
                                  int height);

}  // namespace protobeam::viewer
