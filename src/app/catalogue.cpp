#include "app/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "app/log.h"
#include "app/standard_streams.h"
#include "app/world_options.h"
#include "device/plugin.h"
#include "sim/paths.h"
#include "vehicle/drive_type.h"
#include "vehicle/plugin.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

DeviceHeader header_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  DeviceHeader header;
  bool in_source = false;
  while (std::getline(in, line) && !line.empty() && line[0] == '#') {
    const auto text = line.find_first_not_of("# \t");
    if (in_source) {
      in_source = text != std::string::npos;
      if (in_source) header.source += " " + line.substr(text);
    } else if (text == std::string::npos) {
      continue;
    } else if (const auto at = line.find("Source: "); at == text) {
      header.source = line.substr(at + 8);
      in_source = true;
    } else if (line.find("tags:") == text) {
      for (const char* tag : {"hidden", "element"}) {
        if (line.find(tag) != std::string::npos) header.product = false;
      }
    }
  }
  return header;
}

std::vector<fs::path> protos_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator it(folder, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    if (it->path().extension() == ".proto") files.push_back(it->path());
  }
  std::stable_sort(files.begin(), files.end());
  return files;
}

wbt::LoadOptions catalogue_options(Known& known, const std::vector<std::string>& proto_path) {
  wbt::LoadOptions load;
  load.schemas = &known.schemas;
  load.where_types = [&known] { return known.plugins.where(); };
  load.proto_path = proto_folders({proto_path.begin(), proto_path.end()});
  return load;
}

}  // namespace

fs::path current_project() {
  std::error_code gone;
  const fs::path here = fs::current_path(gone);
  return gone ? fs::path(".") : wbt::project_folder(here / "a.wbt");
}

Known::Known() {
  plugins.add_project(current_project());
  fill_schemas(schemas, plugins);
  for (const auto& name : plugins.names()) schemas.find(name);
}

const DeviceType* Known::device_type(const std::string& node) {
  if (const auto* plugin = plugins.find_as<DevicePlugin>(node)) return &plugin->type;
  const auto* drive = plugins.find_as<DrivePlugin>(node);
  if (!drive) return nullptr;
  auto& type = drives_[node];
  if (!type) type = std::make_unique<DeviceType>(drive_type(drive->schema));
  return type.get();
}

std::optional<std::vector<Product>> catalogue_products(const std::string& wanted, Known& known) {
  const wbt::LoadOptions load = catalogue_options(known, {});
  std::vector<Product> products;
  for (const auto& file : protos_below(installed_paths().catalogue)) {
    const std::string name = file.stem().string();
    if (!wanted.empty() && wanted != name) continue;
    const DeviceHeader header = header_of(file);
    if (!header.product) continue;
    Diagnostics diagnostics;
    const wbt::NodePtr root = wbt::load_proto(file, load, diagnostics);
    if (!root || diagnostics.has_errors()) {
      log_diagnostics(diagnostics, file.string());
      return std::nullopt;
    }
    products.push_back({name, file, header, root});
  }
  return products;
}

std::vector<Product> project_products(const std::string& wanted,
                                      const std::vector<std::string>& proto_path, Known& known) {
  const wbt::LoadOptions load = catalogue_options(known, proto_path);
  std::error_code ignored;
  // As short as a message should have it.
  std::vector<fs::path> folders = {fs::proximate(current_project() / "protos", ignored)};
  folders.insert(folders.end(), proto_path.begin(), proto_path.end());
  std::vector<Product> products;
  for (const fs::path& folder : folders) {
    // In Protobeam's own tree that is the catalogue.
    if (fs::equivalent(folder, installed_paths().catalogue, ignored)) continue;
    for (const fs::path& file : protos_below(folder)) {
      const std::string name = file.stem().string();
      const bool known_already = std::any_of(products.begin(), products.end(),
                                             [&](const Product& p) { return p.name == name; });
      if (known_already || (!wanted.empty() && wanted != name)) continue;
      Diagnostics diagnostics;
      const wbt::NodePtr root = wbt::load_proto(file, load, diagnostics);
      if (root && !diagnostics.has_errors()) {
        products.push_back({name, file, header_of(file), root});
      } else if (wanted.empty()) {
        log_note(fmt::format("{} is wrong and is not listed; `protobeam check` says why",
                             file.string()));
      } else {
        log_diagnostics(diagnostics, file.string());
      }
    }
  }
  return products;
}

}  // namespace protobeam
