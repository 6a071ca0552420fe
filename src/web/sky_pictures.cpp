#include "web/sky_pictures.h"

#include <algorithm>
#include <vector>

#include "codec/image_bytes.h"
#include "render/color.h"
#include "render/light_reach.h"
#include "web/scene_parts.h"

namespace protobeam::web {
namespace {

constexpr int kMostPixels = 1024;  ///< along each edge
constexpr int kSkyQuality = 85;

/// OpenGL 4.6, table 8.19: the direction of a place of a side, `s` to the right and `t` down, both
/// -1 to 1. three.js mirrors x, so that pictures are as they are seen.
Vec3 direction_of(int side, double s, double t) {
  switch (side) {
    case 0:
      return {-1, -t, -s};
    case 1:
      return {1, -t, s};
    case 2:
      return {-s, 1, t};
    case 3:
      return {-s, -1, -t};
    case 4:
      return {-s, -t, 1};
    default:
      return {s, -t, -1};
  }
}

}  // namespace

std::string sky_color(const SceneDescription& description, const SkyPictures* pictures) {
  if (pictures) return pictures->color;
  return description.background.given ? css_color(description.background.sky) : "#9fb8d0";
}

std::shared_ptr<const SkyPictures> sky_pictures(const SceneDescription& description) {
  SkyLook sky;
  sky.sides = description.background.sides;
  if (!render::has_pictures(sky)) return nullptr;
  sky.color = render::linear_from_srgb(description.background.sky);
  sky.light = sky.color;
  sky.up = description.up;
  int largest = 1;
  for (const auto& image : sky.sides) {
    if (image) largest = std::max({largest, image->width, image->height});
  }
  int size = 1;  // cubes of WebGL are powers of two
  while (size < std::min(largest, kMostPixels)) size *= 2;

  auto out = std::make_shared<SkyPictures>();
  const Quat R_WF = file_turn(description).conjugate();
  for (int side = 0; side < 6; ++side) {
    std::vector<std::uint8_t> pixels;
    pixels.reserve(3 * static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
    // Some places of a row at once, as the renderer does.
    alignas(64) render::LitPoints::Floats x, y, z, light[3];
    for (int row = 0; row < size; ++row) {
      for (int begin = 0; begin < size; begin += render::LitPoints::kSize) {
        const int count = std::min(size - begin, static_cast<int>(render::LitPoints::kSize));
        for (int i = 0; i < count; ++i) {
          const Vec3 d = R_WF * direction_of(side, (2 * (begin + i) + 1.0) / size - 1,
                                             (2 * row + 1.0) / size - 1)
                                    .normalized();
          x[i] = static_cast<float>(d.x());
          y[i] = static_cast<float>(d.y());
          z[i] = static_cast<float>(d.z());
        }
        render::sky_at(sky, x, y, z, count, false, light);
        for (int i = 0; i < count; ++i) {
          for (const auto& channel : light)
            pixels.push_back(render::to_byte(render::srgb_from_linear(channel[i])));
        }
      }
    }
    out->sides[static_cast<std::size_t>(side)] =
        encode_jpeg(pixels, size, size, PixelOrder::kRgb, kSkyQuality);
  }
  out->color = css_color(render::mean_light(sky).unaryExpr(&render::srgb_from_linear));
  return out;
}

}  // namespace protobeam::web
