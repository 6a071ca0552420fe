// What lies in a folder that nobody may change: a list in it of its files and their contents.
#pragma once

#include <filesystem>
#include <string>

namespace protobeam {

/// Writes the list. Throws std::runtime_error ("cannot write ...", "cannot read ...").
void list_files(const std::filesystem::path& folder);
/// "", or the first thing that is not as the list says: "meshes/a.dae has been changed". Contents
/// are looked at only of files with another time than when they were listed.
std::string why_changed(const std::filesystem::path& folder);

}  // namespace protobeam
