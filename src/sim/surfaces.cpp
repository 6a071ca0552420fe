#include "sim/surfaces.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "render/color.h"

namespace protobeam {
namespace {

constexpr float kDarkest = 0.02f, kLightest = 0.90f;  ///< bodies of black and of white things
constexpr float kInsulatorMirror = 0.04f;             ///< refractive index 1.5, normal incidence
constexpr float kFlattest = 0.02f;
constexpr int kPictureSide = 1024;  ///< pixels; finer pictures are averaged

/// Y of linear Rec. 709.
float luminance(const Eigen::Vector3f& rgb) {
  return Eigen::Vector3f(0.2126f, 0.7152f, 0.0722f).dot(rgb);
}

float insulator_body(float luminance) { return kDarkest + (kLightest - kDarkest) * luminance; }

/// Share of the light that the body of the material scatters.
float body_share(const Material& m) { return (1 - m.metalness) * (1 - m.transparency); }

std::shared_ptr<const SurfacePicture> picture_of(const Material& m) {
  const Image& image = *m.texture;
  const int step = (std::max(image.width, image.height) + kPictureSide - 1) / kPictureSide;
  auto out = std::make_shared<SurfacePicture>();
  out->width = (image.width + step - 1) / step;
  out->height = (image.height + step - 1) / step;
  out->repeat_s = m.repeat_s;
  out->repeat_t = m.repeat_t;
  out->uv_transform = m.uv_transform;
  float linear[256];
  for (int i = 0; i < 256; ++i) linear[i] = render::linear_from_srgb(static_cast<float>(i) / 255);
  const auto texel = [&](int x, int y) {
    const std::uint8_t* p =
        image.pixels.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                               static_cast<std::size_t>(x)) *
                                  static_cast<std::size_t>(image.channels);
    const bool grey = image.channels < 3;
    const Eigen::Vector3f rgb(linear[p[0]], linear[p[grey ? 0 : 1]], linear[p[grey ? 0 : 2]]);
    return luminance(m.base_color.cwiseProduct(rgb));
  };
  const float share = body_share(m);
  out->reflectance.reserve(static_cast<std::size_t>(out->width) *
                           static_cast<std::size_t>(out->height));
  for (int y = 0; y < image.height; y += step) {
    for (int x = 0; x < image.width; x += step) {
      const int right = std::min(x + step, image.width), below = std::min(y + step, image.height);
      float sum = 0;
      for (int j = y; j < below; ++j) {
        for (int i = x; i < right; ++i) sum += texel(i, j);
      }
      const float mean = sum / static_cast<float>((right - x) * (below - y));
      out->reflectance.push_back(share * insulator_body(mean));
    }
  }
  return out;
}

}  // namespace

Surface surface_of(const Material& m) {
  Surface out;
  out.retro = m.lidar_retroreflectance;
  out.transmission = m.transparency * (1 - m.metalness);
  if (m.lidar_reflectance >= 0) {
    out.diffuse = m.lidar_reflectance;
    return out;
  }
  const float light = luminance(m.base_color);
  out.diffuse = body_share(m) * insulator_body(light);
  out.specular = kInsulatorMirror + (light - kInsulatorMirror) * m.metalness;
  out.slope = std::max(m.roughness * m.roughness, kFlattest);
  return out;
}

Surface SurfaceBuilder::surface(const std::shared_ptr<const Material>& material,
                                const std::shared_ptr<const Geometry>& geometry) {
  Surface out = surface_of(*material);
  const Image* image = material->texture.get();
  if (!image || image->pixels.empty() || material->lidar_reflectance >= 0) return out;
  Picture& known = pictures_[material.get()];
  known.table = table_;
  if (!known.picture) known = {material, picture_of(*material), table_};
  const auto& picture = known.picture;
  const auto& pixels = picture->reflectance;
  out.diffuse = static_cast<float>(std::accumulate(pixels.begin(), pixels.end(), 0.0) /
                                   static_cast<double>(pixels.size()));
  if (has_uvs(*geometry)) {
    out.picture = picture;
    out.geometry = geometry;
  }
  return out;
}

std::unique_ptr<SurfaceTable> SurfaceBuilder::table(const std::vector<VisualGroup>& groups) {
  auto out = std::make_unique<SurfaceTable>();
  ++table_;
  std::vector<Surface> shapes;
  for (const VisualGroup& group : groups) {
    shapes.clear();
    for (std::size_t i = 0; i < group.materials.size(); ++i) {
      shapes.push_back(surface(group.materials[i], group.geometries[i]));
    }
    out->set(group.instance, shapes);
  }
  std::erase_if(pictures_, [this](const auto& one) { return one.second.table != table_; });
  return out;
}

}  // namespace protobeam
