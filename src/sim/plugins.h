// Finds plugins by node name and keeps them loaded.
#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/plugin.h"

namespace protobeam {

/// Plugins that are there but cannot be used; the message names each file and why.
class PluginError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class PluginLoader {
 public:
  /// Folders are asked in order: PROTOBEAM_PLUGIN_PATH, then lib/protobeam/plugins of the build or
  /// installation that the program belongs to.
  PluginLoader();
  /// Asks the folder plugins/ of a project too, after all others: a project cannot replace a type of
  /// ours. PROTOBEAM_PROJECT_PLUGINS=0 leaves it out, and so does a folder that is there already. A
  /// plugin in it that somebody else could have written (another user's, or one that others may write) is
  /// refused as one that cannot be used.
  void add_project(const std::filesystem::path& project);
  explicit PluginLoader(std::vector<std::filesystem::path> folders);

  /// The plugin NODE.so, loaded at the first call; null when no folder has it. A file that is there
  /// but cannot be used (not a plugin, another ABI, a symbol missing) gives null and an entry in
  /// problems().
  const Plugin* find(std::string_view node);
  /// The same for a plugin of kind P (DevicePlugin, TyrePlugin, ...); null for other kinds.
  template <class P>
  const P* find_as(std::string_view node) {
    return plugin_cast<P>(find(node));
  }
  /// Node types that the folders offer, sorted.
  std::vector<std::string> names() const;
  /// Where the plugin came from; empty when it is not loaded.
  std::filesystem::path file_of(std::string_view node) const;
  const std::vector<std::string>& problems() const { return problems_; }
  /// Throws PluginError when there are problems.
  void check() const;
  const std::vector<std::filesystem::path>& folders() const { return folders_; }
  /// "a node type may come from a plugin: NODE.so was looked for in ...; PROTOBEAM_PLUGIN_PATH is not
  /// set".
  std::string where() const;

 private:
  const Plugin* load(const std::filesystem::path& file, std::string_view node);

  struct Entry {
    std::filesystem::path file;
    const Plugin* plugin = nullptr;
  };
  std::vector<std::filesystem::path> folders_;
  std::vector<std::filesystem::path> project_folders_;  ///< those among them
  std::map<std::string, Entry, std::less<>> loaded_;
  std::vector<std::string> problems_;
};

}  // namespace protobeam
