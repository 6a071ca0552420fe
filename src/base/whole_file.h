// Result files are written whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace protobeam {

/// Writes a temporary file beside `path` and renames it; an existing file stays as it was until
/// then. Devices and pipes are written directly. Throws std::runtime_error ("cannot write
/// out/a.pcd: No space left on device"); nothing is left then.
void write_whole_file(const std::filesystem::path& path, std::string_view bytes);

/// The bytes of a regular file of at most `limit` bytes. Throws std::runtime_error ("cannot read
/// meshes/a.obj: No such file or directory").
std::string read_whole_file(const std::filesystem::path& path, std::size_t limit);

}  // namespace protobeam
