// Textures on surfaces: from a hit to a colour.
#pragma once

#include <map>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"
#include "render/color.h"

namespace protobeam::render {

/// A point on a surface in texture coordinates.
struct TexturePoint {
  Eigen::Vector2f uv{0, 0};
  float uv_per_metre = 0;  ///< how fast uv changes there
};

/// `p_S` in the shape's frame; triangle and barycentric coordinates for meshes.
TexturePoint texture_point(const Geometry& geometry, const Vec3& p_S, std::uint32_t triangle,
                           float u, float v);

/// Pictures halved again and again, so that a far floor does not flicker (L. Williams, "Pyramidal
/// parametrics", SIGGRAPH 1983). Linear colours.
class Texture {
 public:
  explicit Texture(const Image& image);
  /// Bilinear in the level where a texel is about as large as `footprint` (in uv).
  Color sample(Eigen::Vector2f uv, float footprint, bool repeat_s, bool repeat_t) const;

 private:
  struct Level {
    int width, height;
    std::vector<Color> texels;
  };
  std::vector<Level> levels_;
};

/// Textures of a picture, made once for each image.
class Textures {
 public:
  const Texture& of(const Image& image);
  /// One that was asked for before: of use from several threads.
  const Texture& known(const Image& image) const { return textures_.at(&image); }

 private:
  std::map<const Image*, Texture> textures_;
};

}  // namespace protobeam::render
