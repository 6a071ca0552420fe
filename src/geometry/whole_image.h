// Whether there is a picture in an Image.
#pragma once

#include <cstddef>

#include "geometry/material.h"

namespace protobeam {

/// As many pixels as its size says, of a number of channels that pictures have.
inline bool is_whole(const Image& image) {
  return image.width > 0 && image.height > 0 &&
         (image.channels == 1 || image.channels == 3 || image.channels == 4) &&
         image.pixels.size() == static_cast<std::size_t>(image.width) *
                                    static_cast<std::size_t>(image.height) *
                                    static_cast<std::size_t>(image.channels);
}

}  // namespace protobeam
