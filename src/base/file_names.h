// Names of files, also of those that are named after robots, devices and topics.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace protobeam {

/// ".png" of "a/Picture.PNG"; "" for none.
std::string extension_of(const std::filesystem::path& file);

/// The files of one folder.
class FileNames {
 public:
  /// `note` gets a sentence for each name that had to be numbered.
  explicit FileNames(std::function<void(const std::string&)> note = nullptr) : note_(std::move(note)) {}

  /// `name` with '_' for what is no letter, digit, '-' or '.'; a number follows when another name has
  /// become the same. Bytes of UTF-8 beyond ASCII stay.
  std::string of(std::string_view name);

 private:
  std::function<void(const std::string&)> note_;
  std::set<std::string> taken_;
};

}  // namespace protobeam
