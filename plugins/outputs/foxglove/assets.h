// Files that messages name, for clients that cannot read this machine's files: a page in a browser.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace protobeam::foxglove {

class Assets {
 public:
  /// A URDF, its meshes of `file://` under addresses of `package://`, which clients ask the server
  /// for (Lichtblick, MessagePipeline/store.ts). Any other text as it is.
  std::string offer(std::string urdf);
  /// The bytes of a file that was offered. Throws std::runtime_error for others, and when it cannot
  /// be read.
  std::string read(const std::string& address) const;

 private:
  std::map<std::string, std::string> offered_;          ///< "package://..." by "file://..."
  std::map<std::string, std::filesystem::path> files_;  ///< by "package://..."
};

}  // namespace protobeam::foxglove
