// Loads a built plugin the way the simulator does, for tests.
#pragma once

#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/plugin.h"
#include "tests/unit/support/paths.h"
#include "tests/unit/support/test_fields.h"

namespace protobeam {

/// The plugin of a node type; it stays loaded.
inline const Plugin& load_any_plugin(const std::string& node) {
  const std::string path = build_dir() + "/lib/protobeam/plugins/" + node + ".so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw std::runtime_error(dlerror());
  using Entry = const Plugin* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "protobeam_plugin"));
  if (!entry) throw std::runtime_error(path + " has no protobeam_plugin()");
  return *entry();
}

/// The same for one of a known kind.
template <class P>
const P& load_plugin(const std::string& node) {
  const P* plugin = plugin_cast<P>(&load_any_plugin(node));
  if (!plugin) throw std::runtime_error(node + " is no " + P::kKind + " plugin");
  return *plugin;
}

inline const DevicePlugin& load_sensor_plugin(const std::string& node) {
  return load_plugin<DevicePlugin>(node);
}

inline std::unique_ptr<DeviceModel> make_sensor(const std::string& node,
                                           std::map<std::string, std::string> fields = {}) {
  const DevicePlugin& plugin = load_sensor_plugin(node);
  return make_device(plugin, TestFields(plugin.schema, std::move(fields)));
}

/// One sample of a device, written into `bytes`.
inline void take_sample(DeviceModel& device, const SampleInput& in, std::span<std::byte> bytes) {
  Sample out(bytes, device.layout());
  device.sample(in, out);
}

/// One sample of a device whose channels are doubles.
inline std::vector<double> sample_values(DeviceModel& sensor, const SampleInput& in) {
  std::vector<std::byte> bytes(sensor.layout().size);
  take_sample(sensor, in, bytes);
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace protobeam
