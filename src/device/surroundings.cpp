#include "device/surroundings.h"

#include <cassert>
#include <cmath>

#include "base/clones.h"

namespace protobeam {

namespace {

/// Hits of pictures: where on them, and which pixel that is.
struct PicturePoints {
  static constexpr std::size_t kMost = 256;

  float x[kMost], y[kMost];                ///< of the picture, before it is repeated
  float repeat_x[kMost], repeat_y[kMost];  ///< 1 or 0
  float width[kMost], height[kMost];
  std::int32_t last_column[kMost], last_row[kMost];
  std::int32_t column[kMost], row[kMost];
  const SurfacePicture* picture[kMost];
  std::size_t hit[kMost];
};

/// To 0..1: what is repeated by its fraction, what is not by its edge.
PROTOBEAM_INLINE void repeat(float* at, const float* repeats, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const float x = at[i] - repeats[i] * std::floor(at[i]);
    const float above = x > 0 ? x : 0.0f;
    at[i] = above < 1 ? above : 1.0f;
  }
}

PROTOBEAM_CLONES void find_pixels(PicturePoints& p, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    // Not a number minus itself is not 0, nor is infinity.
    const float wrong = std::abs(p.x[i] - p.x[i]) + std::abs(p.y[i] - p.y[i]);
    p.x[i] = wrong == 0 ? p.x[i] : 0.0f;
    p.y[i] = wrong == 0 ? p.y[i] : 0.0f;
  }
  repeat(p.x, p.repeat_x, n);
  repeat(p.y, p.repeat_y, n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto column = static_cast<std::int32_t>(p.x[i] * p.width[i]);
    p.column[i] = column < p.last_column[i] ? column : p.last_column[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<std::int32_t>((1 - p.y[i]) * p.height[i]);
    p.row[i] = row < p.last_row[i] ? row : p.last_row[i];
  }
}

}  // namespace

SurfaceTable::SurfaceTable() { push({}); }

void SurfaceTable::set(RayScene::Instance instance, std::span<const Surface> shapes) {
  if (instance >= first_.size()) {
    first_.resize(instance + 1, 0);
    count_.resize(instance + 1, 0);
  }
  assert(count_[instance] == 0);
  first_[instance] = static_cast<std::uint32_t>(size());
  count_[instance] = static_cast<std::uint32_t>(shapes.size());
  for (const Surface& surface : shapes) push(surface);
}

void SurfaceTable::push(const Surface& surface) {
  diffuse_.push_back(surface.diffuse);
  specular_.push_back(surface.specular);
  slope_.push_back(surface.slope);
  retro_.push_back(surface.retro);
  transmission_.push_back(surface.transmission);
  const bool drawn = surface.picture && surface.geometry && has_uvs(*surface.geometry);
  pictures_.push_back(drawn ? Picture{surface.picture, surface.geometry} : Picture{});
  has_pictures_ = has_pictures_ || drawn;
  has_transmission_ = has_transmission_ || surface.transmission > 0;
}

void SurfaceTable::draw_pictures(const std::uint32_t* number, const std::uint32_t* triangle,
                                 const float* u, const float* v, std::size_t n,
                                 float* diffuse) const {
  if (!has_pictures_) return;
  // All points first and all pixels last: each lies where no cache has it, and waits alone
  // otherwise.
  PicturePoints points;
  for (std::size_t next = 0; next < n;) {
    std::size_t count = 0;
    for (; next < n && count < PicturePoints::kMost; ++next) {
      const auto& [picture, geometry] = pictures_[number[next]];
      if (!picture) continue;
      const auto corner = corner_uvs(*geometry, triangle[next]);
      const Eigen::Vector2f uv =
          (1 - u[next] - v[next]) * corner[0] + u[next] * corner[1] + v[next] * corner[2];
      const Eigen::Vector2f at =
          picture->uv_transform.leftCols<2>() * uv + picture->uv_transform.col(2);
      points.x[count] = at.x();
      points.y[count] = at.y();
      points.repeat_x[count] = picture->repeat_s ? 1 : 0;
      points.repeat_y[count] = picture->repeat_t ? 1 : 0;
      points.width[count] = static_cast<float>(picture->width);
      points.height[count] = static_cast<float>(picture->height);
      points.last_column[count] = picture->width - 1;
      points.last_row[count] = picture->height - 1;
      points.picture[count] = picture.get();
      points.hit[count++] = next;
    }
    find_pixels(points, count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto row = static_cast<std::size_t>(points.row[i]),
                 column = static_cast<std::size_t>(points.column[i]);
      const SurfacePicture& picture = *points.picture[i];
      diffuse[points.hit[i]] =
          picture.reflectance[row * static_cast<std::size_t>(picture.width) + column];
    }
  }
}

}  // namespace protobeam
