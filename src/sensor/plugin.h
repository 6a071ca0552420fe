// How a plugin introduces itself. A plugin is a shared object NODE.so in the plugin path that
// exports one function; PROTOBEAM_SENSOR_PLUGIN writes it.
#pragma once

#include <memory>

#include "base/field_table.h"
#include "base/fields.h"
#include "sensor/sensor.h"

namespace protobeam {

/// Raised by one when anything changes in the headers that plugins include.
inline constexpr int kPluginAbi = 2;

struct SensorPlugin {
  int abi = kPluginAbi;
  const char* kind = "sensor";
  NodeSchema schema;
  /// Throws std::invalid_argument with a message for the user when fields contradict each other.
  std::unique_ptr<Sensor> (*make)(const Fields& fields) = nullptr;
};

}  // namespace protobeam

/// At the end of the plugin's source file, outside namespaces: NODE_SCHEMA is a NodeSchema
/// expression, CLASS a Sensor with a constructor from const Fields&.
#define PROTOBEAM_SENSOR_PLUGIN(NODE_SCHEMA, CLASS)                                        \
  extern "C" __attribute__((visibility("default"))) int protobeam_plugin_abi() {          \
    return ::protobeam::kPluginAbi;                                                        \
  }                                                                                        \
  extern "C" __attribute__((visibility("default"))) const ::protobeam::SensorPlugin*      \
  protobeam_plugin() {                                                                     \
    static const ::protobeam::SensorPlugin plugin{                                         \
        ::protobeam::kPluginAbi, "sensor", NODE_SCHEMA,                                    \
        [](const ::protobeam::Fields& fields) -> std::unique_ptr<::protobeam::Sensor> {    \
          return std::make_unique<CLASS>(fields);                                          \
        }};                                                                                \
    return &plugin;                                                                        \
  }
