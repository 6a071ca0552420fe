// Archives as folders. The only header through which libarchive works.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace protobeam {

struct UnpackLimits {
  std::size_t bytes = std::size_t{2} << 30;  ///< of all files together
  std::size_t files = 100'000;
};

/// Writes the files of a ZIP below `folder`, which is made. Throws std::runtime_error with the
/// reason alone: no ZIP or a damaged one, more than the limits, a file that would lie outside of
/// the folder, a link, or a disk that is full; then there may be a part of them.
void unpack_zip(std::string_view bytes, const std::filesystem::path& folder,
                const UnpackLimits& limits = {});

}  // namespace protobeam
