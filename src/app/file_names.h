// Names of robots and devices as names of files.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace protobeam {

/// The files of one folder.
class FileNames {
 public:
  /// `name` with '_' for what is no letter, digit, '-' or '.'; a number follows, and a note says so,
  /// when another name has become the same. Bytes of UTF-8 beyond ASCII stay.
  std::string of(std::string_view name);

 private:
  std::set<std::string> taken_;
};

}  // namespace protobeam
