// Whether one device is in sight of another.
#pragma once

#include "sim/model.h"

namespace protobeam {

/// Whether a boundingObject stands between the two, other than those of their own robots.
bool sight_blocked(const WorldModel& model, const Device& from, const Device& to);

}  // namespace protobeam
