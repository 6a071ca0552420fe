// PNG files of controllers, without a library that every controller would have to load: the pixels are
// stored as they are ("stored" blocks of RFC 1951).
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace protobeam::controller {

/// 8 bits a channel, rows from the top; 1 channel (grey), 3 (RGB) or 4 (RGBA). "" or what is wrong: also
/// that the name does not end with ".png".
std::string write_png(const char* filename, std::span<const unsigned char> pixels, int width, int height,
                      int channels);

}  // namespace protobeam::controller
