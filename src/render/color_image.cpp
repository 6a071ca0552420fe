#include "render/color_image.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/light_reach.h"
#include "render/lit_points.h"

namespace protobeam::render {
namespace {

constexpr int kMostLayers = 5;  // surfaces that one ray sees, four of them transparent
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Behind a surface, or before it: over the rounding of ranges to float.
float lift(float distance) { return 1e-4f + 2e-6f * distance; }

const Material& grey() {
  static const Material kGrey = [] {
    Material material;
    material.base_color = {0.8f, 0.8f, 0.8f};
    material.roughness = 1;
    return material;
  }();
  return kGrey;
}

}  // namespace

/// What an image is made of; rows have a time, or all rays are cast at the end of the step.
struct ColorImager::Frame {
  RayScene& scene;
  const Appearance& appearance;
  CameraMotion motion;
  bool timed = false;
  Color around;       ///< the sky, when it is the same everywhere
  Color shown_sky;    ///< the same as it is seen
  bool sky_pictures;

  Frame(RayScene& s, const Appearance& a, const CameraMotion& m, bool with_times)
      : scene(s), appearance(a), motion(m), timed(with_times) {
    around = a.sky.color * a.sky.luminosity;
    sky_pictures = has_pictures(a.sky);
    shown_sky = sky_at(a.sky, Eigen::Vector3f::UnitX(), false);
  }
  Pose camera_at(float time) const {
    return timed ? pose_at(motion.X_WC_before, motion.X_WC, time) : motion.X_WC;
  }
};

struct ColorImager::Chunk {
  LitPoints points;
  alignas(64) std::uint32_t ray[LitPoints::kSize];
  alignas(64) LitPoints::Floats time;             ///< of rays with one
  alignas(64) LitPoints::Floats ox, oy, oz;       ///< where rays start, from the camera at the end
  alignas(64) LitPoints::Floats alpha;            ///< 1: nothing shines through
};

ColorImager::ColorImager(const ImageGeometry& image, int side, double near, double far,
                         RayOrder order)
    : image_(image), side_(side), far_(far), rays_(image, side, order) {
  const bool planar = image.is_planar();
  near_.reserve(rays_.count());
  for (const float x : rays_.dx) near_.push_back(static_cast<float>(planar ? near / x : near));
  pixel_angle_ = static_cast<float>(image.pixel_angle() / side);
  light_.resize(rays_.count());
  weight_.resize(rays_.count());
  next_near_.resize(rays_.count());
  if (order == RayOrder::kRows) time_.resize(rays_.count());
}

/// Distances, directions and origins.
void ColorImager::load(const Frame& frame, const RayBlock& block, std::size_t first,
                       Chunk& chunk) const {
  LitPoints& p = chunk.points;
  const bool planar = image_.is_planar();
  const auto far = static_cast<float>(far_);
  for (int i = 0; i < p.count; ++i) {
    const float limit = far_ > 0 ? (planar ? far / rays_.dx[chunk.ray[i]] : far) : kInfinity;
    const float range = block.range[first + static_cast<std::size_t>(i)];
    p.distance[i] = range < limit ? range : kInfinity;
  }
  Eigen::Matrix3f R = frame.motion.X_WC.R.toRotationMatrix().cast<float>();
  Eigen::Vector3f o = Eigen::Vector3f::Zero();
  float time = -1;
  for (int i = 0; i < p.count; ++i) {
    const std::uint32_t ray = chunk.ray[i];
    if (frame.timed && time_[ray] != time) {
      time = time_[ray];
      const Pose X_WC = frame.camera_at(time);
      R = X_WC.R.toRotationMatrix().cast<float>();
      o = (X_WC.p - frame.motion.X_WC.p).cast<float>();
    }
    const float x = rays_.dx[ray], y = rays_.dy[ray], z = rays_.dz[ray];
    p.dx[i] = R(0, 0) * x + R(0, 1) * y + R(0, 2) * z;
    p.dy[i] = R(1, 0) * x + R(1, 1) * y + R(1, 2) * z;
    p.dz[i] = R(2, 0) * x + R(2, 1) * y + R(2, 2) * z;
    chunk.ox[i] = o.x(), chunk.oy[i] = o.y(), chunk.oz[i] = o.z();
    chunk.time[i] = frame.timed ? time : 1;
  }
}

/// Normals and materials.
void ColorImager::load_surfaces(const Frame& frame, const RayBlock& block, std::size_t first,
                                Chunk& chunk) const {
  LitPoints& p = chunk.points;
  const auto& instances = frame.appearance.instances;
  std::uint32_t instance = kNoHit, shape = kNoHit;
  const ShapeLook* look = nullptr;
  const Material* material = &grey();
  const Mesh* smooth = nullptr;
  const Texture* texture = nullptr;
  const MaterialMaps* maps = nullptr;
  Eigen::Matrix3f R_WS = Eigen::Matrix3f::Identity();
  Mat3 R_SW = Mat3::Identity();
  Vec3 p_SW = Vec3::Zero();
  float uv_scale = 0;
  Color albedo = Color::Zero(), mirror = Color::Zero();
  for (int i = 0; i < p.count; ++i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    if (!(p.distance[i] < kInfinity)) {
      for (int c = 0; c < 3; ++c) p.albedo[c][i] = p.emissive[c][i] = p.mirror[c][i] = 0;
      p.nx[i] = p.ny[i] = p.nz[i] = 0;
      p.roughness[i] = chunk.alpha[i] = p.open[i] = 1;
      continue;
    }
    if (block.instance[k] != instance || block.shape[k] != shape || frame.timed) {
      instance = block.instance[k], shape = block.shape[k];
      look = nullptr;
      if (instance < instances.size() && shape < instances[instance].shapes.size()) {
        look = &instances[instance].shapes[shape];
      }
      material = look ? look->material.get() : &grey();
      smooth = look && look->geometry ? std::get_if<Mesh>(look->geometry.get()) : nullptr;
      if (smooth && smooth->normals.empty()) smooth = nullptr;
      if (smooth || (look && (material->texture || material->maps))) {
        const InstanceLook& moving = instances[instance];
        const Pose X_WI = frame.timed ? pose_at(moving.X_WI_before, moving.X_WI, chunk.time[i])
                                      : moving.X_WI;
        const Pose X_WS = X_WI * look->X_IS;
        R_WS = X_WS.R.toRotationMatrix().cast<float>();
        const Pose X_SW = X_WS.inverse();
        R_SW = X_SW.R.toRotationMatrix();
        p_SW = X_SW.p;
      }
      texture = nullptr;
      maps = nullptr;
      if (look && look->geometry && (material->texture || material->maps)) {
        if (material->texture) texture = &textures_.known(*material->texture);
        maps = material->maps.get();
        uv_scale = material->uv_transform.leftCols<2>().norm() / std::sqrt(2.0f);
      }
      const float metal = material->metalness;
      albedo = material->base_color * (0.96f * (1 - metal));
      // Webots' old Appearance has roughness 1 and no metal: its mirror vanishes with the gloss.
      mirror = Color::Constant(0.04f) + (material->base_color - Color::Constant(0.04f)) * metal;
    }
    p.nx[i] = block.nx[k], p.ny[i] = block.ny[k], p.nz[i] = block.nz[k];
    p.roughness[i] = material->roughness;
    p.open[i] = 1;
    chunk.alpha[i] = 1 - material->transparency;
    for (int c = 0; c < 3; ++c) {
      p.albedo[c][i] = albedo[c], p.mirror[c][i] = mirror[c];
      p.emissive[c][i] = material->emissive[c];
    }
    const float u = block.u[k], v = block.v[k];
    const std::uint32_t primitive = block.primitive[k];
    if (smooth && primitive < smooth->normals.size()) {
      const auto& corners = smooth->normals[primitive];
      const Eigen::Vector3f n_S = (1 - u - v) * corners[0] + u * corners[1] + v * corners[2];
      const Eigen::Vector3f n_W = R_WS * n_S;
      const float along = n_W.dot(Eigen::Vector3f(p.nx[i], p.ny[i], p.nz[i]));
      const float length = n_W.norm();
      // Normals that have little to do with the triangle come from broken files.
      if (std::abs(along) > 0.3f * length) {
        const float scale = (along < 0 ? -1 : 1) / length;
        p.nx[i] = scale * n_W.x(), p.ny[i] = scale * n_W.y(), p.nz[i] = scale * n_W.z();
      }
    }
    if (!texture && !maps) continue;
    const double d = p.distance[i];
    const Vec3 p_W = frame.motion.X_WC.p + Vec3(chunk.ox[i], chunk.oy[i], chunk.oz[i]) +
                     d * Vec3(p.dx[i], p.dy[i], p.dz[i]);
    const Vec3 p_S = R_SW * p_W + p_SW;
    const TexturePoint at = texture_point(*look->geometry, p_S, primitive, u, v);
    const auto& transform = material->uv_transform;
    const Eigen::Vector2f uv = transform.leftCols<2>() * at.uv + transform.col(2);
    const float slant = std::max(0.15f, block.cosine[k]);
    const float footprint = p.distance[i] * pixel_angle_ / slant * at.uv_per_metre * uv_scale;
    const auto sample = [&](const Texture& picture) {
      return picture.sample(uv, footprint, material->repeat_s, material->repeat_t);
    };
    Color color = material->base_color;
    if (texture) color = color.cwiseProduct(sample(*texture));
    float metal = material->metalness;
    if (maps) {
      const auto known = [&](const Image& image) -> const Texture& {
        return textures_.known(image, Encoding::kLinear);
      };
      if (maps->roughness) p.roughness[i] = sample(known(*maps->roughness)).x();
      if (maps->metalness) metal = sample(known(*maps->metalness)).x();
      if (maps->occlusion) {
        const float open = sample(known(*maps->occlusion)).x();
        p.open[i] = 1 + maps->occlusion_strength * (open - 1);
      }
      if (maps->emissive) {
        const Color light = maps->emissive_intensity * sample(textures_.known(*maps->emissive));
        for (int c = 0; c < 3; ++c) p.emissive[c][i] = light[c];
      }
      if (maps->normal) {
        const Eigen::Vector3f n(p.nx[i], p.ny[i], p.nz[i]);
        const auto axes =
            texture_axes(*look->geometry, p_S, R_WS.transpose() * n, primitive,
                         transform.leftCols<2>());
        const Color bump = sample(known(*maps->normal)) * 2 - Color::Ones();
        const Eigen::Vector3f bent = n * bump.z() + R_WS * (axes.along_u * bump.x() +
                                                            axes.along_v * bump.y()) *
                                                        maps->normal_factor;
        const Eigen::Vector3f d_W(p.dx[i], p.dy[i], p.dz[i]);
        const float length = bent.norm();
        // A normal that faces away would be lit through the surface.
        if (length > 0 && bent.dot(d_W) < 0) {
          p.nx[i] = bent.x() / length, p.ny[i] = bent.y() / length, p.nz[i] = bent.z() / length;
        }
      }
    }
    for (int c = 0; c < 3; ++c) {
      p.albedo[c][i] = color[c] * (0.96f * (1 - metal));
      p.mirror[c][i] = 0.04f + (color[c] - 0.04f) * metal;
    }
  }
}

void ColorImager::light(const Frame& frame, Chunk& chunk) const {
  LitPoints& p = chunk.points;
  const int n = p.count;
  const auto direction = [&p](int i) { return Eigen::Vector3f(p.dx[i], p.dy[i], p.dz[i]); };
  for (int c = 0; c < 3; ++c) std::fill_n(p.seen[c], n, frame.around[c]);
  for (int i = 0; frame.sky_pictures && i < n; ++i) {
    if (!(p.distance[i] < kInfinity) || !(p.roughness[i] < 1)) continue;
    const Eigen::Vector3f d = direction(i), normal(p.nx[i], p.ny[i], p.nz[i]);
    const float facing = std::clamp(-normal.dot(d), 0.0f, 1.0f);
    const Color seen = sky_at(frame.appearance.sky, d + 2 * facing * normal, true);
    for (int c = 0; c < 3; ++c) p.seen[c][i] = seen[c];
  }
  start_light(frame.around, p);
  LightDirections to;
  LitPoints::Floats add[3];
  unsigned char faces[LitPoints::kSize];
  for (const LightSource& source : frame.appearance.lights) {
    find_light(source, frame.motion.X_WC.p, p, to);
    add_light(source, to, p, add, faces);
    LitPoints::Floats ox, oy, oz, dx, dy, dz, far, time;
    int which[LitPoints::kSize], count = 0;
    for (int i = 0; i < n; ++i) {
      if (faces[i] == 0) continue;
      const float d = p.distance[i], up = lift(d);
      ox[count] = chunk.ox[i] + p.dx[i] * d + p.nx[i] * up;
      oy[count] = chunk.oy[i] + p.dy[i] * d + p.ny[i] * up;
      oz[count] = chunk.oz[i] + p.dz[i] * d + p.nz[i] * up;
      dx[count] = to.x[i], dy[count] = to.y[i], dz[count] = to.z[i];
      far[count] = to.distance[i];
      time[count] = chunk.time[i];
      which[count++] = i;
    }
    unsigned char blocked[LitPoints::kSize] = {};
    if (source.casts_shadows && count > 0) {
      SightLines lines;
      lines.origin_W = frame.motion.X_WC.p;
      lines.ox = ox, lines.oy = oy, lines.oz = oz;
      lines.dx = dx, lines.dy = dy, lines.dz = dz;
      lines.far = far;
      lines.time = frame.timed ? time : nullptr;
      lines.count = static_cast<std::size_t>(count);
      frame.scene.find_blocked(lines, blocked);
    }
    for (int k = 0; k < count; ++k) {
      if (blocked[k] != 0) continue;
      for (int c = 0; c < 3; ++c) p.out[c][which[k]] += add[c][which[k]];
    }
  }
  const FogLook& fog = frame.appearance.fog;
  for (int i = 0; i < n; ++i) {
    const bool met = p.distance[i] < kInfinity;
    if (met && !(fog.visibility_range > 0)) continue;
    const Color behind = fog.visibility_range > 0 ? fog.color
                         : frame.sky_pictures     ? sky_at(frame.appearance.sky, direction(i), false)
                                                  : frame.shown_sky;
    const float left = met ? through_fog(fog, p.distance[i]) : 0;
    for (int c = 0; c < 3; ++c) {
      p.out[c][i] = met ? behind[c] + (p.out[c][i] - behind[c]) * left : behind[c];
    }
  }
}

void ColorImager::light_block(const Frame& frame, const RayBlock& block, const std::uint32_t* rays,
                              std::uint32_t first) {
  Chunk chunk;
  for (std::size_t begin = 0; begin < block.count; begin += LitPoints::kSize) {
    LitPoints& p = chunk.points;
    p.count = static_cast<int>(std::min<std::size_t>(LitPoints::kSize, block.count - begin));
    for (int i = 0; i < p.count; ++i) {
      const std::size_t k = block.first + begin + static_cast<std::size_t>(i);
      chunk.ray[i] = rays ? rays[k] : first + static_cast<std::uint32_t>(k);
    }
    load(frame, block, begin, chunk);
    load_surfaces(frame, block, begin, chunk);
    light(frame, chunk);
    for (int i = 0; i < p.count; ++i) {
      const std::uint32_t ray = chunk.ray[i];
      light_[ray] += weight_[ray] * chunk.alpha[i] * Color(p.out[0][i], p.out[1][i], p.out[2][i]);
      weight_[ray] *= 1 - chunk.alpha[i];
      next_near_[ray] = weight_[ray] < 0.004f ? 0 : p.distance[i] + lift(p.distance[i]);
    }
  }
}

/// One more surface of each of the rays; `rays` empty: all of them between first and first + count.
void ColorImager::meet(const Frame& frame, const std::vector<std::uint32_t>& rays) {
  std::vector<float> dx, dy, dz, near, time;
  for (const std::uint32_t ray : rays) {
    dx.push_back(rays_.dx[ray]);
    dy.push_back(rays_.dy[ray]);
    dz.push_back(rays_.dz[ray]);
    near.push_back(next_near_[ray]);
    if (frame.timed) time.push_back(time_[ray]);
  }
  RayBatch batch;
  batch.X_WS = frame.motion.X_WC;
  if (frame.timed) batch.X_WS_before = frame.motion.X_WC_before;
  batch.time = frame.timed ? time.data() : nullptr;
  batch.dx = dx.data();
  batch.dy = dy.data();
  batch.dz = dz.data();
  batch.near = near.data();
  batch.count = rays.size();
  batch.hits = batch.normals = true;
  frame.scene.cast(batch,
                   [&](const RayBlock& block) { light_block(frame, block, rays.data(), 0); });
}

void ColorImager::make_textures(const Appearance& appearance) {
  for (const auto& image : appearance.changing) textures_.refresh(*image);
  if (known_ == &appearance) return;
  for (const InstanceLook& instance : appearance.instances) {
    for (const ShapeLook& shape : instance.shapes) {
      if (shape.material->texture) textures_.of(*shape.material->texture);
      const MaterialMaps* maps = shape.material->maps.get();
      if (!maps) continue;
      for (const auto& map : {maps->roughness, maps->metalness, maps->occlusion, maps->normal}) {
        if (map) textures_.of(*map, Encoding::kLinear);
      }
      if (maps->emissive) textures_.of(*maps->emissive);
    }
  }
  known_ = &appearance;
}

void ColorImager::render(const Frame& frame, std::size_t first, std::size_t count,
                         std::span<Color> out) {
  make_textures(frame.appearance);
  const auto begin = static_cast<std::ptrdiff_t>(first), end = begin + static_cast<std::ptrdiff_t>(count);
  std::fill(light_.begin() + begin, light_.begin() + end, Color::Zero());
  std::fill(weight_.begin() + begin, weight_.begin() + end, 1.0f);
  RayBatch batch = rays_.batch(frame.scene, frame.motion.X_WC);
  if (frame.timed) {
    batch.X_WS_before = frame.motion.X_WC_before;
    batch.time = time_.data() + first;
  }
  batch.dx += first, batch.dy += first, batch.dz += first;
  batch.near = near_.data() + first;
  batch.count = count;
  batch.hits = batch.normals = true;
  frame.scene.cast(batch, [&](const RayBlock& block) {
    light_block(frame, block, nullptr, static_cast<std::uint32_t>(first));
  });
  std::vector<std::uint32_t> rays;
  for (int layer = 1; layer < kMostLayers; ++layer) {
    rays.clear();
    for (std::size_t ray = first; ray < first + count; ++ray) {
      if (next_near_[ray] > 0) rays.push_back(static_cast<std::uint32_t>(ray));
    }
    if (rays.empty()) break;
    meet(frame, rays);
  }
  const float share = 1.0f / static_cast<float>(side_ * side_);
  if (side_ == 1) {
    for (std::size_t ray = first; ray < first + count; ++ray) out[rays_.pixel[ray]] = light_[ray];
    return;
  }
  for (std::size_t ray = first; ray < first + count; ++ray) out[rays_.pixel[ray]].setZero();
  for (std::size_t ray = first; ray < first + count; ++ray) {
    out[rays_.pixel[ray]] += share * light_[ray];
  }
}

void ColorImager::render(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                         std::span<Color> out) {
  render(Frame(scene, appearance, {X_WC, X_WC}, false), 0, rays_.count(), out);
}

void ColorImager::render_rows(RayScene& scene, const Appearance& appearance,
                              const CameraMotion& motion, int first_row,
                              std::span<const float> times, std::span<Color> out) {
  const std::size_t first = rays_.row_begin(first_row);
  std::size_t end = first;
  for (const float time : times) {
    const std::size_t begin = end;
    end = rays_.row_begin(++first_row);
    std::fill(time_.begin() + static_cast<std::ptrdiff_t>(begin),
              time_.begin() + static_cast<std::ptrdiff_t>(end), time);
  }
  render(Frame(scene, appearance, motion, true), first, end - first, out);
}

}  // namespace protobeam::render
