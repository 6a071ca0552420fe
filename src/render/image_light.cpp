#include "render/image_light.h"

#include <limits>

#include "base/clones.h"
#include "render/light_reach.h"

namespace protobeam::render {
namespace {

constexpr float kNothingMet = std::numeric_limits<float>::infinity();

/// Where light comes from that a mirror sends to the camera.
PROTOBEAM_CLONES void find_mirrored(const LitPoints& p, float* __restrict x, float* __restrict y,
                                    float* __restrict z) {
  for (int i = 0; i < p.count; ++i) {
    const float cosine = -(p.nx[i] * p.dx[i] + (p.ny[i] * p.dy[i] + p.nz[i] * p.dz[i]));
    const float not_behind = cosine < 0 ? 0.0f : cosine;
    const float twice = 2 * (not_behind > 1 ? 1.0f : not_behind);
    x[i] = p.dx[i] + twice * p.nx[i];
    y[i] = p.dy[i] + twice * p.ny[i];
    z[i] = p.dz[i] + twice * p.nz[i];
  }
}

/// The sky in the directions of the points `which`, into their `out`.
void look_up(const SkyLook& sky, const int* which, int count, const float* x, const float* y,
             const float* z, bool mirrored, LitPoints::Floats out[3]) {
  if (count == 0) return;
  LitPoints::Floats dx, dy, dz, colors[3];
  for (int k = 0; k < count; ++k) {
    dx[k] = x[which[k]], dy[k] = y[which[k]], dz[k] = z[which[k]];
  }
  sky_at(sky, dx, dy, dz, count, mirrored, colors);
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < count; ++k) out[c][which[k]] = colors[c][k];
  }
}

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
  int which[LitPoints::kSize], count = 0;
  for (int i = 0; i < p.count; ++i) {
    which[count] = i;
    count += p.distance[i] < kNothingMet ? 0 : 1;
  }
  look_up(sky, which, count, p.dx, p.dy, p.dz, false, p.out);
}

void mirror_sky(const SkyLook& sky, LitPoints& p) {
  int which[LitPoints::kSize], count = 0;
  for (int i = 0; i < p.count; ++i) {
    which[count] = i;
    count += p.distance[i] < kNothingMet && p.roughness[i] < 1 ? 1 : 0;
  }
  LitPoints::Floats x, y, z;
  if (count > 0) find_mirrored(p, x, y, z);
  look_up(sky, which, count, x, y, z, true, p.seen);
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
