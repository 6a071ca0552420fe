// Addresses of Webots' own files, and an installed Webots, where they are too.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace protobeam {

/// A file of Webots: "projects/objects/trees/protos/Oak.proto" of revision "R2025a".
struct WebotsPath {
  std::string revision;  ///< "": that of the world (webots://)
  std::string path;
};
/// Of webots:// and https://raw.githubusercontent.com/cyberbotics/webots/REVISION/ addresses.
std::optional<WebotsPath> webots_path(const std::string& address);
/// Where an address is on the web; webots:// in a world of that version ("R2025a").
std::string web_address(const std::string& address, const std::string& version);

/// A folder with projects/ in it: an installed Webots or a copy of its repository.
class WebotsFolder {
 public:
  /// `any_revision`: stands for every revision, not only for that of its resources/version.txt.
  WebotsFolder(std::filesystem::path folder, bool any_revision);
  /// $WEBOTS_HOME; nothing when it is not set or has no projects/.
  static std::optional<WebotsFolder> from_environment();

  /// The file behind an address; "" when it is not there. Links that lead out of the folder count
  /// as not there.
  std::filesystem::path find(const std::string& address) const;
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::string revision_;  ///< "": every one
};

}  // namespace protobeam
