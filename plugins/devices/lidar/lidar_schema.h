// The fields of node Lidar.
#pragma once

#include "base/device_type.h"

namespace protobeam {

DeviceType lidar_type();

}  // namespace protobeam
