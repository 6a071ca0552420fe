// The mean of several drawings of one picture, in linear light.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/material.h"

namespace protobeam::viewer {

/// Adds up sRGB pictures of equal size. Integers only: the order does not matter.
class PixelMean {
 public:
  PixelMean(int width, int height);
  void add(const std::vector<std::uint8_t>& rgb);
  Image mean() const;  ///< of at least one

 private:
  Image image_;  ///< its size
  std::vector<std::uint32_t> sums_;
  std::uint32_t count_ = 0;
};

}  // namespace protobeam::viewer
