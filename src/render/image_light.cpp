#include "render/image_light.h"

#include <limits>

#include "base/clones.h"
#include "render/light_reach.h"

namespace protobeam::render {
namespace {

constexpr float kNothingMet = std::numeric_limits<float>::infinity();

}  // namespace

PROTOBEAM_CLONES void limit_distances(const float* range, float far, const float* forward,
                                      LitPoints& p) {
  const float limit = far > 0 ? far : kNothingMet;
  if (!forward) {
    for (int i = 0; i < p.count; ++i) p.distance[i] = range[i] < limit ? range[i] : kNothingMet;
    return;
  }
  for (int i = 0; i < p.count; ++i) {
    p.distance[i] = range[i] < limit / forward[i] ? range[i] : kNothingMet;
  }
}

PROTOBEAM_CLONES void arrive(const LitPoints::Floats* add, const unsigned char* some,
                             LitPoints& p) {
  for (int c = 0; c < 3; ++c) {
    float* __restrict out = p.out[c];
    for (int i = 0; i < p.count; ++i) out[i] = some[i] != 0 ? out[i] + add[c][i] : out[i];
  }
}

PROTOBEAM_CLONES void show_behind(const Color& color, LitPoints& p) {
  for (int c = 0; c < 3; ++c) {
    const float behind = color[c];
    float* __restrict out = p.out[c];
    for (int i = 0; i < p.count; ++i) out[i] = p.distance[i] < kNothingMet ? out[i] : behind;
  }
}

PROTOBEAM_CLONES void find_breadths(const float* distance, const float* cosine, float pixel_angle,
                                    int n, float* breadth) {
  for (int i = 0; i < n; ++i) {
    breadth[i] = distance[i] * pixel_angle / (cosine[i] > 0.15f ? cosine[i] : 0.15f);
  }
}

void show_sky(const SkyLook& sky, LitPoints& p) {
  LitPoints::Floats dx, dy, dz, colors[3];
  int which[LitPoints::kSize], count = 0;
  for (int i = 0; i < p.count; ++i) {
    if (p.distance[i] < kNothingMet) continue;
    dx[count] = p.dx[i], dy[count] = p.dy[i], dz[count] = p.dz[i];
    which[count++] = i;
  }
  if (count == 0) return;
  sky_at(sky, dx, dy, dz, count, false, colors);
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < count; ++k) p.out[c][which[k]] = colors[c][k];
  }
}

PROTOBEAM_CLONES void rotate_directions(const Eigen::Matrix3f& by, const float* x, const float* y,
                                        const float* z, std::size_t begin, std::size_t end,
                                        LitPoints& p) {
  const Eigen::Matrix3f R = by;
  for (std::size_t i = begin; i < end; ++i) {
    p.dx[i] = R(0, 0) * x[i] + R(0, 1) * y[i] + R(0, 2) * z[i];
    p.dy[i] = R(1, 0) * x[i] + R(1, 1) * y[i] + R(1, 2) * z[i];
    p.dz[i] = R(2, 0) * x[i] + R(2, 1) * y[i] + R(2, 2) * z[i];
  }
}

}  // namespace protobeam::render
