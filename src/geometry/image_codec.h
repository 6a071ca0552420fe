// Shared by the readers of files; private to this module.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "geometry/material.h"

namespace protobeam {

/// Larger files are an error before anything is read.
inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;
inline constexpr std::size_t kMaxPixels = std::size_t{1} << 28;  // 16384 x 16384

/// PNG, JPEG or PGM from memory; `name` is how errors (std::runtime_error) call it.
Image decode_image(std::string_view bytes, const std::string& name);

}  // namespace protobeam
