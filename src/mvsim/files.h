// The files that a world consists of: found, allowed or not, read once.
#pragma once

#include <map>

#include "mvsim/xml.h"

namespace protobeam::mvsim {

/// Who asks for a file, for messages.
struct Asking {
  Place place;
  std::shared_ptr<const Instantiation> chain;
};

class FileLibrary {
 public:
  FileLibrary(const LoadOptions& options, const std::filesystem::path& world,
              Diagnostics& diagnostics);

  /// The world itself: its file, or `text` as if that stood in it. Null with an error.
  std::shared_ptr<const XmlFile> world(std::optional<std::string> text = std::nullopt);
  /// A file that `from` includes as `spelled`; `chain` is that of messages in it. Null with an
  /// error.
  std::shared_ptr<const XmlFile> include(const XmlFile& from, const std::string& spelled,
                                         const Asking& asking,
                                         const std::shared_ptr<const Instantiation>& chain);

  const std::filesystem::path& project() const { return project_; }

 private:
  bool allowed(const std::filesystem::path& path) const;
  std::shared_ptr<const XmlFile> read(const std::filesystem::path& path, const std::string& shown,
                                      const Asking& asking,
                                      const std::shared_ptr<const Instantiation>& chain);
  std::shared_ptr<const XmlFile> parse(const std::filesystem::path& path, const std::string& shown,
                                       std::string text,
                                       const std::shared_ptr<const Instantiation>& chain);

  const LoadOptions& options_;
  Diagnostics& diagnostics_;
  std::filesystem::path world_;
  std::filesystem::path project_;
  std::vector<std::filesystem::path> roots_;  ///< that files may lie below
  std::map<std::filesystem::path, std::shared_ptr<const XmlFile>> files_;  ///< null: with mistakes
};

/// The folder of an installed ROS package: `options.packages`, then AMENT_PREFIX_PATH. Empty: none.
std::filesystem::path package_prefix(const LoadOptions& options, const std::string& package);

}  // namespace protobeam::mvsim
