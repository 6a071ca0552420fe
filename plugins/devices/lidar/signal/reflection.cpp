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

void find(const RayBlock& b, std::size_t first, std::size_t n, const SurfaceTable& table,
          std::uint32_t* number) {
  for (std::size_t i = 0; i < n; ++i) {
    number[i] = table.number(b.instance[first + i], b.shape[first + i]);
  }
}

}  // namespace

void reflect(const RayBlock& block, std::size_t first, std::size_t n, const SurfaceTable* surfaces,
             const Reflections& out) {
  const float* cosine = block.cosine + first;
  if (!surfaces) {
    for (std::size_t i = 0; i < n; ++i) out.reflectance[i] = kUnknownReflectance * cosine[i];
    if (out.number) std::fill_n(out.number, n, 0);
    if (out.diffuse) std::fill_n(out.diffuse, n, kUnknownReflectance);
    return;
  }
  for (std::size_t done = 0; done < n; done += kRun) {
    const std::size_t run = std::min(kRun, n - done), at = first + done;
    std::uint32_t own[kRun];
    std::uint32_t* numbers = out.number ? out.number + done : own;
    SurfaceProperties properties;
    find(block, at, run, *surfaces, numbers);
    gather(*surfaces, numbers, run, properties);
    surfaces->draw_pictures(numbers, block.primitive + at, block.u + at, block.v + at, run,
                            properties.diffuse);
    reflect_all(properties, cosine + done, run, out.reflectance + done);
    if (out.diffuse) std::copy_n(properties.diffuse, run, out.diffuse + done);
  }
}

PROTOBEAM_CLONES void ambient(const RayBlock& b, std::size_t first, std::size_t n,
                              const float* diffuse, const Sun* sun, float* out) {
  if (!sun) {
    std::fill_n(out, n, 0.0f);
    return;
  }
  const auto light = static_cast<float>(sun->irradiance);
  const Eigen::Vector3f to_sun = sun->direction_W.cast<float>();
  const float sx = to_sun.x(), sy = to_sun.y(), sz = to_sun.z();
  const float *nx = b.nx + first, *ny = b.ny + first, *nz = b.nz + first;
  for (std::size_t i = 0; i < n; ++i) {
    const float facing = nx[i] * sx + (ny[i] * sy + nz[i] * sz);
    out[i] = diffuse[i] * ((facing > 0 ? facing : 0.0f) + kSky);
  }
  const std::uint32_t* instance = b.instance + first;
  for (std::size_t i = 0; i < n; ++i) {
    const float seen = out[i];
    out[i] = light * (instance[i] == kNoHit ? kSky : seen);
  }
}

}  // namespace protobeam
