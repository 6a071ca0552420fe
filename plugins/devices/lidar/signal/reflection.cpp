#include "reflection.h"

#include <algorithm>

namespace protobeam {
namespace {

constexpr std::size_t kRun = 256;
constexpr float kSky = 0.2f;

struct SurfaceProperties {
  float diffuse[kRun], specular[kRun], slope[kRun], retro[kRun];
};

PROTOBEAM_CLONES void gather(const SurfaceTable& table, const std::uint32_t* number, std::size_t n,
                             SurfaceProperties& out) {
  const float *diffuse = table.diffuse(), *specular = table.specular(), *slope = table.slope(),
              *retro = table.retro();
  for (std::size_t i = 0; i < n; ++i) {
    const auto k = static_cast<std::int32_t>(number[i]);
    out.diffuse[i] = diffuse[k];
    out.specular[i] = specular[k];
    out.slope[i] = slope[k];
    out.retro[i] = retro[k];
  }
}

PROTOBEAM_CLONES void reflect_all(const SurfaceProperties& p, const float* cosine, std::size_t n,
                                  float* out) {
  for (std::size_t i = 0; i < n; ++i) {
    out[i] = reflectance(p.diffuse[i], p.specular[i], p.slope[i], p.retro[i], cosine[i]);
  }
}

void draw_pictures(const RayBlock& b, std::size_t first, std::size_t n, const SurfaceTable& table,
                   const std::uint32_t* number, float* diffuse) {
  if (!table.has_pictures()) return;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = first + i;
    if (!table.has_picture(number[i])) continue;
    diffuse[i] = table.diffuse_at(number[i], b.primitive[k], b.u[k], b.v[k]);
  }
}

void find(const RayBlock& b, std::size_t first, std::size_t n, const SurfaceTable& table,
          std::uint32_t* number) {
  for (std::size_t i = 0; i < n; ++i) {
    number[i] = table.number(b.instance[first + i], b.shape[first + i]);
  }
}

}  // namespace

void reflect(const RayBlock& block, std::size_t first, std::size_t n, const SurfaceTable* surfaces,
             float* out, std::uint32_t* number) {
  const float* cosine = block.cosine + first;
  if (!surfaces) {
    for (std::size_t i = 0; i < n; ++i) out[i] = kUnknownReflectance * cosine[i];
    if (number) std::fill_n(number, n, 0);
    return;
  }
  for (std::size_t done = 0; done < n; done += kRun) {
    const std::size_t run = std::min(kRun, n - done);
    std::uint32_t own[kRun];
    std::uint32_t* numbers = number ? number + done : own;
    SurfaceProperties properties;
    find(block, first + done, run, *surfaces, numbers);
    gather(*surfaces, numbers, run, properties);
    draw_pictures(block, first + done, run, *surfaces, numbers, properties.diffuse);
    reflect_all(properties, cosine + done, run, out + done);
  }
}

void ambient(const RayBlock& b, std::size_t first, std::size_t n, const SurfaceTable* surfaces,
             const Sun* sun, float* out) {
  if (!sun) {
    std::fill_n(out, n, 0.0f);
    return;
  }
  const auto light = static_cast<float>(sun->irradiance);
  const Eigen::Vector3f to_sun = sun->direction_W.cast<float>();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = first + i;
    const float facing = std::max(0.0f, Eigen::Vector3f(b.nx[k], b.ny[k], b.nz[k]).dot(to_sun));
    float diffuse = kUnknownReflectance;
    if (surfaces) {
      std::uint32_t number;
      find(b, k, 1, *surfaces, &number);
      diffuse = surfaces->diffuse()[number];
      draw_pictures(b, k, 1, *surfaces, &number, &diffuse);
    }
    out[i] = light * (b.instance[k] == kNoHit ? kSky : diffuse * (facing + kSky));
  }
}

}  // namespace protobeam
