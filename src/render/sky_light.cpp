#include "render/sky_light.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/libm.h"

namespace protobeam::render {
namespace {

constexpr int kSkyDirections = 8;  // at least, a pixel

}  // namespace

SkyLight::SkyLight(RayScene& scene, const Bounds& box, const Vec3& to_sun, int side)
    : scene_(scene), distance_(100), to_sun_(to_sun), side_(side) {
  const int samples = side * side;
  if (!box.empty()) {
    centre_ = (box.min + box.max) / 2;
    distance_ = std::clamp(2 * (box.max - box.min).norm(), 50.0, 2000.0);
  }
  // Equal areas of the upper hemisphere, and opposite directions together, so that every subset has
  // some before any surface; azimuths by the golden angle.
  const int each = std::max(2, (kSkyDirections + samples - 1) / samples);
  const int subsets = 4 * samples;
  for (int i = 0; i < subsets; ++i) {
    std::vector<Vec3> directions;
    for (int k = 0; k < each; ++k) {
      const double z = (i + (k + 0.5) / each) / subsets;
      const double azimuth = 2.39996322972865332 * i + 2 * kPi * k / each;
      const double across = std::sqrt(1 - z * z);
      directions.emplace_back(across * libm::cos(azimuth), across * libm::sin(azimuth), z);
    }
    sky_.push_back(std::move(directions));
  }
}

std::size_t SkyLight::subset(const ShadingPoint& point) const {
  const int sample = point.row % side_ * side_ + point.column % side_;
  const int pixel = point.row / side_ % 2 * 2 + point.column / side_ % 2;
  return static_cast<std::size_t>(4 * sample + pixel);
}

std::vector<float> SkyLight::visible(const Vec3& direction, const std::vector<ShadingPoint>& points,
                                     const std::vector<std::size_t>& which) const {
  const Vec3 light = centre_ + direction * distance_;
  const double lift = 2e-5 * distance_ + 5e-4;  // over the errors of single precision
  std::vector<float> dx, dy, dz, distances, range(which.size());
  for (const std::size_t i : which) {
    const Vec3 ray = points[i].p_W + points[i].normal.cast<double>() * lift - light;
    const double length = ray.norm();
    distances.push_back(static_cast<float>(length - lift));
    dx.push_back(static_cast<float>(ray.x() / length));
    dy.push_back(static_cast<float>(ray.y() / length));
    dz.push_back(static_cast<float>(ray.z() / length));
  }
  RayBatch batch;
  batch.X_WS = Pose::translation(light);
  batch.dx = dx.data();
  batch.dy = dy.data();
  batch.dz = dz.data();
  batch.count = which.size();
  scene_.cast(batch, [&range](const RayBlock& block) {
    std::copy(block.range, block.range + block.count,
              range.begin() + static_cast<std::ptrdiff_t>(block.first));
  });
  for (std::size_t i = 0; i < range.size(); ++i) range[i] = range[i] < distances[i] ? 0.0f : 1.0f;
  return range;
}

bool SkyLight::is_near(const ShadingPoint& point) const {
  return (point.p_W - centre_).norm() < distance_;
}

std::vector<float> SkyLight::sun_on(const std::vector<ShadingPoint>& points) const {
  std::vector<std::size_t> sunny;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool faces = points[i].normal.dot(to_sun_.cast<float>()) > 0;
    if (faces && is_near(points[i])) sunny.push_back(i);
  }
  const std::vector<float> seen = visible(to_sun_, points, sunny);
  std::vector<float> sun(points.size(), 1.0f);
  for (std::size_t k = 0; k < sunny.size(); ++k) sun[sunny[k]] = seen[k];
  return sun;
}

std::vector<float> SkyLight::sky_on(const std::vector<ShadingPoint>& points,
                                    const std::vector<std::size_t>& which) const {
  std::vector<float> result(points.size(), 1.0f);
  std::vector<std::vector<std::size_t>> members(sky_.size());
  std::vector<std::size_t> near;
  for (const std::size_t i : which) {
    if (!is_near(points[i])) continue;
    near.push_back(i);
    members[subset(points[i])].push_back(i);
  }
  std::vector<float> weight(points.size()), sum(points.size());
  std::vector<std::size_t> facing;
  for (std::size_t subset = 0; subset < sky_.size(); ++subset) {
    for (const Vec3& direction : sky_[subset]) {
      const Eigen::Vector3f d = direction.cast<float>();
      facing.clear();
      std::copy_if(members[subset].begin(), members[subset].end(), std::back_inserter(facing),
                   [&](std::size_t i) { return points[i].normal.dot(d) > 0; });
      const std::vector<float> seen = visible(direction, points, facing);
      for (std::size_t k = 0; k < facing.size(); ++k) {
        const float w = points[facing[k]].normal.dot(d);
        weight[facing[k]] += w;
        sum[facing[k]] += w * seen[k];
      }
    }
  }

  // Points of the same surface in the same block of pixels take their common mean.
  struct Group {
    const ShadingPoint* first;
    float weight = 0, sum = 0;
  };
  int last_column = 0;
  for (const std::size_t i : near) last_column = std::max(last_column, points[i].column);
  const int size = 2 * side_;
  std::vector<std::vector<Group>> blocks(static_cast<std::size_t>(last_column / size + 1));
  const auto group_of = [&](const ShadingPoint& r) -> Group& {
    auto& groups = blocks[static_cast<std::size_t>(r.column / size)];
    for (Group& group : groups) {
      if (group.first->surface == r.surface && group.first->normal.dot(r.normal) > 0.9f) {
        return group;
      }
    }
    return groups.emplace_back(Group{&r});
  };
  // One row of blocks at a time.
  for (std::size_t begin = 0, end = 0; begin < near.size(); begin = end) {
    const int row = points[near[begin]].row / size;
    for (auto& groups : blocks) groups.clear();
    for (end = begin; end < near.size() && points[near[end]].row / size == row; ++end) {
      Group& group = group_of(points[near[end]]);
      group.weight += weight[near[end]];
      group.sum += sum[near[end]];
    }
    for (std::size_t k = begin; k < end; ++k) {
      const Group& group = group_of(points[near[k]]);
      // A surface that faces down sees no sky, only light from the ground.
      result[near[k]] = group.weight > 0 ? group.sum / group.weight : 0.6f;
    }
  }
  return result;
}

}  // namespace protobeam::render
