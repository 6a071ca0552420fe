#include "infrared_pair.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "matcher.h"
#include "render/camera_levels.h"

namespace protobeam {
namespace {

constexpr double kNear = 0.01;        // m
constexpr double kDotsPerUnit = 160;  // cells of the pattern, along the plane 1 m away
constexpr double kDotShare = 0.15;    // of the cells that hold a dot
constexpr double kFarthestDot = 1e9;  // column or row of a cell; beyond, all are the same one

/// A fixed random pattern: whether a cell holds a dot.
bool has_dot(std::int32_t column, std::int32_t row) {
  NoiseKey key;
  key.seed = 0x1dea;
  key.device = static_cast<std::uint32_t>(column);
  key.stream = static_cast<std::uint32_t>(row);
  return uniform(key, 0) < kDotShare;
}

}  // namespace

InfraredPair::InfraredPair(const StereoFigures& figures, const render::ImageGeometry& image,
                           double projector, double noise)
    : figures_(figures),
      image_(image),
      projector_(projector),
      noise_(noise),
      rays_(image) {
  if (!can_match()) {
    throw std::invalid_argument(
        "field 'depthModel': this build cannot match images; install libopencv-calib3d-dev and "
        "build again, or write \"stereo_formula\"");
  }
  for (const double k : image.model->coefficients) {
    if (k != 0) {
      throw std::invalid_argument(
          "field 'depthDistortion': matching needs images without distortion");
    }
  }
  set_fixed_shapes(nullptr);
}

void InfraredPair::set_fixed_shapes(const std::vector<FixedShape>* shapes) {
  const render::Housing left(shapes);
  const render::Housing right(shapes, Pose::translation({0, -figures_.baseline, 0}));
  imagers_.clear();
  const auto add = [this](const render::Housing& housing) {
    imagers_.push_back(
        {render::ColorImager(image_, 1, kNear, 0, render::RayOrder::kTiles, housing), {}});
    if (!housing.empty()) imagers_.back().near.emplace(rays_, image_, 0, housing);
  };
  add(left);
  if (!left.empty() || !right.empty()) add(right);
}

void InfraredPair::add_dots(RayScene& scene, const Imager& imager, const Pose& X_WI,
                            const Pose& X_WP) {
  RayBatch batch = rays_.batch(scene, X_WI);
  if (imager.near) imager.near->give(batch);
  batch.hits = batch.normals = true;
  const Pose X_PI = X_WP.inverse() * X_WI;
  scene.cast(batch, [&](const RayBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      if (!std::isfinite(block.range[i])) continue;
      const std::size_t ray = block.first + i;
      const Vec3 p = X_PI * Vec3(double{block.range[i]} *
                                 Vec3(rays_.dx[ray], rays_.dy[ray], rays_.dz[ray]));
      if (!(p.x() > 0)) continue;
      const auto cell = [&](double along) {
        return static_cast<std::int32_t>(
            std::clamp(std::floor(along / p.x() * kDotsPerUnit), -kFarthestDot, kFarthestDot));
      };
      if (!has_dot(cell(p.y()), cell(p.z()))) continue;
      const Vec3 to_projector = X_WP.R * Vec3(-p.normalized());
      const double cosine = std::max(
          0.0, to_projector.dot(Vec3(block.nx[i], block.ny[i], block.nz[i])));
      light_[rays_.pixel[ray]] += render::Color::Constant(
          static_cast<float>(projector_ * cosine / p.squaredNorm()));
    }
  });
}

std::vector<std::uint8_t> InfraredPair::take(RayScene& scene, const Appearance& appearance,
                                             Imager& imager, const Pose& X_WI, const Pose& X_WP,
                                             const NoiseKey& key) {
  const auto count = static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height);
  light_.assign(count, render::Color::Zero());
  imager.colors.render(scene, appearance, X_WI, light_);
  if (projector_ > 0) add_dots(scene, imager, X_WI, X_WP);
  std::vector<float> noise(count, 0.0f);
  if (noise_ > 0) fill_gaussian(key, 0, noise);
  std::vector<std::uint8_t> out(count);
  const render::CameraLevels& levels = render::camera_levels();
  for (std::size_t i = 0; i < count; ++i) {
    const float level = static_cast<float>(levels(light_[i].sum() / 3)) / 255.0f;
    out[i] = render::to_byte(level + static_cast<float>(noise_ / 255) * noise[i]);
  }
  return out;
}

void InfraredPair::find_depths(RayScene& scene, const Appearance& appearance, const Pose& X_WS,
                               NoiseKey key, std::span<float> depths) {
  const auto at = [&](double share) {
    return X_WS * Pose::translation({0, -share * figures_.baseline, 0});
  };
  const Pose projector = at(0.5);
  const auto left = take(scene, appearance, imagers_.front(), at(0), projector, key);
  key.stream += 0x100;
  const auto right = take(scene, appearance, imagers_.back(), at(1), projector, key);
  const double scale = figures_.focal * figures_.baseline;
  const double most = scale / std::max(figures_.least_depth, 0.05);
  disparity_.resize(depths.size());
  match(left, right, image_.width, image_.height, most, disparity_);
  for (std::size_t i = 0; i < depths.size(); ++i) {
    depths[i] = disparity_[i] > 0 ? static_cast<float>(scale / disparity_[i]) : 0.0f;
  }
}

}  // namespace protobeam
