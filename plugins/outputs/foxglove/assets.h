// Files that messages name, for clients that cannot read this machine's files: a page in a browser.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace protobeam::foxglove {

class Assets {
 public:
  /// A URDF, its meshes of `file://` under addresses of `package://`, which clients ask the server
  /// for (Lichtblick, MessagePipeline/store.ts). Any other text as it is.
  std::string offer(std::string urdf);
  /// The file that was offered under this address; none for others.
  std::optional<std::filesystem::path> file_of(const std::string& address) const;
  /// Its bytes. Throws std::runtime_error when it cannot be read.
  static std::string read(const std::filesystem::path& file);

 private:
  std::map<std::string, std::string> offered_;          ///< "package://..." by "file://..."
  std::map<std::string, std::filesystem::path> files_;  ///< by "package://..."
};

}  // namespace protobeam::foxglove
