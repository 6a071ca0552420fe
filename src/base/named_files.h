// Files that a world names. It may come from anywhere, so it may name files of its project, of the
// folders of PROTOs and of what the user allows (--allow-path), and no others: a diagnostic shows
// lines of a file that is no valid one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "base/place.h"

namespace protobeam {

/// From now on, for the whole process. Before the first call every file is allowed.
void allow_files_below(const std::filesystem::path& folder);

/// A file that is named in a text: relative names start in the folder of the text, as all urls do.
std::filesystem::path file_beside(const std::filesystem::path& url, const Place& place);

/// "", or why a world may not name this file; links are followed first. A file that does not exist is
/// allowed: reading it says so.
std::string why_not_allowed(const std::filesystem::path& file);

/// read_whole_file() of an allowed file. Throws std::runtime_error ("cannot read /etc/shadow: ...").
std::string read_named_file(const std::filesystem::path& file, std::size_t limit);

}  // namespace protobeam
