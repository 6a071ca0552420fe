#include "render/color_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/libm.h"

namespace protobeam::render {
namespace {

constexpr int kMostLayers = 5;  // surfaces that one ray sees, four of them transparent
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float fifth(float x) { return x * x * x * x * x; }

/// Share of a light that arrives, without shadows; `to_light` is its direction.
float arriving(const LightSource& light, const Vec3& p_W, Vec3& to_light, double& distance) {
  if (light.kind == LightSource::Kind::kDirectional) {
    to_light = -light.direction_W;
    distance = 1e6;
    return 1;
  }
  const Vec3 way = light.p_W - p_W;
  distance = way.norm();
  if (!(distance > 0) || distance > light.radius) return 0;
  to_light = way / distance;
  const Vec3& a = light.attenuation;
  const double fading = a.x() + a.y() * distance + a.z() * distance * distance;
  double share = fading > 0 ? 1 / fading : 1;
  if (light.kind == LightSource::Kind::kSpot) {
    // VRML97, 6.48: full within the beam, falling evenly to the cut-off.
    const double angle = libm::acos(std::clamp(-to_light.dot(light.direction_W), -1.0, 1.0));
    if (angle >= light.cut_off_angle) return 0;
    if (angle > light.beam_width && light.cut_off_angle > light.beam_width) {
      share *= (light.cut_off_angle - angle) / (light.cut_off_angle - light.beam_width);
    }
  }
  return static_cast<float>(share);
}

/// What fog leaves of the light from there.
float through_fog(const FogLook& fog, double distance) {
  if (!(fog.visibility_range > 0)) return 1;
  const double x = distance / fog.visibility_range;
  switch (fog.kind) {
    case FogLook::Kind::kLinear:
      return static_cast<float>(std::max(0.0, 1 - x));
    case FogLook::Kind::kExponential:
      return static_cast<float>(libm::exp(-x));
    case FogLook::Kind::kExponential2:
      return static_cast<float>(libm::exp(-x * x));
  }
  return 1;
}

/// Linear colour of a side of the sky at (s, t), 0..1 from its upper left corner.
Color texel(const Image& image, double s, double t) {
  const int x = std::clamp(static_cast<int>(s * image.width), 0, image.width - 1);
  const int y = std::clamp(static_cast<int>(t * image.height), 0, image.height - 1);
  const auto* p = image.pixels.data() +
                  (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                   static_cast<std::size_t>(x)) *
                      static_cast<std::size_t>(image.channels);
  const bool grey = image.channels < 3;
  return linear_from_srgb(Color(Color(p[0], p[grey ? 0 : 1], p[grey ? 0 : 2]) / 255.0f));
}

}  // namespace

ColorImager::ColorImager(const ImageGeometry& image, int side, double near, double far)
    : image_(image), side_(side), far_(far), rays_(image, side) {
  const bool planar = image.projection == Projection::kPlanar;
  near_.reserve(rays_.count());
  for (const float x : rays_.dx) near_.push_back(static_cast<float>(planar ? near / x : near));
  pixel_angle_ = static_cast<float>(image.field_of_view / image.width / side);
}

ColorImager::Hit ColorImager::surface(const Appearance& appearance, const Pose& X_WC,
                                      const RayBlock& block, std::size_t i, std::uint32_t ray,
                                      float& transparency) const {
  Hit hit;
  hit.ray = ray;
  hit.weight = 1;
  hit.distance = block.range[i];
  hit.direction =
      (X_WC.R * Vec3(rays_.dx[ray], rays_.dy[ray], rays_.dz[ray])).cast<float>();
  hit.normal = {block.nx[i], block.ny[i], block.nz[i]};
  static const Material kGrey = [] {
    Material grey;
    grey.base_color = {0.8f, 0.8f, 0.8f};
    grey.roughness = 1;
    return grey;
  }();
  const Material* material = &kGrey;
  const ShapeLook* look = nullptr;
  if (block.instance[i] < appearance.instances.size()) {
    const auto& shapes = appearance.instances[block.instance[i]].shapes;
    if (block.shape[i] < shapes.size()) look = &shapes[block.shape[i]];
  }
  if (look) material = look->material.get();
  Color color = material->base_color;
  transparency = material->transparency;
  if (look && look->geometry) {
    const Pose X_WS = appearance.instances[block.instance[i]].X_WI * look->X_IS;
    if (const auto* mesh = std::get_if<Mesh>(look->geometry.get());
        mesh != nullptr && block.primitive[i] < mesh->normals.size()) {
      const auto& corners = mesh->normals[block.primitive[i]];
      const Eigen::Vector3f n_S = (1 - block.u[i] - block.v[i]) * corners[0] +
                                  block.u[i] * corners[1] + block.v[i] * corners[2];
      const Eigen::Vector3f n_W = X_WS.R.cast<float>() * n_S;
      const float along = n_W.dot(hit.normal);
      // Normals that have little to do with the triangle come from broken files.
      if (std::abs(along) > 0.3f * n_W.norm()) hit.normal = (along < 0 ? -n_W : n_W).normalized();
    }
    if (material->texture) {
      const Vec3 p_W = X_WC.p + hit.direction.cast<double>() * double{hit.distance};
      const TexturePoint at = texture_point(*look->geometry, X_WS.inverse() * p_W, block.primitive[i],
                                            block.u[i], block.v[i]);
      const auto& transform = material->uv_transform;
      const Eigen::Vector2f uv = transform.leftCols<2>() * at.uv + transform.col(2);
      const float slant = std::max(0.15f, block.cosine[i]);
      const float footprint = hit.distance * pixel_angle_ / slant;
      const float scale = at.uv_per_metre * transform.leftCols<2>().norm() / std::sqrt(2.0f);
      color = color.cwiseProduct(textures_.known(*material->texture)
                                     .sample(uv, footprint * scale, material->repeat_s,
                                             material->repeat_t));
    }
  }
  const float metal = material->metalness;
  hit.albedo = color * (0.96f * (1 - metal));
  hit.emissive = material->emissive;
  hit.roughness = material->roughness;
  // Webots' old Appearance has roughness 1 and no metal: its mirror share vanishes with the gloss.
  hit.mirror = Color::Constant(0.04f) + (color - Color::Constant(0.04f)) * metal;
  return hit;
}

void ColorImager::meet(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                       const std::vector<std::uint32_t>& rays, const std::vector<float>& near) {
  const bool all = rays.empty();
  std::vector<float> dx, dy, dz;
  if (!all) {
    for (const std::uint32_t ray : rays) {
      dx.push_back(rays_.dx[ray]);
      dy.push_back(rays_.dy[ray]);
      dz.push_back(rays_.dz[ray]);
    }
  }
  const std::size_t count = all ? rays_.count() : rays.size();
  const std::size_t first = hits_.size();
  hits_.resize(first + count);
  RayBatch batch;
  batch.X_WS = X_WC;
  batch.dx = all ? rays_.dx.data() : dx.data();
  batch.dy = all ? rays_.dy.data() : dy.data();
  batch.dz = all ? rays_.dz.data() : dz.data();
  batch.near = near.data();
  batch.count = count;
  batch.hits = batch.normals = true;
  const bool planar = image_.projection == Projection::kPlanar;
  scene.cast(batch, [&](const RayBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      const std::uint32_t ray = all ? static_cast<std::uint32_t>(block.first + i)
                                    : rays[block.first + i];
      Hit& hit = hits_[first + block.first + i];
      const double limit = far_ > 0 ? (planar ? far_ / rays_.dx[ray] : far_) : kInfinity;
      if (!(block.range[i] < limit)) {
        hit.ray = ray;
        hit.distance = kInfinity;
        hit.weight = 1;
        continue;
      }
      float transparency = 0;
      hit = surface(appearance, X_WC, block, i, ray, transparency);
      hit.weight = 1 - transparency;
    }
  });
}

Color ColorImager::background(const SkyLook& sky, const Eigen::Vector3f& d, bool mirrored) const {
  enum { kRight, kLeft, kTop, kBottom, kFront, kBack };
  // Seen from the middle, x forward, as Webots hangs them since R2022a.
  int axis = 0;
  d.cwiseAbs().maxCoeff(&axis);
  const int side = axis == 0   ? (d.x() > 0 ? kFront : kBack)
                   : axis == 1 ? (d.y() > 0 ? kLeft : kRight)
                               : (d.z() > 0 ? kTop : kBottom);
  const auto& image = sky.sides[static_cast<std::size_t>(side)];
  if (!image || image->pixels.empty()) {
    if (mirrored) return sky.color * sky.luminosity;
    // A colour is shown as it is written: the camera's response makes it of this light.
    return sky.color.unaryExpr([](float c) {
      return static_cast<float>(-libm::log(1.0 - std::min(c, 0.9999f)));
    });
  }
  const float m = std::abs(d[axis]);
  double s = 0, t = 0;
  switch (side) {
    case kFront: s = -d.y() / m, t = -d.z() / m; break;
    case kBack: s = d.y() / m, t = -d.z() / m; break;
    case kLeft: s = d.x() / m, t = -d.z() / m; break;
    case kRight: s = -d.x() / m, t = -d.z() / m; break;
    case kTop: s = -d.y() / m, t = d.x() / m; break;
    default: s = -d.y() / m, t = -d.x() / m; break;
  }
  return texel(*image, (s + 1) / 2, (t + 1) / 2) * sky.luminosity;
}

std::vector<float> ColorImager::visible(RayScene& scene, const LightSource& light, const Pose& X_WC,
                                        const std::vector<std::size_t>& which) const {
  std::vector<float> ox, oy, oz, dx, dy, dz, seen(which.size());
  for (auto* floats : {&ox, &oy, &oz, &dx, &dy, &dz}) floats->reserve(which.size());
  std::vector<float> far;
  const Quat R_CW = X_WC.R.conjugate();
  for (const std::size_t k : which) {
    const Hit& hit = hits_[k];
    // Over the rounding of ranges to float.
    const double lift = 1e-4 + 2e-6 * hit.distance;
    const Vec3 from_C = R_CW * (hit.direction.cast<double>() * double{hit.distance} +
                                hit.normal.cast<double>() * lift);
    Vec3 to_light;
    double distance = 0;
    arriving(light, X_WC.p + X_WC.R * from_C, to_light, distance);
    const Vec3 d_C = R_CW * to_light;
    ox.push_back(static_cast<float>(from_C.x()));
    oy.push_back(static_cast<float>(from_C.y()));
    oz.push_back(static_cast<float>(from_C.z()));
    dx.push_back(static_cast<float>(d_C.x()));
    dy.push_back(static_cast<float>(d_C.y()));
    dz.push_back(static_cast<float>(d_C.z()));
    far.push_back(static_cast<float>(distance));
  }
  RayBatch batch;
  batch.X_WS = X_WC;
  batch.ox = ox.data(), batch.oy = oy.data(), batch.oz = oz.data();
  batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
  batch.count = which.size();
  scene.cast(batch, [&](const RayBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      seen[block.first + i] = block.range[i] < far[block.first + i] ? 0.0f : 1.0f;
    }
  });
  return seen;
}

void ColorImager::light(RayScene& scene, const Appearance& appearance, const Pose& X_WC) {
  const SkyLook& sky = appearance.sky;
  const Color around = sky.color * sky.luminosity;  // on all sides alike
  shown_.assign(hits_.size(), Color::Zero());
  std::vector<std::size_t> surfaces;
  for (std::size_t k = 0; k < hits_.size(); ++k) {
    const Hit& hit = hits_[k];
    if (hit.distance < kInfinity) {
      surfaces.push_back(k);
      const float facing = std::clamp(-hit.normal.dot(hit.direction), 0.0f, 1.0f);
      const Color mirror = hit.mirror + (Color::Ones() - hit.mirror) * fifth(1 - facing);
      const float gloss = (1 - hit.roughness) * (1 - hit.roughness);
      const Color seen = gloss > 0 ? background(sky, hit.direction + 2 * facing * hit.normal, true) : around;
      shown_[k] = hit.emissive + hit.albedo.cwiseProduct(around) +
                  (around + (seen - around) * gloss)
                      .cwiseProduct(hit.mirror + (mirror - hit.mirror) * gloss) *
                      (hit.albedo.isZero() ? 1.0f : gloss);
    }
  }
  for (const LightSource& source : appearance.lights) {
    std::vector<std::size_t> facing;
    std::vector<Color> adds;
    for (const std::size_t k : surfaces) {
      const Hit& hit = hits_[k];
      const Vec3 p_W = X_WC.p + hit.direction.cast<double>() * double{hit.distance};
      Vec3 to_light;
      double distance = 0;
      const float share = arriving(source, p_W, to_light, distance);
      if (share == 0) continue;
      shown_[k] += source.ambient * share * source.color.cwiseProduct(hit.albedo);
      const Eigen::Vector3f l = to_light.cast<float>();
      const float cosine = hit.normal.dot(l);
      if (!(cosine > 0)) continue;
      const Eigen::Vector3f half = (l - hit.direction).normalized();
      const float n_h = std::max(0.0f, hit.normal.dot(half)), v_h = std::max(0.0f, -half.dot(hit.direction));
      const float n_v = std::abs(hit.normal.dot(hit.direction)) + 1e-4f;
      const float rough = std::max(0.04f, hit.roughness), alpha = rough * rough, a2 = alpha * alpha;
      const Color fresnel = hit.mirror + (Color::Ones() - hit.mirror) * fifth(1 - v_h);
      const auto reaching = [a2](float c) { return 2 * c / (c + std::sqrt(a2 + (1 - a2) * c * c)); };
      const float d = (n_h * a2 - n_h) * n_h + 1;
      const float facets = a2 / (static_cast<float>(kPi) * d * d);
      const float highlight = reaching(cosine) * reaching(n_v) * facets / (4 * cosine * n_v);
      const Color diffuse = (Color::Ones() - fresnel).cwiseProduct(hit.albedo) *
                            (source.intensity / static_cast<float>(kPi));
      facing.push_back(k);
      adds.push_back((share * cosine * source.intensity * source.color)
                         .cwiseProduct(diffuse + highlight * fresnel));
    }
    const std::vector<float> seen = source.casts_shadows
                                        ? visible(scene, source, X_WC, facing)
                                        : std::vector<float>(facing.size(), 1.0f);
    for (std::size_t i = 0; i < facing.size(); ++i) shown_[facing[i]] += seen[i] * adds[i];
  }
  for (std::size_t k = 0; k < hits_.size(); ++k) {
    const Hit& hit = hits_[k];
    if (hit.distance < kInfinity) {
      const float left = through_fog(appearance.fog, hit.distance);
      shown_[k] = appearance.fog.color + (shown_[k] - appearance.fog.color) * left;
    } else {
      const Eigen::Vector3f d =
          (X_WC.R * Vec3(rays_.dx[hit.ray], rays_.dy[hit.ray], rays_.dz[hit.ray])).cast<float>();
      shown_[k] = appearance.fog.visibility_range > 0 ? Color(appearance.fog.color) : background(sky, d, false);
    }
  }
}

void ColorImager::render(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                         std::span<Color> out) {
  for (const InstanceLook& instance : appearance.instances) {
    if (known_ == &appearance) break;
    for (const ShapeLook& shape : instance.shapes) {
      if (shape.material->texture) textures_.of(*shape.material->texture);
    }
  }
  known_ = &appearance;
  light_.assign(rays_.count(), Color::Zero());
  std::vector<float> weight(rays_.count(), 1.0f);
  std::vector<std::uint32_t> rays;
  std::vector<float> near = near_;
  for (int layer = 0; layer < kMostLayers; ++layer) {
    hits_.clear();
    meet(scene, appearance, X_WC, rays, near);
    light(scene, appearance, X_WC);
    rays.clear();
    near.clear();
    for (std::size_t k = 0; k < hits_.size(); ++k) {
      const Hit& hit = hits_[k];
      light_[hit.ray] += weight[hit.ray] * hit.weight * shown_[k];
      weight[hit.ray] *= 1 - hit.weight;
      if (weight[hit.ray] < 0.004f) continue;
      rays.push_back(hit.ray);
      near.push_back(hit.distance + 1e-4f + 2e-6f * hit.distance);
    }
    if (rays.empty()) break;
  }
  std::fill(out.begin(), out.end(), Color::Zero());
  for (std::size_t ray = 0; ray < rays_.count(); ++ray) out[rays_.pixel[ray]] += light_[ray];
  const float share = 1.0f / static_cast<float>(side_ * side_);
  if (side_ > 1) {
    for (Color& color : out) color *= share;
  }
}

void to_bgra(std::span<const Color> light, float exposure, std::span<std::uint8_t> out) {
  // By the square root of the light, in which the response is nearly even. Beyond 9 all is white.
  constexpr std::size_t kSteps = 6144;
  constexpr float kMost = 3;
  static const std::array<std::uint8_t, kSteps + 1> kLevels = [] {
    std::array<std::uint8_t, kSteps + 1> table{};
    for (std::size_t i = 0; i <= kSteps; ++i) {
      const double root = kMost * static_cast<double>(i) / kSteps;
      table[i] = to_byte(static_cast<float>(libm::pow(1 - libm::exp(-root * root), 1 / 2.2)));
    }
    table[kSteps] = 255;
    return table;
  }();
  const auto level = [&](float value) {
    const float root = std::min(std::sqrt(std::max(0.0f, value * exposure)), kMost);
    return kLevels[static_cast<std::size_t>(root * (kSteps / kMost) + 0.5f)];
  };
  for (std::size_t i = 0; i < light.size(); ++i) {
    out[4 * i] = level(light[i].z());
    out[4 * i + 1] = level(light[i].y());
    out[4 * i + 2] = level(light[i].x());
    out[4 * i + 3] = 255;
  }
}

}  // namespace protobeam::render
