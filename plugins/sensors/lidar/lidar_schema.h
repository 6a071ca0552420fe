// The fields of node Lidar.
#pragma once

#include "base/field_table.h"

namespace protobeam {

NodeSchema lidar_schema();

}  // namespace protobeam
