// How a device type introduces itself.
#pragma once

#include <memory>

#include "base/fields.h"
#include "base/plugin.h"
#include "device/device_model.h"

namespace protobeam {

struct DevicePlugin : Plugin {
  static constexpr const char* kKind = "device";
  DeviceType type;  ///< type.node is `schema`
  /// Throws std::invalid_argument with a message for the user when fields contradict each other;
  /// one that begins with "field 'NAME'" is shown at that field.
  std::unique_ptr<DeviceModel> (*make)(const Fields& fields) = nullptr;

  DevicePlugin(DeviceType device_type, std::unique_ptr<DeviceModel> (*maker)(const Fields&))
      : Plugin{kPluginAbi, kKind, device_type.node}, type(std::move(device_type)), make(maker) {}
};

/// A device outside of a world, for tests and benchmarks: made, attached to nothing, laid out.
inline std::unique_ptr<DeviceModel> make_device(const DevicePlugin& plugin, const Fields& fields,
                                                const DeviceContext& context = {}) {
  auto model = plugin.make(fields);
  model->prepare(plugin.type, fields, context);
  return model;
}

}  // namespace protobeam

/// At the end of the plugin's source file, outside namespaces: DEVICE_TYPE is a DeviceType
/// expression, CLASS a DeviceModel with a constructor from const Fields&.
#define PROTOBEAM_DEVICE_PLUGIN(DEVICE_TYPE, CLASS)                                          \
  extern "C" __attribute__((visibility("default"))) int protobeam_plugin_abi() {             \
    return ::protobeam::kPluginAbi;                                                          \
  }                                                                                          \
  extern "C" __attribute__((visibility("default"))) const ::protobeam::Plugin*               \
  protobeam_plugin() {                                                                       \
    static const ::protobeam::DevicePlugin plugin(                                           \
        DEVICE_TYPE,                                                                         \
        [](const ::protobeam::Fields& fields) -> std::unique_ptr<::protobeam::DeviceModel> { \
          return std::make_unique<CLASS>(fields);                                            \
        });                                                                                  \
    return &plugin;                                                                          \
  }
