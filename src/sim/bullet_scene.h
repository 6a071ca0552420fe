// The reference ray engine behind the interface of the production one.
#pragma once

#include <memory>

#include "raycast/ray_scene.h"

namespace protobeam {

/// Bullet's ray test, one ray at a time, one thread (`--ray-engine bullet`). Exact enough to be
/// compared with, far too slow to be used.
std::unique_ptr<RayScene> make_bullet_scene();

}  // namespace protobeam
