// What all plugins have in common. A plugin is a shared object NODE.so in the plugin path that
// holds one node type and exports two functions; PROTOBEAM_EXPORT_PLUGIN writes them. The modules
// derive from Plugin what they need to make an object out of the node's fields: DevicePlugin,
// TyrePlugin...
#pragma once

#include <string_view>

#include "base/field_table.h"

namespace protobeam {

/// Raised by one when anything changes in the headers that plugins include.
inline constexpr int kPluginAbi = 35;

struct Plugin {
  int abi = kPluginAbi;
  const char* kind = "";  ///< P::kKind of the type P derived from this: "sensor", "tyre", ...
  NodeSchema schema;
};

/// `plugin` as the kind of plugin P; null when it is null or of another kind.
template <class P>
const P* plugin_cast(const Plugin* plugin) {
  const bool same = plugin && std::string_view(plugin->kind) == P::kKind;
  return same ? static_cast<const P*>(plugin) : nullptr;
}

}  // namespace protobeam

/// At the end of the plugin's source file, outside namespaces. TYPE is derived from Plugin, the
/// arguments behind it are what it is initialised with after abi, kind and schema.
#define PROTOBEAM_EXPORT_PLUGIN(TYPE, NODE_SCHEMA, ...)                                         \
  extern "C" __attribute__((visibility("default"))) int protobeam_plugin_abi() {                \
    return ::protobeam::kPluginAbi;                                                             \
  }                                                                                             \
  extern "C" __attribute__((visibility("default"))) const ::protobeam::Plugin*                  \
  protobeam_plugin() {                                                                          \
    static const TYPE plugin{{::protobeam::kPluginAbi, TYPE::kKind, NODE_SCHEMA}, __VA_ARGS__}; \
    return &plugin;                                                                             \
  }
