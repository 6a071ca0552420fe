#include "returns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kChunk = 1024;
constexpr std::uint32_t kOutside = 0xffffffffu;  ///< cell of a beam that is not wanted

PROTOBEAM_CLONES void add_noise(const float* normal, float sigma, std::size_t n, float* range) {
  for (std::size_t i = 0; i < n; ++i) range[i] += sigma * normal[i];
}

PROTOBEAM_CLONES void quantise(double step, std::size_t n, float* range) {
  for (std::size_t i = 0; i < n; ++i) {
    range[i] = static_cast<float>(std::floor(range[i] / step + 0.5) * step);
  }
}

/// What is out of limits does not return. Gives back how many do.
PROTOBEAM_CLONES std::size_t limit(float min, float max, std::size_t n, float* range) {
  std::uint32_t returned = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool good = range[i] >= min && range[i] <= max;
    range[i] = good ? range[i] : kInfinity;
    returned += good ? 1u : 0u;
  }
  return returned;
}

PROTOBEAM_CLONES void locate(const float* range, const float* dx, const float* dy, const float* dz,
                             const std::uint32_t* cell, const std::int32_t* layer, float time,
                             std::size_t n, LidarPoint* points) {
  float x[kChunk], y[kChunk], z[kChunk];
  for (std::size_t i = 0; i < n; ++i) {
    const bool hit = range[i] < kInfinity;
    const float r = range[i];
    x[i] = hit ? r * dx[i] : kInfinity;  // inf * 0 is not a number
    y[i] = hit ? r * dy[i] : kInfinity;
    z[i] = hit ? r * dz[i] : kInfinity;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (cell[i] != kOutside) points[cell[i]] = {x[i], y[i], z[i], layer[i], time};
  }
}

}  // namespace

void Returns::take(const RayBlock& block) {
  for (std::size_t done = 0; done < block.count; done += kChunk) {
    const std::size_t n = std::min(kChunk, block.count - done);
    const std::size_t beam = first_beam + block.first + done;
    const std::uint32_t* cell = grid->cell() + beam;
    const std::int32_t* layer = grid->layer() + beam;
    float r[kChunk];
    std::copy_n(block.range + done, n, r);
    if (model->sigma > 0) {
      float normal[kChunk];
      fill_gaussian(noise, beam, {normal, n});
      add_noise(normal, static_cast<float>(model->sigma), n, r);
    }
    if (model->resolution > 0) quantise(model->resolution, n, r);
    const std::size_t good =
        limit(static_cast<float>(model->min), static_cast<float>(model->max), n, r);
    std::uint32_t wanted[kChunk];
    if (columns < static_cast<std::uint32_t>(grid->columns())) {
      keep_sector(cell, layer, n, wanted);
      cell = wanted;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (cell[i] != kOutside) range[cell[i]] = r[i];
    }
    if (points) {
      locate(r, grid->dx() + beam, grid->dy() + beam, grid->dz() + beam, cell, layer, time, n,
             points);
    }
    returned.fetch_add(good, std::memory_order_relaxed);
  }
}

void Returns::keep_sector(const std::uint32_t* cell, const std::int32_t* layer, std::size_t n,
                          std::uint32_t* out) const {
  const auto width = static_cast<std::uint32_t>(grid->columns());
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t column = cell[i] - static_cast<std::uint32_t>(layer[i]) * width;
    out[i] = column - first_column < columns ? cell[i] : kOutside;
  }
}

}  // namespace protobeam
