// What there is to say of a Solid that somebody has selected, and how it is found again.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::scene {

/// Names of a Solid and of those around it, innermost first.
using SolidPath = std::vector<std::string>;
SolidPath path_of(const SceneDescription& description, int solid);
/// Whether it is `outer` or a part of it; -1 is inside of nothing.
bool is_inside(const SceneDescription& description, int solid, int outer);
/// The Solid with this path, or else one of the same name; -1: there is none.
int find_solid(const SceneDescription& description, const SolidPath& path);
/// The first Solid of this name, robots' own first; -1: there is none.
int find_solid(const SceneDescription& description, const std::string& name);

/// Roll, pitch and yaw, rad: R = Rz(yaw) Ry(pitch) Rx(roll).
Vec3 roll_pitch_yaw(const Quat& R);

/// Names of facts, and what they are.
using Facts = std::vector<std::pair<std::string, std::string>>;
Facts facts_of(const SceneDescription& description, const SceneState& state, int solid);

}  // namespace protobeam::scene
