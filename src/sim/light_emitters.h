// Devices that colour Shapes and lights (DeviceType::emits).
#pragma once

#include "sim/model.h"

namespace protobeam {

/// Gives what they colour the colours that they have now; WorldModel::emissions counts changes.
void apply_emissions(WorldModel& model);

/// Finds what each of them colours, after shapes or lights have come or gone.
void collect_emitters(WorldModel& model);

/// What a Shape of this material sends out in that colour (0 to 1, as a world has it); linear.
Eigen::Vector3f emitted_light(const Material& material, const Eigen::Vector3f& color);

}  // namespace protobeam
