#include "rgbd_messages.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace protobeam {

std::vector<std::uint16_t> in_millimetres(std::span<const std::uint16_t> depths, double step) {
  std::vector<std::uint16_t> out(depths.size());
  for (std::size_t i = 0; i < depths.size(); ++i) {
    const double depth = std::floor(depths[i] * step * 1000 + 0.5);
    out[i] = depth <= std::numeric_limits<std::uint16_t>::max() ? static_cast<std::uint16_t>(depth)
                                                                : std::uint16_t{0};
  }
  return out;
}

message::PointCloud2 depth_points(const message::Header& header, const DepthView& view) {
  const bool colored = !view.bgra.empty();
  const auto width = static_cast<std::uint32_t>(view.depth.width);
  message::PointCloud2 cloud;
  cloud.header = header;
  cloud.width = width;
  cloud.height = static_cast<std::uint32_t>(view.depth.height);
  constexpr std::uint8_t kFloat32 = 7;
  cloud.fields = {{"x", 0, kFloat32, 1}, {"y", 4, kFloat32, 1}, {"z", 8, kFloat32, 1}};
  if (colored) cloud.fields.push_back({"rgb", 12, kFloat32, 1});
  cloud.point_step = colored ? 16 : 12;
  cloud.row_step = cloud.point_step * width;
  cloud.is_dense = false;
  cloud.data.resize(std::size_t{cloud.row_step} * cloud.height);
  const auto& lens = *view.depth.model;
  for (std::size_t i = 0; i < view.depths.size(); ++i) {
    std::uint8_t* point = cloud.data.data() + i * cloud.point_step;
    float xyz[3];
    std::fill(xyz, xyz + 3, std::numeric_limits<float>::quiet_NaN());
    const auto ray = view.depths[i] ? lens.ray(static_cast<double>(i % width),
                                               static_cast<double>(i / width))
                                    : std::nullopt;
    if (ray) {
      const Vec3 p = *ray / ray->z() * (view.depths[i] * view.step);
      for (int axis = 0; axis < 3; ++axis) xyz[axis] = static_cast<float>(p[axis]);
      const auto place = colored ? view.color.model->project(view.X_CD * p) : std::nullopt;
      if (place) {
        const auto column = std::lround(place->x()), row = std::lround(place->y());
        if (column >= 0 && column < view.color.width && row >= 0 && row < view.color.height) {
          const auto pixel = static_cast<std::size_t>(row * view.color.width + column);
          std::memcpy(point + 12, view.bgra.data() + 4 * pixel, 3);
        }
      }
    }
    std::memcpy(point, xyz, sizeof xyz);
  }
  return cloud;
}

}  // namespace protobeam
