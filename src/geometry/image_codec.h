// Shared by the readers of files; private to this module.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "geometry/files.h"

namespace protobeam {

/// Larger files are an error before anything is read.
inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;
inline constexpr std::size_t kMaxPixels = std::size_t{1} << 28;  // 16384 x 16384

}  // namespace protobeam
