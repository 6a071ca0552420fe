// The node types that all vehicles share; those of plugins extend them.
#pragma once

#include <vector>

#include "base/field_table.h"

namespace protobeam {

/// VehicleDrive, Tyre, DriveController and VehicleWheel.
std::vector<NodeSchema> vehicle_schemas();

}  // namespace protobeam
