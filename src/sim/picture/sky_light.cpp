#include "sim/picture/sky_light.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace protobeam {
namespace {

constexpr int kSkyDirections = 16;  // at least, a pixel

}  // namespace

SkyLight::SkyLight(RayScene& scene, const Bounds& box, const Vec3& to_sun, int side)
    : scene_(scene), distance_(100), to_sun_(to_sun), side_(side) {
  const int samples = side * side;
  if (!box.empty()) {
    centre_ = (box.min + box.max) / 2;
    distance_ = std::clamp(2 * (box.max - box.min).norm(), 50.0, 2000.0);
  }
  // Equal areas of the upper half, and opposite directions together, so that every subset has some
  // before any surface; azimuths by the golden angle.
  const int each = std::max(2, (kSkyDirections + samples - 1) / samples);
  const int subsets = 4 * samples;
  for (int i = 0; i < subsets; ++i) {
    std::vector<Vec3> directions;
    for (int k = 0; k < each; ++k) {
      const double z = (i + (k + 0.5) / each) / subsets;
      const double azimuth = 2.39996322972865332 * i + 2 * kPi * k / each;
      const double across = std::sqrt(1 - z * z);
      directions.emplace_back(across * std::cos(azimuth), across * std::sin(azimuth), z);
    }
    sky_.push_back(std::move(directions));
  }
}

int SkyLight::subset(int column, int row) const {
  const int sample = row % side_ * side_ + column % side_;
  const int pixel = row / side_ % 2 * 2 + column / side_ % 2;
  return 4 * sample + pixel;
}

std::vector<float> SkyLight::visible(const Vec3& direction, const std::vector<Receiver>& receivers,
                                     const std::vector<std::size_t>& which) const {
  const Vec3 light = centre_ + direction * distance_;
  const double lift = 2e-5 * distance_ + 5e-4;  // over the errors of single precision
  std::vector<float> dx, dy, dz, distances, range(which.size());
  for (const std::size_t i : which) {
    const Vec3 way = receivers[i].p_W + receivers[i].normal.cast<double>() * lift - light;
    const double length = way.norm();
    distances.push_back(static_cast<float>(length - lift));
    dx.push_back(static_cast<float>(way.x() / length));
    dy.push_back(static_cast<float>(way.y() / length));
    dz.push_back(static_cast<float>(way.z() / length));
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

std::vector<Light> SkyLight::on(const std::vector<Receiver>& receivers) const {
  std::vector<Light> lights(receivers.size());
  std::vector<float> weight(receivers.size()), sum(receivers.size());
  std::vector<std::size_t> which;
  const auto facing = [&receivers](std::size_t i, const Vec3& direction) {
    return receivers[i].normal.dot(direction.cast<float>());
  };
  // Places far from everything lie in the open.
  const auto near = [&](std::size_t i) { return (receivers[i].p_W - centre_).norm() < distance_; };
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    if (facing(i, to_sun_) > 0 && near(i)) which.push_back(i);
  }
  const std::vector<float> sun = visible(to_sun_, receivers, which);
  for (std::size_t k = 0; k < which.size(); ++k) lights[which[k]].sun = sun[k];

  std::vector<std::vector<std::size_t>> members(sky_.size());
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    if (near(i)) members[static_cast<std::size_t>(receivers[i].subset)].push_back(i);
  }
  for (std::size_t subset = 0; subset < sky_.size(); ++subset) {
    for (const Vec3& direction : sky_[subset]) {
      which.clear();
      std::copy_if(members[subset].begin(), members[subset].end(), std::back_inserter(which),
                   [&](std::size_t i) { return facing(i, direction) > 0; });
      const std::vector<float> seen = visible(direction, receivers, which);
      for (std::size_t k = 0; k < which.size(); ++k) {
        const float w = facing(which[k], direction);
        weight[which[k]] += w;
        sum[which[k]] += w * seen[k];
      }
    }
  }
  for (std::size_t i = 0; i < receivers.size(); ++i) {
    // A surface that faces down sees no sky, only what the ground sends up.
    lights[i].sky = weight[i] > 0 ? sum[i] / weight[i] : 0.6f;
  }
  return lights;
}

}  // namespace protobeam
