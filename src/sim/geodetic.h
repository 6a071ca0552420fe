// From places in the world to what a GPS reports of them.
#pragma once

#include <functional>

#include "base/math.h"

namespace protobeam {

struct WorldModel;

/// See SampleInput::to_geodetic.
std::function<Vec3(const Vec3& p_W)> geodetic_in(const WorldModel& model);

}  // namespace protobeam
