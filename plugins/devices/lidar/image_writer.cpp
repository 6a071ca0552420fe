#include "image_writer.h"

#include <cstring>
#include <limits>

#include "base/clones.h"
#include "constants.h"

namespace protobeam {
namespace {

// A point is five words among its neighbours' in the image and five arrays in the sweep: four beams
// at a time are turned from one into the other in registers.
using Four = float __attribute__((vector_size(16)));
using FourWords = std::int32_t __attribute__((vector_size(16)));
constexpr std::size_t kFour = 4;
constexpr std::size_t kAhead = 32;  ///< beams, between fetching a point's place and writing it

template <typename To>
PROTOBEAM_INLINE To load(const void* from) {
  To to;
  std::memcpy(&to, from, sizeof to);
  return to;
}

/// One axis of the points; infinite where `hit` is false, for inf * 0 is not a number.
PROTOBEAM_INLINE Four locate(Four range, FourWords hit, const float* d, const float* o) {
  const Four along = range * load<Four>(d), infinity = Four{} + kInfinity;
  return hit ? (o ? load<Four>(o) + along : along) : infinity;
}

/// What a SweepPattern says of some beams; null: it says nothing.
struct Beams {
  const float *dx, *dy, *dz, *ox, *oy, *oz, *time;
  const std::int32_t* layer;
};

PROTOBEAM_INLINE float clock(double start, const float* time, std::size_t i) {
  return static_cast<float>(time ? start + double{time[i]} : start);
}
using FourDoubles = double __attribute__((vector_size(32)));
PROTOBEAM_INLINE Four clock_of_four(double start, const float* time, std::size_t i) {
  if (!time) return Four{} + static_cast<float>(start);
  const FourDoubles since = __builtin_convertvector(load<Four>(time + i), FourDoubles);
  return __builtin_convertvector(start + since, Four);
}

PROTOBEAM_INLINE void write_one(const Beams& b, std::size_t i, float r, double start,
                                LidarPoint& to) {
  const bool hit = r < kInfinity;
  to.x = hit ? (b.ox ? b.ox[i] + r * b.dx[i] : r * b.dx[i]) : kInfinity;
  to.y = hit ? (b.ox ? b.oy[i] + r * b.dy[i] : r * b.dy[i]) : kInfinity;
  to.z = hit ? (b.ox ? b.oz[i] + r * b.dz[i] : r * b.dz[i]) : kInfinity;
  to.layer_id = b.layer[i];
  to.time = clock(start, b.time, i);
}

PROTOBEAM_INLINE void write_four(const Beams& b, std::size_t i, Four r, const std::uint32_t* cell,
                                 double start, LidarPoint* points) {
  const FourWords hit = r < Four{} + kInfinity;
  const Four x = locate(r, hit, b.dx + i, b.ox ? b.ox + i : nullptr);
  const Four y = locate(r, hit, b.dy + i, b.ox ? b.oy + i : nullptr);
  const Four z = locate(r, hit, b.dz + i, b.ox ? b.oz + i : nullptr);
  const Four layer = load<Four>(b.layer + i);  // its bits
  const Four xy_low = __builtin_shufflevector(x, y, 0, 4, 1, 5);
  const Four xy_high = __builtin_shufflevector(x, y, 2, 6, 3, 7);
  const Four zl_low = __builtin_shufflevector(z, layer, 0, 4, 1, 5);
  const Four zl_high = __builtin_shufflevector(z, layer, 2, 6, 3, 7);
  const Four point[kFour] = {__builtin_shufflevector(xy_low, zl_low, 0, 1, 4, 5),
                             __builtin_shufflevector(xy_low, zl_low, 2, 3, 6, 7),
                             __builtin_shufflevector(xy_high, zl_high, 0, 1, 4, 5),
                             __builtin_shufflevector(xy_high, zl_high, 2, 3, 6, 7)};
  const Four time = clock_of_four(start, b.time, i);
  for (std::size_t k = 0; k < kFour; ++k) {
    if (cell[k] == kNoCell) continue;
    LidarPoint& to = points[cell[k]];
    std::memcpy(&to, &point[k], sizeof point[k]);
    to.time = time[k];
  }
}

PROTOBEAM_CLONES void write_all(const Beams& beams, const std::uint32_t* cell, const float* range,
                                std::size_t n, double start, float* ranges, LidarPoint* points) {
  const Beams b = beams;
  std::size_t i = 0;
  for (; i + kFour <= n; i += kFour) {
    const Four r = load<Four>(range + i);
    if (i + kAhead < n && cell[i + kAhead] != kNoCell) {
      const std::uint32_t ahead = cell[i + kAhead];
      __builtin_prefetch(ranges + ahead, 1);
      if (points) {
        __builtin_prefetch(points + ahead, 1);
        __builtin_prefetch(points + ahead + kFour - 1, 1);
      }
    }
    const std::uint32_t c = cell[i];
    // Beams of a tile are neighbours in the image, too.
    if (c != kNoCell && cell[i + 1] == c + 1 && cell[i + 2] == c + 2 && cell[i + 3] == c + 3) {
      std::memcpy(ranges + c, &r, sizeof r);
    } else {
      for (std::size_t k = 0; k < kFour; ++k) {
        if (cell[i + k] != kNoCell) ranges[cell[i + k]] = r[k];
      }
    }
    if (points) write_four(b, i, r, cell + i, start, points);
  }
  for (; i < n; ++i) {
    if (cell[i] == kNoCell) continue;
    ranges[cell[i]] = range[i];
    if (points) write_one(b, i, range[i], start, points[cell[i]]);
  }
}

template <typename T>
const T* from(const std::vector<T>& values, std::size_t first) {
  return values.empty() ? nullptr : values.data() + first;
}

}  // namespace

void write(const Written& w, const RangeImage& image) {
  const SweepPattern& p = *w.pattern;
  const std::size_t at = w.first;
  const Beams beams{from(p.dx, at), from(p.dy, at), from(p.dz, at),   from(p.ox, at),
                    from(p.oy, at), from(p.oz, at), from(p.time, at), from(p.layer, at)};
  write_all(beams, w.cell, w.range, w.n, w.start, image.range, image.points);
}

void write_no_points(std::size_t cells, int width, LidarPoint* points) {
  for (std::size_t i = 0; i < cells; ++i) {
    const auto layer = static_cast<std::int32_t>(i / static_cast<std::size_t>(width));
    points[i] = {kInfinity, kInfinity, kInfinity, layer, 0};
  }
}

}  // namespace protobeam
