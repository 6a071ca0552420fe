// Shared by the readers of files; nobody else includes it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "geometry/material.h"

namespace protobeam {

/// Larger files are refused before anything is read.
inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

/// PNG or JPEG from memory; `name` is how errors (std::runtime_error) call it.
Image decode_image(std::string_view bytes, const std::string& name);

}  // namespace protobeam
