#include "render/lit_points.h"

#include <cmath>

#include "base/clones.h"
#include "base/libm.h"
#include "base/math.h"

namespace protobeam::render {
namespace {

PROTOBEAM_INLINE float fifth(float x) { return (x * x) * (x * x) * x; }
PROTOBEAM_INLINE float at_least(float x, float low) { return x > low ? x : low; }

/// Of the light from all around, as far as it does not depend on the channel.
struct Surrounded {
  alignas(64) LitPoints::Floats slanted, gloss, dull;
};

PROTOBEAM_CLONES void look_around(const LitPoints& p, Surrounded& to) {
  for (int i = 0; i < p.count; ++i) {
    const float along = -(p.nx[i] * p.dx[i] + p.ny[i] * p.dy[i] + p.nz[i] * p.dz[i]);
    const float facing = along > 0 ? (along < 1 ? along : 1.0f) : 0.0f;
    const float smooth = 1 - p.roughness[i], gloss = smooth * smooth;
    to.slanted[i] = fifth(1 - facing);
    to.gloss[i] = gloss;
    const bool black = p.albedo[0][i] == 0 && p.albedo[1][i] == 0 && p.albedo[2][i] == 0;
    to.dull[i] = black ? 1.0f : gloss;
  }
}

PROTOBEAM_CLONES void start_color(float around, const Surrounded& s, const LitPoints& p, int channel,
                                  float* __restrict out) {
  const float* albedo = p.albedo[channel];
  const float *emissive = p.emissive[channel], *seen = p.seen[channel], *base = p.mirror[channel];
  for (int i = 0; i < p.count; ++i) {
    const float gloss = s.gloss[i];
    const float slanted = base[i] + (1 - base[i]) * s.slanted[i];
    const float mirror = base[i] + (slanted - base[i]) * gloss;
    out[i] = emissive[i] + p.open[i] * (albedo[i] * around +
                                        (around + (seen[i] - around) * gloss) * mirror * s.dull[i]);
  }
}

/// Light of intensity 1 and colour 1 that is scattered and mirrored; `scatters` and `shines` do not
/// depend on the channel.
struct Reflection {
  alignas(64) LitPoints::Floats cosine, shines, fresnel;
};

PROTOBEAM_CLONES void reflect(const LightDirections& to, const LitPoints& p, Reflection& r) {
  for (int i = 0; i < p.count; ++i) {
    const float cosine = p.nx[i] * to.x[i] + p.ny[i] * to.y[i] + p.nz[i] * to.z[i];
    float hx = to.x[i] - p.dx[i], hy = to.y[i] - p.dy[i], hz = to.z[i] - p.dz[i];
    const float length = std::sqrt(hx * hx + hy * hy + hz * hz);
    const float scale = 1 / at_least(length, 1e-12f);
    hx *= scale, hy *= scale, hz *= scale;
    const float n_h = at_least(p.nx[i] * hx + p.ny[i] * hy + p.nz[i] * hz, 0);
    const float v_h = at_least(-(hx * p.dx[i] + hy * p.dy[i] + hz * p.dz[i]), 0);
    const float n_v =
        std::abs(p.nx[i] * p.dx[i] + p.ny[i] * p.dy[i] + p.nz[i] * p.dz[i]) + 1e-4f;
    const float rough = at_least(p.roughness[i], 0.04f), alpha = rough * rough, a2 = alpha * alpha;
    const float lit = at_least(cosine, 1e-6f);
    const float g_l = 2 * lit / (lit + std::sqrt(a2 + (1 - a2) * lit * lit));
    const float g_v = 2 * n_v / (n_v + std::sqrt(a2 + (1 - a2) * n_v * n_v));
    const float d = (n_h * a2 - n_h) * n_h + 1;
    const float facets = a2 / (static_cast<float>(kPi) * d * d);
    r.cosine[i] = cosine;
    r.shines[i] = g_l * g_v * facets / (4 * lit * n_v);
    r.fresnel[i] = fifth(1 - v_h);
  }
}

PROTOBEAM_CLONES void add_color(int count, const Reflection& r, const float* share, float light,
                                float intensity, const float* albedo, const float* mirror, float* add) {
  const float diffuse = intensity / static_cast<float>(kPi);
  for (int i = 0; i < count; ++i) {
    const float fresnel = mirror[i] + (1 - mirror[i]) * r.fresnel[i];
    const float scattered = (1 - fresnel) * albedo[i] * diffuse;
    const float strength = r.cosine[i] > 0 ? share[i] * r.cosine[i] * intensity : 0.0f;
    add[i] = strength * light * (scattered + r.shines[i] * fresnel);
  }
}

PROTOBEAM_CLONES void add_diffuse(int begin, int end, const float* cosine, const float* share, float light,
                                  const float* albedo, float* __restrict add) {
  for (int i = begin; i < end; ++i) {
    add[i] = cosine[i] > 0 ? share[i] * cosine[i] * light * albedo[i] : 0.0f;
  }
}

/// Of points that face the light, one by one: few surfaces are polished.
void add_highlights(const LitPoints::PhongRun& run, const LightDirections& to, const float* cosine,
                    const Eigen::Vector3f& light, const LitPoints& p, LitPoints::Floats add[3]) {
  for (int i = run.begin; i < run.end; ++i) {
    if (!(cosine[i] > 0)) continue;
    const Eigen::Vector3f half(to.x[i] - p.dx[i], to.y[i] - p.dy[i], to.z[i] - p.dz[i]);
    const float along = p.nx[i] * half.x() + p.ny[i] * half.y() + p.nz[i] * half.z();
    const float length = std::sqrt(half.x() * half.x() + half.y() * half.y() + half.z() * half.z());
    const float n_h = at_least(along / at_least(length, 1e-12f), 0);
    const float bright = to.share[i] * libm::pow(n_h, run.exponent);
    for (int c = 0; c < 3; ++c) add[c][i] += bright * light[c] * p.mirror[c][i];
  }
}

}  // namespace

void start_light(const Eigen::Vector3f& around, const Eigen::Vector3f& ambient, LitPoints& points) {
  Surrounded surrounded;
  look_around(points, surrounded);
  for (int c = 0; c < 3; ++c) start_color(around[c], surrounded, points, c, points.out[c]);
  for (const LitPoints::PhongRun& run : points.phong) {
    for (int c = 0; c < 3; ++c) {
      for (int i = run.begin; i < run.end; ++i) {
        points.out[c][i] = points.emissive[c][i] + ambient[c] * points.ambient[c][i];
      }
    }
  }
}

void add_light(const Eigen::Vector3f& color, float intensity, const LightDirections& to_light,
               const LitPoints& points, LitPoints::Floats add[3], unsigned char* faces) {
  Reflection r;
  reflect(to_light, points, r);
  for (int c = 0; c < 3; ++c) {
    add_color(points.count, r, to_light.share, color[c], intensity, points.albedo[c],
              points.mirror[c], add[c]);
  }
  const Eigen::Vector3f bright = color * intensity;
  for (const LitPoints::PhongRun& run : points.phong) {
    bool polished = false;
    for (int c = 0; c < 3; ++c) {
      add_diffuse(run.begin, run.end, r.cosine, to_light.share, bright[c], points.albedo[c], add[c]);
      polished |= points.mirror[c][run.begin] > 0;  // the same all along a run
    }
    if (polished) add_highlights(run, to_light, r.cosine, bright, points, add);
  }
  for (int i = 0; i < points.count; ++i) {
    faces[i] = r.cosine[i] > 0 && to_light.share[i] > 0 ? 1 : 0;
  }
}

}  // namespace protobeam::render
