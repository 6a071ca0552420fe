#include "base/file_names.h"

namespace protobeam {
namespace {

bool plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || byte >= 0x80;
}

}  // namespace

std::string extension_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

std::string FileNames::of(std::string_view name) {
  constexpr std::size_t kLongest = 200;  // bytes: endings follow, and 255 is the limit of Linux
  std::string file;
  for (const char c : name.substr(0, kLongest)) file += plain(c) ? c : '_';
  if (file.empty() || file.front() == '.') file.insert(0, 1, '_');  // "..", and what `ls` hides
  if (taken_.insert(file).second) return file;
  std::string numbered;
  for (int i = 2;; ++i) {
    numbered = file + "-" + std::to_string(i);
    if (taken_.insert(numbered).second) break;
  }
  if (note_) {
    note_("the files of '" + std::string(name) + "' are named '" + numbered + "': '" + file +
          "' is taken");
  }
  return numbered;
}

}  // namespace protobeam
