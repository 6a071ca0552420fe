#include "sensor/sensor.h"

namespace protobeam {

std::string Sensor::command(const DeviceCommand& command) {
  return "this device understands only enable and disable, not command " +
         std::to_string(static_cast<int>(command.op));
}

}  // namespace protobeam
