#include "sub_rays.h"

#include <cmath>

#include "base/clones.h"
#include "base/libm.h"
#include "base/math.h"

namespace protobeam {
namespace {

/// Embree 3.13 loses packets of 16 in which a component lies between -1e-18 and 0.
PROTOBEAM_INLINE float flush(float x) { return std::abs(x) < 1e-12f ? 0.0f : x; }

/// Turns offsets of unit vectors by an orthonormal basis around each of them (T. Duff et al.,
/// "Building an orthonormal basis, revisited", JCGT 6 (2017)).
PROTOBEAM_CLONES void spread(const float* dx, const float* dy, const float* dz, std::size_t beams,
                             const float (&a)[kSubRays], const float (&b)[kSubRays], float* x,
                             float* y, float* z) {
  for (std::size_t i = 0; i < beams; ++i) {
    const float sign = dz[i] < 0 ? -1.0f : 1.0f;
    const float p = -1 / (sign + dz[i]), q = dx[i] * dy[i] * p;
    const float ux = 1 + sign * dx[i] * dx[i] * p, uy = sign * q, uz = -sign * dx[i];
    const float vx = q, vy = sign + dy[i] * dy[i] * p, vz = -dy[i];
    for (std::size_t k = 0; k < kSubRays; ++k) {
      const float sx = dx[i] + a[k] * ux + b[k] * vx, sy = dy[i] + a[k] * uy + b[k] * vy,
                  sz = dz[i] + a[k] * uz + b[k] * vz;
      const float scale = 1 / std::sqrt(sx * sx + sy * sy + sz * sz);
      x[kSubRays * i + k] = flush(sx * scale);
      y[kSubRays * i + k] = flush(sy * scale);
      z[kSubRays * i + k] = flush(sz * scale);
    }
  }
}

const float* part(const float* all, std::size_t first) { return all ? all + first : nullptr; }

const float* repeat(const float* all, std::size_t first, std::size_t count,
                    std::vector<float>& out) {
  if (!all) return nullptr;
  out.resize(count * kSubRays);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < kSubRays; ++k) out[kSubRays * i + k] = all[first + i];
  }
  return out.data();
}

}  // namespace

std::array<std::array<float, 2>, kSubRays> sub_ray_offsets() {
  std::array<std::array<float, 2>, kSubRays> out{};
  std::size_t ray = 1;
  for (const std::size_t ring : {5, 10}) {
    const double inside = (static_cast<double>(ray) + static_cast<double>(ring) / 2) / kSubRays;
    const double radius = std::sqrt(-libm::log(1 - inside) / 2);
    for (std::size_t k = 0; k < ring; ++k, ++ray) {
      const double angle = 2 * kPi * (static_cast<double>(k) + 0.5) / static_cast<double>(ring);
      out[ray] = {static_cast<float>(radius * libm::cos(angle)),
                  static_cast<float>(radius * libm::sin(angle))};
    }
  }
  return out;
}

SubRays::SubRays(double divergence) : divergence_(divergence), offsets_(sub_ray_offsets()) {}

RayBatch SubRays::expand(const RayBatch& beams, std::size_t first, std::size_t count) {
  RayBatch out = beams;
  out.tiles = nullptr;  // of whole sweeps
  out.near = nullptr;   // other rays leave a housing elsewhere
  if (divergence_ <= 0) {
    for (const float** axis : {&out.dx, &out.dy, &out.dz, &out.ox, &out.oy, &out.oz, &out.time}) {
      *axis = part(*axis, first);
    }
    out.count = count;
    return out;
  }
  out.count = count * kSubRays;
  out.packet = 16;
  for (auto* axis : {&dx_, &dy_, &dz_}) axis->resize(out.count);
  float a[kSubRays], b[kSubRays];
  const float half = static_cast<float>(libm::tan(divergence_ / 2));
  for (std::size_t k = 0; k < kSubRays; ++k) {
    a[k] = half * offsets_[k][0];
    b[k] = half * offsets_[k][1];
  }
  spread(beams.dx + first, beams.dy + first, beams.dz + first, count, a, b, dx_.data(), dy_.data(),
         dz_.data());
  out.dx = dx_.data();
  out.dy = dy_.data();
  out.dz = dz_.data();
  out.ox = repeat(beams.ox, first, count, ox_);
  out.oy = repeat(beams.oy, first, count, oy_);
  out.oz = repeat(beams.oz, first, count, oz_);
  out.time = repeat(beams.time, first, count, time_);
  return out;
}

}  // namespace protobeam
