// A folder with a file, or a folder, for each topic.
#pragma once

#include <filesystem>
#include <string>

#include "base/file_names.h"
#include "output/message_sink.h"

namespace protobeam {

class TopicFolder {
 public:
  /// Makes it, and those that it is in. Throws std::runtime_error ("cannot make out/clouds: ...").
  explicit TopicFolder(std::filesystem::path folder);

  const std::filesystem::path& path() const { return folder_; }
  /// "out/car_odom" for "/car/odom"; another one each time.
  std::filesystem::path of(const Topic& topic) { return folder_ / names_.of(plain(topic.name)); }

 private:
  /// Names of topics begin with a slash, which is not worth a character.
  static std::string_view plain(std::string_view name) {
    return name.starts_with('/') ? name.substr(1) : name;
  }

  std::filesystem::path folder_;
  FileNames names_;
};

/// Makes a folder and those that it is in. Throws std::runtime_error ("cannot make out: ...").
void make_folder(const std::filesystem::path& folder);

}  // namespace protobeam
