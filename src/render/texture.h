// Textures on surfaces: from a hit to a colour.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "geometry/geometry.h"
#include "geometry/material.h"
#include "render/color.h"
#include "render/lit_points.h"

namespace protobeam::render {

/// A point on a surface in texture coordinates.
struct TexturePoint {
  Eigen::Vector2f uv{0, 0};
  float uv_per_metre = 0;  ///< how fast uv changes there
};

/// `p_S` in the shape's frame; triangle and barycentric coordinates for meshes.
TexturePoint texture_point(const Geometry& geometry, const Vec3& p_S, std::uint32_t triangle,
                           float u, float v);

/// How uv changes with the place on a surface, in the shape's frame: unit vectors within the surface
/// along which u and v grow. `normal` is unit, `triangle` of meshes; `transform` makes the picture's
/// coordinates of those of the surface.
struct TextureAxes {
  Eigen::Vector3f along_u, along_v;
};
TextureAxes texture_axes(const Geometry& geometry, const Vec3& p_S, const Eigen::Vector3f& normal,
                         std::uint32_t triangle, const Eigen::Matrix2f& transform);

/// Whether the numbers of a picture are sRGB colours, or just numbers.
enum class Encoding { kSrgb, kLinear };

/// Where pictures are looked at, one point after the other.
struct TextureLooks {
  alignas(64) LitPoints::Floats u, v;
  alignas(64) LitPoints::Floats footprint;  ///< of a pixel, in uv
  bool repeat_s = true, repeat_t = true;
  bool smooth = true;  ///< false: the texel there, of the finest level
};

/// Pictures halved again and again, so that a far floor does not flicker (L. Williams, "Pyramidal
/// parametrics", SIGGRAPH 1983). Linear colours.
class Texture {
 public:
  explicit Texture(const Image& image, Encoding encoding = Encoding::kSrgb);
  /// Bilinear in the level where a texel is about as large as the footprint; red, green and blue of the
  /// first `count` of `looks`, at most LitPoints::kSize, and how opaque the picture is there (0 to 1).
  void sample(const TextureLooks& looks, int count, LitPoints::Floats out[3],
              float* alpha = nullptr) const;
  Color sample(const Eigen::Vector2f& uv, float footprint, bool repeat_s, bool repeat_t) const;
  bool is_opaque() const { return opaque_; }  ///< everywhere

 private:
  // The finest level first.
  std::vector<std::int32_t> width_, height_;
  std::vector<std::int32_t> begin_;     ///< of a level in `texels_`
  std::vector<Eigen::Vector4f> texels_; ///< a colour and its alpha
  bool opaque_ = true;
};

/// The pixel of a picture at texture coordinates, as it is stored: 0..1, sRGB in most.
Color nearest_pixel(const Image& image, const Eigen::Vector2f& uv, bool repeat_s, bool repeat_t);

/// A texture that is made when it is looked at: of a large world a camera sees little.
class LazyTexture {
 public:
  LazyTexture(std::shared_ptr<const Image> image, Encoding encoding)
      : image_(std::move(image)), encoding_(encoding) {}
  /// Of use from several threads.
  const Texture& get() const {
    std::call_once(once_, [this] { texture_.emplace(*image_, encoding_); });
    return *texture_;
  }

 private:
  std::shared_ptr<const Image> image_;
  Encoding encoding_;
  mutable std::once_flag once_;
  mutable std::optional<Texture> texture_;
};

/// The texture of a picture as it is now, one for all who have it at the same time: 16 bytes a
/// texel, for each of many cameras, would fill the memory. May be called by any thread.
std::shared_ptr<const LazyTexture> shared_texture(const std::shared_ptr<const Image>& image,
                                                  Encoding encoding);

/// The textures that somebody needs.
class Textures {
 public:
  /// It may be asked for from now on.
  void need(const std::shared_ptr<const Image>& image, Encoding encoding = Encoding::kSrgb);
  /// One that is needed: of use from several threads.
  const Texture& known(const Image& image, Encoding encoding = Encoding::kSrgb) const {
    return textures_.at({&image, encoding}).texture->get();
  }
  const Texture& of(const std::shared_ptr<const Image>& image,
                    Encoding encoding = Encoding::kSrgb) {
    need(image, encoding);
    return known(*image, encoding);
  }
  /// Those that are needed and whose picture has changed since are made anew.
  void refresh(const std::shared_ptr<const Image>& image);

 private:
  struct Made {
    std::shared_ptr<const LazyTexture> texture;
    std::uint32_t version;  ///< of the image
  };
  std::map<std::pair<const Image*, Encoding>, Made> textures_;
};

}  // namespace protobeam::render
