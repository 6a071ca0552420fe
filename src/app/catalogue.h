// What `info` lists: node types with those of plugins, and the PROTOs of the catalogue and of a project.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/device_type.h"
#include "sim/simulation.h"

namespace protobeam {

/// The project of the folder that the program was started in: the one above worlds/ or protos/, else that
/// folder itself.
std::filesystem::path current_project();

/// All node types, those of the current project's plugins included.
struct Known {
  PluginLoader plugins;
  SchemaRegistry schemas;
  Known();
  /// Null for a node that is no device.
  const DeviceType* device_type(const std::string& node);

 private:
  std::map<std::string, std::unique_ptr<DeviceType>> drives_;
};

/// What a PROTO's header comment says to the catalogue.
struct DeviceHeader {
  std::string source;  ///< its "Source:" paragraph, on one line
  /// "# tags: hidden": a part of other PROTOs. "# tags: element": of a world, which may need
  /// fields.
  bool product = true;
};

/// A PROTO with its defaults.
struct Product {
  std::string name;
  std::filesystem::path file;
  DeviceHeader header;
  wbt::NodePtr root;
};

/// The catalogue's PROTOs, or the one of that name; nothing, with diagnostics on stderr, when one of them
/// is wrong.
std::optional<std::vector<Product>> catalogue_products(const std::string& name, Known& known);

/// PROTOs in the protos/ of the current project and below `proto_path`, or the one of that name. One that
/// is wrong is left out: with a note, or, when it was asked for, with its diagnostics.
std::vector<Product> project_products(const std::string& name,
                                      const std::vector<std::string>& proto_path, Known& known);

}  // namespace protobeam
