// The Solid that was clicked: found again after a reload, its facts, its place in the picture.
#pragma once

#include <array>
#include <optional>
#include <osg/Matrixd>
#include <string>
#include <utility>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::viewer {

/// Names of a Solid and of those around it, innermost first.
using SolidPath = std::vector<std::string>;
SolidPath path_of(const SceneDescription& description, int solid);
/// The Solid with this path, or else one of the same name; -1: there is none.
int find_solid(const SceneDescription& description, const SolidPath& path);
/// The first Solid of this name, robots' own first; -1: there is none.
int find_solid(const SceneDescription& description, const std::string& name);

/// Roll, pitch and yaw, rad: R = Rz(yaw) Ry(pitch) Rx(roll).
Vec3 roll_pitch_yaw(const Quat& R);

using PanelRows = std::vector<std::pair<std::string, std::string>>;
PanelRows panel_rows(const SceneDescription& description, const SceneState& state, int solid);

/// x0, y0, x1, y1 in pixels, (0, 0) is the upper left corner.
using PixelBox = std::array<int, 4>;
/// The box of what is seen of a Solid's shapes and of those inside it, cut at the edges of the
/// picture; nothing when it is outside of it.
std::optional<PixelBox> pixels_of(const SceneDescription& description, const SceneState& state,
                                  int solid, const osg::Matrixd& clip_from_world, int width,
                                  int height);

}  // namespace protobeam::viewer
