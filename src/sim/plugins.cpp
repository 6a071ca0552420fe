#include "sim/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>

#include "sim/paths.h"

namespace protobeam {
namespace fs = std::filesystem;

PluginLoader::PluginLoader() {
  if (const char* path = std::getenv("PROTOBEAM_PLUGIN_PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t colon = std::min(rest.find(':'), rest.size());
      if (colon > 0) folders_.emplace_back(rest.substr(0, colon));
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  }
  folders_.push_back(installed_paths().plugins);
}

PluginLoader::PluginLoader(std::vector<fs::path> folders) : folders_(std::move(folders)) {}

const Plugin* PluginLoader::find(std::string_view node) {
  const auto known = loaded_.find(node);
  if (known != loaded_.end()) return known->second.plugin;
  Entry entry;
  // A node name is a file name only when it looks like one: no way out of the folder.
  const bool plain = !node.empty() && node.find('/') == node.npos && node.front() != '.';
  for (const auto& folder : folders_) {
    const fs::path file = folder / (std::string(node) + ".so");
    std::error_code ignored;
    if (!plain || !fs::is_regular_file(file, ignored)) continue;
    entry = {file, load(file, node)};
    break;
  }
  return loaded_.emplace(std::string(node), entry).first->second.plugin;
}

const Plugin* PluginLoader::load(const fs::path& file, std::string_view node) {
  const auto problem = [&](const std::string& what) -> const Plugin* {
    problems_.push_back("plugin " + file.string() + " " + what);
    return nullptr;
  };
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return problem(std::string("cannot be loaded: ") + dlerror());
  const auto abi = reinterpret_cast<int (*)()>(dlsym(handle, "protobeam_plugin_abi"));
  const auto entry = reinterpret_cast<const Plugin* (*)()>(dlsym(handle, "protobeam_plugin"));
  if (!abi || !entry) {
    return problem(
        "is not a Protobeam plugin: it does not end with a macro like PROTOBEAM_DEVICE_PLUGIN");
  }
  if (abi() != kPluginAbi) {
    return problem("was built for plugin ABI " + std::to_string(abi()) + ", this program has ABI " +
                   std::to_string(kPluginAbi) + ": build it again");
  }
  const Plugin* plugin = entry();
  if (node != plugin->schema.name) {
    return problem("holds the node type '" + std::string(plugin->schema.name) +
                   "': name the file after it");
  }
  return plugin;
}

void PluginLoader::check() const {
  if (problems_.empty()) return;
  std::string all;
  for (const auto& problem : problems_) all += (all.empty() ? "" : "; ") + problem;
  throw PluginError(all);
}

std::vector<std::string> PluginLoader::names() const {
  std::vector<std::string> names;
  for (const auto& folder : folders_) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      if (entry.path().extension() == ".so") names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

fs::path PluginLoader::file_of(std::string_view node) const {
  const auto known = loaded_.find(node);
  return known == loaded_.end() ? fs::path{} : known->second.file;
}

}  // namespace protobeam
