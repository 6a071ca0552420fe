#include "app/bench/agreement.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "app/bench/dice.h"
#include "base/libm.h"
#include "raycast/embree_scene.h"

namespace protobeam::bench {
namespace {

constexpr int kLayers = 128, kColumns = 4096, kTileLayers = 4, kTileColumns = 4;
/// Of ranges that single precision, in which both look for the nearest, does not tell apart.
constexpr float kCoincident = 4e-6f;

struct Rays {
  std::vector<float> dx, dy, dz;

  void add(const Vec3& d) {
    dx.push_back(static_cast<float>(d.x()));
    dy.push_back(static_cast<float>(d.y()));
    dz.push_back(static_cast<float>(d.z()));
  }
  Vec3 direction(std::size_t i) const { return Vec3(dx[i], dy[i], dz[i]); }
};

/// What rays have hit.
struct Found {
  std::vector<float> range;
  std::vector<std::uint32_t> instance, shape, primitive;

  bool same_triangle(std::size_t i, const Found& other, std::size_t k) const {
    return instance[i] == other.instance[k] && shape[i] == other.shape[k] &&
           primitive[i] == other.primitive[k];
  }
  bool same(std::size_t i, const Found& other) const {
    return std::bit_cast<std::uint32_t>(range[i]) == std::bit_cast<std::uint32_t>(other.range[i]) &&
           instance[i] == other.instance[i] && shape[i] == other.shape[i];
  }
};

RayBatch batch_of(const Rays& rays, const Pose& X_WS) {
  RayBatch batch;
  batch.X_WS = X_WS;
  batch.dx = rays.dx.data(), batch.dy = rays.dy.data(), batch.dz = rays.dz.data();
  batch.count = rays.dx.size();
  batch.t_near = 0.3f, batch.t_far = 200;
  batch.hits = true;
  return batch;
}

void cast(RayScene& scene, const RayBatch& batch, Found& to) {
  to.range.resize(batch.count);
  for (auto* numbers : {&to.instance, &to.shape, &to.primitive}) numbers->resize(batch.count);
  scene.cast(batch, [&](const RayBlock& block) {
    std::copy_n(block.range, block.count, &to.range[block.first]);
    std::copy_n(block.instance, block.count, &to.instance[block.first]);
    std::copy_n(block.shape, block.count, &to.shape[block.first]);
    std::copy_n(block.primitive, block.count, &to.primitive[block.first]);
  });
}

/// A head that turns, its layers at random elevations and each turned by a part of a column.
Rays random_head(Dice& dice) {
  std::vector<double> elevation, offset;
  for (int i = 0; i < kLayers; ++i) {
    elevation.push_back(dice(-0.5, 0.4));
    offset.push_back(dice(0, 0.5));
  }
  std::ranges::sort(elevation);
  Rays rays;
  for (int band = 0; band < kColumns; band += kTileColumns) {
    for (int first = 0; first < kLayers; first += kTileLayers) {
      for (int layer = first; layer < first + kTileLayers; ++layer) {
        for (int column = band; column < band + kTileColumns; ++column) {
          const auto l = static_cast<std::size_t>(layer);
          const double azimuth = 2 * kPi * (column + offset[l]) / kColumns;
          const double across = libm::cos(elevation[l]);
          rays.add(
              {across * libm::cos(azimuth), across * libm::sin(azimuth), libm::sin(elevation[l])});
        }
      }
    }
  }
  return rays;
}

Vec3 random_direction(Dice& dice) {
  for (;;) {
    const Vec3 v{dice(-1, 1), dice(-1, 1), dice(-1, 1)};  // in that order
    if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
}

/// Two rays have hit different triangles: how far (rad) from an edge of the nearer one, by rays
/// beside, of which Embree says whether they hit it. Infinite when that is more than 1e-4.
double angle_to_edge(const Vec3& d, const Pose& X_WS, const Found& ours, const Found& theirs,
                     std::size_t i, RayScene& traced, Dice& dice) {
  const bool ours_is_nearer = ours.range[i] < theirs.range[i];
  for (double angle = 1e-7; angle < 1e-4; angle *= 2) {
    Rays beside;
    for (int k = 0; k < 64; ++k) {
      const Vec3 aside = d.cross(random_direction(dice)).normalized();
      beside.add((d + angle * aside).normalized());
    }
    Found seen;
    cast(traced, batch_of(beside, X_WS), seen);
    for (std::size_t k = 0; k < seen.range.size(); ++k) {
      // At an outline, which may be an edge of a triangle that is seen from behind, its neighbour.
      const bool ours_too = seen.instance[k] == ours.instance[i] &&
                            seen.shape[k] == ours.shape[i] &&
                            std::abs(seen.range[k] - ours.range[i]) < 1e-2f * ours.range[i];
      if (ours_is_nearer ? ours_too : !seen.same_triangle(k, theirs, i)) return angle;
    }
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace

Agreement compare_with_embree(const std::function<void(RayScene&)>& fill, const Pose& X_WS,
                              std::size_t rays) {
  EmbreeScene drawn({.threads = 0}), traced({.threads = 0, .beam_caster = false});
  fill(drawn);
  fill(traced);
  Dice dice(7), aside(8);
  Agreement all;
  Found ours, theirs;
  // Where there are more triangles in view than pay, nothing is drawn: such places do not count.
  for (std::size_t tries = 0; all.rays < rays && tries < 20 + 12 * rays / (kLayers * kColumns);
       ++tries) {
    const Rays head = random_head(dice);
    const Vec3 from = X_WS.p + Vec3{dice(-40, 40), dice(-40, 40), dice(0, 4)};
    const Vec3 axis = random_direction(dice);
    const double tilt = dice(-0.3, 0.3), yaw = dice(-kPi, kPi);
    const Pose X{axis_angle(axis, tilt) * axis_angle(Vec3::UnitZ(), yaw), from};
    RayBatch batch = batch_of(head, X);
    const auto tiles = drawn.arrange(batch, kLayers / kTileLayers);
    batch.tiles = tiles.get();
    cast(drawn, batch, ours);
    const std::size_t count = drawn.drawn_rays();
    if (count == 0) continue;
    cast(traced, batch, theirs);
    all.rays += count;
    for (std::size_t i = 0; i < count; ++i) {
      all.hits += std::isfinite(ours.range[i]) ? 1 : 0;
      if (ours.same(i, theirs)) continue;
      // Something beside nothing is no coincidence.
      const float nearer = std::min(ours.range[i], theirs.range[i]);
      if (std::abs(ours.range[i] - theirs.range[i]) <= kCoincident * nearer) {
        ++all.coincident;
        continue;
      }
      const double angle = angle_to_edge(head.direction(i), X, ours, theirs, i, traced, aside);
      if (std::isinf(angle)) {
        ++all.wrong;
      } else {
        ++all.outlines;
        all.widest = std::max(all.widest, angle);
      }
    }
  }
  return all;
}

}  // namespace protobeam::bench
