#include "device/surroundings.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace protobeam {

float SurfacePicture::at(Eigen::Vector2f uv) const {
  uv = uv_transform.leftCols<2>() * uv + uv_transform.col(2);
  if (!uv.allFinite()) uv.setZero();
  if (repeat_s) uv.x() -= std::floor(uv.x());
  if (repeat_t) uv.y() -= std::floor(uv.y());
  uv = uv.cwiseMax(0.0f).cwiseMin(1.0f);
  const int column = std::min(static_cast<int>(uv.x() * static_cast<float>(width)), width - 1);
  const int row = std::min(static_cast<int>((1 - uv.y()) * static_cast<float>(height)), height - 1);
  return reflectance[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(column)];
}

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

float SurfaceTable::diffuse_at(std::uint32_t number, std::uint32_t triangle, float u,
                               float v) const {
  const auto& [picture, geometry] = pictures_[number];
  if (!picture) return diffuse_[number];
  const auto corner = corner_uvs(*geometry, triangle);
  return picture->at((1 - u - v) * corner[0] + u * corner[1] + v * corner[2]);
}

}  // namespace protobeam
