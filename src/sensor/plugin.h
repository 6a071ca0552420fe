// How a sensor plugin introduces itself.
#pragma once

#include <memory>

#include "base/fields.h"
#include "base/plugin.h"
#include "sensor/sensor.h"

namespace protobeam {

struct SensorPlugin : Plugin {
  static constexpr const char* kKind = "sensor";
  /// Throws std::invalid_argument with a message for the user when fields contradict each other.
  std::unique_ptr<Sensor> (*make)(const Fields& fields) = nullptr;
};

}  // namespace protobeam

/// At the end of the plugin's source file, outside namespaces: NODE_SCHEMA is a NodeSchema
/// expression, CLASS a Sensor with a constructor from const Fields&.
#define PROTOBEAM_SENSOR_PLUGIN(NODE_SCHEMA, CLASS)                                   \
  PROTOBEAM_EXPORT_PLUGIN(                                                            \
      ::protobeam::SensorPlugin, NODE_SCHEMA,                                         \
      [](const ::protobeam::Fields& fields) -> std::unique_ptr<::protobeam::Sensor> { \
        return std::make_unique<CLASS>(fields);                                       \
      })
