#include "image_writer.h"

#include <limits>

#include "base/clones.h"

namespace protobeam {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

PROTOBEAM_CLONES void locate(const float* range, const float* d, const float* o, std::size_t n,
                             float* out) {
  // inf * 0 is not a number
  if (o) {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = range[i] < kInfinity ? o[i] + range[i] * d[i] : kInfinity;
    }
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      out[i] = range[i] < kInfinity ? range[i] * d[i] : kInfinity;
    }
  }
}

PROTOBEAM_CLONES void clock(double start, const float* time, std::size_t n, float* out) {
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<float>(start + double{time[i]});
}

const float* from(const std::vector<float>& values, std::size_t first) {
  return values.empty() ? nullptr : values.data() + first;
}

}  // namespace

void write(const Written& w, const RangeImage& image) {
  const std::uint32_t* cell = w.cell;
  for (std::size_t i = 0; i < w.n; ++i) {
    if (cell[i] != kNoCell) image.range[cell[i]] = w.range[i];
  }
  if (!image.points) return;
  const SweepPattern& p = *w.pattern;
  float x[Returns::kMost], y[Returns::kMost], z[Returns::kMost], t[Returns::kMost];
  locate(w.range, p.dx.data() + w.first, from(p.ox, w.first), w.n, x);
  locate(w.range, p.dy.data() + w.first, from(p.oy, w.first), w.n, y);
  locate(w.range, p.dz.data() + w.first, from(p.oz, w.first), w.n, z);
  if (p.time.empty()) {
    std::fill_n(t, w.n, static_cast<float>(w.start));
  } else {
    clock(w.start, p.time.data() + w.first, w.n, t);
  }
  const std::int32_t* layer = p.layer.data() + w.first;
  for (std::size_t i = 0; i < w.n; ++i) {
    if (cell[i] != kNoCell) image.points[cell[i]] = {x[i], y[i], z[i], layer[i], t[i]};
  }
}

void write_no_points(std::size_t cells, int width, LidarPoint* points) {
  for (std::size_t i = 0; i < cells; ++i) {
    const auto layer = static_cast<std::int32_t>(i / static_cast<std::size_t>(width));
    points[i] = {kInfinity, kInfinity, kInfinity, layer, 0};
  }
}

}  // namespace protobeam
