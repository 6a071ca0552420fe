// Looking at single pixels.
#pragma once

#include <Eigen/Core>

#include "geometry/material.h"

namespace protobeam {

/// RGB, all of it of one level.
inline Image grey_image(int width, int height, std::uint8_t level) {
  Image image;
  image.width = width;
  image.height = height;
  image.channels = 3;
  image.pixels.assign(static_cast<std::size_t>(width * height * 3), level);
  return image;
}

/// 0..255 each.
inline Eigen::Vector3d pixel(const Image& image, int x, int y) {
  const auto* bytes = image.pixels.data() + (static_cast<std::ptrdiff_t>(y) * image.width + x) * 3;
  return {static_cast<double>(bytes[0]), static_cast<double>(bytes[1]),
          static_cast<double>(bytes[2])};
}

inline double brightness(const Eigen::Vector3d& rgb) { return rgb.mean(); }

}  // namespace protobeam
