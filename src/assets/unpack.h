// Archives as folders. The only header through which libarchive works.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
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

/// The same, whole or not at all, whoever else does it now, in this process, too: what is stopped
/// or killed meanwhile leaves nothing with the name of `folder`. `look_at` gets the files before
/// they have that name. Who comes second leaves those that are there, if there are any.
void unpack_zip_whole(std::string_view bytes, const std::filesystem::path& folder,
                      const std::function<void(const std::filesystem::path&)>& look_at = {});

}  // namespace protobeam
