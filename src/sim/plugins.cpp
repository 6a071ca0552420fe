#include "sim/plugins.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "sim/paths.h"

namespace protobeam {
namespace fs = std::filesystem;
namespace {

/// Why a file or folder is not to be trusted: who else could have put it there. "" when nobody.
std::string foreign_hand(const fs::path& path) {
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0) return "cannot be looked at";
  if (facts.st_uid != geteuid() && facts.st_uid != 0) return "belongs to another user";
  if ((facts.st_mode & S_IWOTH) != 0) return "may be written by everybody";
  return "";
}

}  // namespace

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

void PluginLoader::add_project(const fs::path& project) {
  const char* wanted = std::getenv("PROTOBEAM_PROJECT_PLUGINS");
  if (wanted && std::string_view(wanted) == "0") return;
  std::error_code ignored;
  const fs::path folder = (fs::absolute(project, ignored) / "plugins").lexically_normal();
  for (const fs::path& known : folders_) {
    if (fs::absolute(known, ignored).lexically_normal() == folder) return;
  }
  folders_.push_back(folder);
  project_folders_.push_back(folder);
  std::erase_if(loaded_, [](const auto& known) { return known.second.file.empty(); });
}

std::string PluginLoader::where() const {
  std::error_code ignored;
  std::vector<std::string> names;
  for (const fs::path& folder : folders_) {
    const bool there = fs::is_directory(folder, ignored);
    names.push_back(folder.string() + (there ? "" : " (not there)"));
  }
  const char* path = std::getenv("PROTOBEAM_PLUGIN_PATH");
  const std::string variable = path && *path ? fmt::format("PROTOBEAM_PLUGIN_PATH is '{}'", path)
                                             : "PROTOBEAM_PLUGIN_PATH is not set";
  return fmt::format(
      "a node type may come from a plugin, NODE.so, that is in none of the folders {}; {}",
      fmt::join(names, ", "), variable);
}

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
  const fs::path folder = file.parent_path();
  if (std::find(project_folders_.begin(), project_folders_.end(), folder) !=
      project_folders_.end()) {
    for (const fs::path& path : {folder, file}) {
      const std::string hand = foreign_hand(path);
      if (hand.empty()) continue;
      return problem(
          fmt::format("of the project is not used: {} {}; name its folder in PROTOBEAM_PLUGIN_PATH "
                      "if you trust it",
                      path == file ? "it" : "its folder", hand));
    }
  }
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
