// Image files of controllers, by the ending of their names.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "codec/image_bytes.h"

namespace protobeam::controller {

/// ".png", ".jpg" or ".jpeg", in capitals too; `quality` (1..100) is of JPEG files. "" or what is
/// wrong, for DeviceAccess::complain().
std::string write_image(const char* filename, std::span<const std::uint8_t> pixels, int width,
                        int height, PixelOrder order, int quality);

/// Also ".hdr", with the values themselves; in the others, those from `low` to `high` are black to
/// white.
std::string write_values(const char* filename, std::span<const float> values, int width, int height,
                         double low, double high, int quality);

}  // namespace protobeam::controller
