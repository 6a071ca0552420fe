// Coloured lines and dots over a world, for whatever draws them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/math.h"

namespace protobeam::scene {

using Rgba = std::array<std::uint8_t, 4>;  ///< sRGB

/// In world coordinates (m).
class Strokes {
 public:
  struct End {
    Vec3 p;
    Rgba color;
  };

  void clear();
  /// What is not finite is left out.
  void line(const Vec3& a, const Vec3& b, const Rgba& color);
  void dot(const Vec3& p, const Rgba& color);

  const std::vector<End>& line_ends() const { return line_ends_; }  ///< two a line
  const std::vector<End>& dots() const { return dots_; }

 private:
  std::vector<End> line_ends_, dots_;
};

}  // namespace protobeam::scene
