// A folder of its own below the system's one for temporary files, gone with this.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace protobeam {

class TemporaryFolder {
 public:
  /// `purpose` stands in its name. Throws std::runtime_error when it cannot be made.
  explicit TemporaryFolder(const std::string& purpose) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / ("protobeam-" + purpose + "-XXXXXX")).string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace protobeam
