// The node MotorDrive: its fields, channels, commands and properties.
#pragma once

#include "base/device_type.h"

namespace protobeam {

DeviceType motor_drive_declaration();

}  // namespace protobeam
