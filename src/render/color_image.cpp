#include "render/color_image.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/clones.h"
#include "render/image_light.h"
#include "render/light_reach.h"
#include "render/lit_points.h"

namespace protobeam::render {
namespace {

constexpr int kMostLayers = 5;  // surfaces that one ray sees, four of them transparent
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::pair<std::uint32_t, std::uint32_t> kSeveral{kNoHit, 0}, kNothing{kNoHit, 1};

/// Behind a surface, or before it: over the rounding of ranges to float.
PROTOBEAM_INLINE float lift(float distance) { return 1e-4f + 2e-6f * distance; }

}  // namespace

/// What an image is made of; rows have a time, or all rays are cast at the end of the step.
struct ColorImager::Frame {
  RayScene& scene;
  const Appearance& appearance;
  CameraMotion motion;
  bool timed = false;
  Color around;       ///< the sky's light, when it is the same everywhere
  Color ambient = Color::Zero();    ///< of all lights
  std::vector<Color> light_colors;  ///< linear
  Color shown_sky;    ///< the same as it is seen
  bool sky_pictures;
  mutable std::atomic<bool> shines_through{false};  ///< rays go on behind what they have met

  Frame(RayScene& s, const Appearance& a, const CameraMotion& m, bool with_times)
      : scene(s), appearance(a), motion(m), timed(with_times) {
    around = a.sky.light * a.sky.luminosity;
    for (const LightSource& light : a.lights) {
      ambient += light.ambient * light.color;  // as it is written, in Webots, too
      light_colors.push_back(linear_from_srgb(light.color));
    }
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
  /// Instance and shape that all of the points show, or kNothing; kSeveral: more of that.
  std::pair<std::uint32_t, std::uint32_t> shown = kSeveral;
  bool follow_each_other = true;                  ///< `ray` goes up by 1
  alignas(64) LitPoints::Floats dx_C, dy_C, dz_C; ///< directions of rays that do not

  // Of the shapes that were met last.
  static constexpr std::size_t kLooks = 16;
  std::uint32_t look_instance[kLooks], look_shape[kLooks];
  bool look_moves[kLooks];  ///< it is elsewhere for rays with another time
  SurfaceLook looks[kLooks];
  Chunk() { std::fill_n(look_instance, kLooks, kNoHit); }
};

ColorImager::ColorImager(const ImageGeometry& image, int side, double near, double far,
                         RayOrder order, const Housing& housing)
    : image_(image),
      side_(side),
      far_(far),
      rays_(image, side, order),
      near_(rays_, image, near, housing) {
  sees_all_ = rays_.count() == static_cast<std::size_t>(image.width * side) *
                                   static_cast<std::size_t>(image.height * side);
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
  const std::size_t n = static_cast<std::size_t>(p.count);
  const float *x = &rays_.dx[chunk.ray[0]], *y = &rays_.dy[chunk.ray[0]], *z = &rays_.dz[chunk.ray[0]];
  if (!chunk.follow_each_other) {
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint32_t ray = chunk.ray[i];
      chunk.dx_C[i] = rays_.dx[ray], chunk.dy_C[i] = rays_.dy[ray], chunk.dz_C[i] = rays_.dz[ray];
    }
    x = chunk.dx_C, y = chunk.dy_C, z = chunk.dz_C;
  }
  const auto far = static_cast<float>(far_);
  limit_distances(block.range + first, far, far_ > 0 && image_.is_planar() ? x : nullptr, p);
  // Rays of one row have one time.
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = n;
    float time = 1;
    Pose X_WC = frame.motion.X_WC;
    if (frame.timed) {
      time = time_[chunk.ray[begin]];
      for (end = begin + 1; end < n && time_[chunk.ray[end]] == time;) ++end;
      X_WC = frame.camera_at(time);
    }
    rotate_directions(X_WC.R.toRotationMatrix().cast<float>(), x, y, z, begin, end, p);
    const Eigen::Vector3f o = (X_WC.p - frame.motion.X_WC.p).cast<float>();
    std::fill(chunk.ox + begin, chunk.ox + end, o.x());
    std::fill(chunk.oy + begin, chunk.oy + end, o.y());
    std::fill(chunk.oz + begin, chunk.oz + end, o.z());
    std::fill(chunk.time + begin, chunk.time + end, time);
    begin = end;
  }
}

/// Normals and materials.
void ColorImager::load_surfaces(const Frame& frame, const RayBlock& block, std::size_t first,
                                Chunk& chunk) const {
  LitPoints& p = chunk.points;
  const auto& instances = frame.appearance.instances;
  const std::pair<std::uint32_t, std::uint32_t> shown_before = chunk.shown;
  chunk.shown = kSeveral;
  for (int i = 0; i < p.count; ++i) {
    const std::size_t k = first + static_cast<std::size_t>(i);
    if (!(p.distance[i] < kInfinity)) {
      // As long as nothing is met.
      const int begin = i;
      while (i + 1 < p.count && !(p.distance[i + 1] < kInfinity)) ++i;
      if (begin == 0 && i + 1 == LitPoints::kSize) {
        chunk.shown = kNothing;
        if (shown_before == kNothing) continue;  // what was written last is still right
      }
      if (begin == 0) p.phong.clear();
      const auto fill = [begin, i](float* to, float value) {
        std::fill(to + begin, to + i + 1, value);
      };
      for (int c = 0; c < 3; ++c) {
        fill(p.albedo[c], 0), fill(p.emissive[c], 0), fill(p.mirror[c], 0);
      }
      for (float* of : {p.nx, p.ny, p.nz}) fill(of, 0);
      for (float* of : {p.roughness, chunk.alpha, p.open}) fill(of, 1);
      continue;
    }
    const std::uint32_t instance = block.instance[k], shape = block.shape[k];
    const std::size_t slot = (instance * 5 + shape) % Chunk::kLooks;
    SurfaceLook& surface = chunk.looks[slot];
    if (chunk.look_instance[slot] != instance || chunk.look_shape[slot] != shape ||
        chunk.look_moves[slot]) {
      chunk.look_instance[slot] = instance, chunk.look_shape[slot] = shape;
      chunk.look_moves[slot] = false;
      if (instance < instances.size() && shape < instances[instance].shapes.size()) {
        const InstanceLook& of = instances[instance];
        surface = SurfaceLook(of.shapes[shape],
                              frame.timed ? pose_at(of.X_WI_before, of.X_WI, chunk.time[i]) : of.X_WI,
                              textures_);
        chunk.look_moves[slot] = frame.timed && !surface.is_plain() &&
                                 (of.X_WI.p != of.X_WI_before.p ||
                                  of.X_WI.R.coeffs() != of.X_WI_before.R.coeffs());
      } else {
        surface = SurfaceLook();
      }
    }
    // As long as that shape is met, where it is.
    const bool moves = chunk.look_moves[slot];
    const int begin = i;
    int end = i + 1;
    for (std::size_t next = k + 1; end < p.count && block.instance[next] == instance &&
                                   block.shape[next] == shape && p.distance[end] < kInfinity &&
                                   !(moves && chunk.time[end] != chunk.time[begin]);
         ++next) {
      ++end;
    }
    i = end - 1;
    const auto copy = [&](float* to, const float* from) {
      std::copy_n(from + k, end - begin, to + begin);
    };
    copy(p.nx, block.nx), copy(p.ny, block.ny), copy(p.nz, block.nz);
    if (surface.is_smooth()) {
      surface.smooth_normals({block.primitive + k, block.u + k, block.v + k, end - begin},
                             p.nx + begin, p.ny + begin, p.nz + begin);
    }
    if (begin == 0 && end == LitPoints::kSize && !surface.has_pictures()) {
      const std::pair all_of_them{instance, shape};
      chunk.shown = all_of_them;
      if (shown_before == all_of_them) continue;  // what was written last is still right
    }
    if (begin == 0) p.phong.clear();
    const Material& material = surface.material();
    const auto fill = [begin, end](float* to, float value) {
      std::fill(to + begin, to + end, value);
    };
    fill(p.roughness, surface.is_physical() ? material.roughness : 1);
    fill(p.open, material.sky_light);
    fill(chunk.alpha, 1 - material.transparency);
    for (int c = 0; c < 3; ++c) {
      fill(p.albedo[c], surface.albedo()[c]);
      fill(p.mirror[c], surface.mirror()[c]);
      fill(p.emissive[c], surface.emissive()[c]);
    }
    if (!surface.is_physical()) {
      p.phong.push_back({begin, end, material.exponent});
      for (int c = 0; c < 3; ++c) fill(p.ambient[c], material.ambient[c]);
    }
    if (surface.has_pictures()) load_pictures(frame, block, first, {begin, end}, surface, chunk);
  }
}

/// What the pictures of a surface show at the points of a run.
void ColorImager::load_pictures(const Frame& frame, const RayBlock& block, std::size_t first,
                                std::pair<int, int> run, SurfaceLook& surface, Chunk& chunk) const {
  LitPoints& p = chunk.points;
  const int begin = run.first, count = run.second - run.first;
  const std::size_t k = first + static_cast<std::size_t>(begin);
  LitPoints::Floats breadth;
  find_breadths(p.distance + begin, block.cosine + k, pixel_angle_, count, breadth);
  Vec3 p_W[LitPoints::kSize];
  for (int i = begin; surface.needs_places() && i < run.second; ++i) {
    p_W[i - begin] = frame.motion.X_WC.p + Vec3(chunk.ox[i], chunk.oy[i], chunk.oz[i]) +
                     double{p.distance[i]} * Vec3(p.dx[i], p.dy[i], p.dz[i]);
  }
  const SurfaceLook::Hits hits{block.primitive + k, block.u + k, block.v + k, count};
  surface.show_pictures({hits, breadth, p_W, block.nx + k, block.ny + k, block.nz + k}, begin, p,
                        chunk.alpha + begin);
}

void ColorImager::light(const Frame& frame, Chunk& chunk) const {
  if (chunk.shown != kNothing) {
    light_surfaces(frame, chunk);
    show_spots(frame, chunk);
  }
  LitPoints& p = chunk.points;
  const FogLook& fog = frame.appearance.fog;
  if (!(fog.visibility_range > 0) && !frame.sky_pictures) {
    show_behind(frame.shown_sky, p);
    return;
  }
  if (!(fog.visibility_range > 0)) {
    show_sky(frame.appearance.sky, p);
    return;
  }
  for (int i = 0; i < p.count; ++i) {
    const bool met = p.distance[i] < kInfinity;
    const float left = met ? through_fog(fog, p.distance[i]) : 0;
    for (int c = 0; c < 3; ++c) {
      const float behind = fog.color[c];
      p.out[c][i] = met ? behind + (p.out[c][i] - behind) * left : behind;
    }
  }
}

/// Where a ray meets the disc of a spot before anything else, that is all it sees. The disc
/// scatters ambient light as its own colour does, as in Webots
/// (WbDistanceSensor::createWrenObjects).
void ColorImager::show_spots(const Frame& frame, Chunk& chunk) {
  LitPoints& p = chunk.points;
  for (const BeamSpot& spot : frame.appearance.spots) {
    const Eigen::Vector3f centre = (spot.p_W - frame.motion.X_WC.p).cast<float>();
    const Eigen::Vector3f normal = spot.normal_W.cast<float>();
    const auto radius = static_cast<float>(spot.radius);
    for (int i = 0; i < p.count; ++i) {
      const Eigen::Vector3f from(chunk.ox[i], chunk.oy[i], chunk.oz[i]);
      const Eigen::Vector3f along(p.dx[i], p.dy[i], p.dz[i]);
      const float slope = normal.dot(along);
      if (slope == 0) continue;
      const float distance = normal.dot(centre - from) / slope;
      if (!(distance > 0 && distance < p.distance[i])) continue;
      if ((from + distance * along - centre).squaredNorm() > radius * radius) continue;
      for (int c = 0; c < 3; ++c) p.out[c][i] = spot.light[c] * (1 + frame.ambient[c]);
    }
  }
}

void ColorImager::light_surfaces(const Frame& frame, Chunk& chunk) const {
  LitPoints& p = chunk.points;
  const int n = p.count;
  for (int c = 0; c < 3; ++c) std::fill_n(p.seen[c], n, frame.around[c]);
  if (frame.sky_pictures) mirror_sky(frame.appearance.sky, p);
  start_light(frame.around, frame.ambient, p);
  LightDirections to;
  LitPoints::Floats add[3];
  unsigned char faces[LitPoints::kSize];
  for (std::size_t number = 0; number < frame.light_colors.size(); ++number) {
    const LightSource& source = frame.appearance.lights[number];
    find_light(source, frame.motion.X_WC.p, p, to);
    add_light(frame.light_colors[number], source.intensity, to, p, add, faces);
    if (!source.casts_shadows) {
      arrive(add, faces, p);
      continue;
    }
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
    if (count > 0) {
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
      if (blocked[k] != 0) faces[which[k]] = 0;
    }
    arrive(add, faces, p);
  }
}

void ColorImager::light_block(const Frame& frame, const RayBlock& block, const std::uint32_t* rays,
                              std::uint32_t first, LightSink& out) {
  Chunk chunk;
  bool goes_on = false;
  for (std::size_t begin = 0; begin < block.count; begin += LitPoints::kSize) {
    LitPoints& p = chunk.points;
    p.count = static_cast<int>(std::min<std::size_t>(LitPoints::kSize, block.count - begin));
    for (int i = 0; i < p.count; ++i) {
      const std::size_t k = block.first + begin + static_cast<std::size_t>(i);
      chunk.ray[i] = rays ? rays[k] : first + static_cast<std::uint32_t>(k);
    }
    chunk.follow_each_other = rays == nullptr;
    load(frame, block, begin, chunk);
    load_surfaces(frame, block, begin, chunk);
    light(frame, chunk);
    std::uint32_t pixel[LitPoints::kSize];
    const std::uint32_t* pixels = rays ? pixel : &rays_.pixel[chunk.ray[0]];
    if (!rays && std::all_of(chunk.alpha, chunk.alpha + p.count, [](float a) { return a == 1; })) {
      // What it shows is all there is to see.
      if (side_ == 1) {
        out.take(pixels, p.count, p.out);
        continue;
      }
      Color* to = &light_[chunk.ray[0]];
      for (int i = 0; i < p.count; ++i) to[i] = Color(p.out[0][i], p.out[1][i], p.out[2][i]);
      continue;
    }
    for (int i = 0; i < p.count; ++i) {
      const std::uint32_t ray = chunk.ray[i];
      const Color seen(p.out[0][i], p.out[1][i], p.out[2][i]);
      const bool nearest = rays == nullptr;  // nothing was met before
      const float before = nearest ? 1 : weight_[ray], left = before * (1 - chunk.alpha[i]);
      if (nearest) light_[ray].setZero();
      light_[ray] += before * chunk.alpha[i] * seen;
      weight_[ray] = left;
      next_near_[ray] = left < 0.004f ? 0 : p.distance[i] + lift(p.distance[i]);
      goes_on |= next_near_[ray] > 0;
      for (int c = 0; c < 3; ++c) p.out[c][i] = light_[ray][c];
      if (rays) pixel[i] = rays_.pixel[ray];
    }
    if (side_ == 1) out.take(pixels, p.count, p.out);
  }
  if (goes_on) frame.shines_through = true;
}

/// One more surface of each of the rays; `rays` empty: all of them between first and first + count.
void ColorImager::meet(const Frame& frame, const std::vector<std::uint32_t>& rays, LightSink& out) {
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
                   [&](const RayBlock& block) { light_block(frame, block, rays.data(), 0, out); });
}

void ColorImager::make_textures(const Appearance& appearance) {
  for (const auto& image : appearance.changing) textures_.refresh(image);
  if (known_ == &appearance) return;
  Textures now;  // what is seen no longer is not kept
  need_textures(appearance, now);
  textures_ = std::move(now);
  known_ = &appearance;
}

void ColorImager::render(const Frame& frame, std::size_t first, std::size_t count,
                         LightSink& out) {
  make_textures(frame.appearance);
  RayBatch batch = rays_.batch(frame.scene, frame.motion.X_WC);
  if (frame.timed) {
    batch.X_WS_before = frame.motion.X_WC_before;
    batch.time = time_.data() + first;
  }
  batch.dx += first, batch.dy += first, batch.dz += first;
  batch.count = count;
  near_.give(batch, first);
  batch.hits = batch.normals = true;
  frame.scene.cast(batch, [&](const RayBlock& block) {
    light_block(frame, block, nullptr, static_cast<std::uint32_t>(first), out);
  });
  std::vector<std::uint32_t> rays;
  for (int layer = 1; layer < kMostLayers && frame.shines_through.exchange(false); ++layer) {
    rays.clear();
    for (std::size_t ray = first; ray < first + count; ++ray) {
      if (next_near_[ray] > 0) rays.push_back(static_cast<std::uint32_t>(ray));
    }
    meet(frame, rays, out);
  }
  // Of those that would have to go on for still more layers.
  for (const std::uint32_t ray : rays) next_near_[ray] = 0;
  if (side_ > 1) take_means(first, count, out);
}

/// Of the rays of each pixel.
void ColorImager::take_means(std::size_t first, std::size_t count, LightSink& out) const {
  if (count == 0) return;
  const auto [least, most] = std::minmax_element(&rays_.pixel[first], &rays_.pixel[first] + count);
  std::vector<Color> sums(*most - *least + 1, Color::Zero());
  std::vector<bool> seen(sums.size());
  const float share = 1.0f / static_cast<float>(side_ * side_);
  for (std::size_t ray = first; ray < first + count; ++ray) {
    const std::size_t at = rays_.pixel[ray] - *least;
    sums[at] += share * light_[ray];
    seen[at] = true;
  }
  LitPoints::Floats light[3];
  std::uint32_t pixels[LitPoints::kSize];
  int n = 0;
  for (std::size_t at = 0; at < sums.size(); ++at) {
    if (!seen[at]) continue;
    pixels[n] = *least + static_cast<std::uint32_t>(at);
    for (int c = 0; c < 3; ++c) light[c][n] = sums[at][c];
    if (++n == LitPoints::kSize) out.take(pixels, std::exchange(n, 0), light);
  }
  out.take(pixels, n, light);
}

namespace {

/// An image of the light itself.
class LightImage final : public LightSink {
 public:
  explicit LightImage(std::span<Color> image) : image_(image.data()) {}
  void take(const std::uint32_t* pixels, int count, const LitPoints::Floats light[3]) override {
    for (int i = 0; i < count; ++i) {
      image_[pixels[i]] = Color(light[0][i], light[1][i], light[2][i]);
    }
  }

 private:
  Color* image_;
};

}  // namespace

void ColorImager::render(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                         LightSink& out) {
  render(Frame(scene, appearance, {X_WC, X_WC}, false), 0, rays_.count(), out);
}

void ColorImager::render(RayScene& scene, const Appearance& appearance, const Pose& X_WC,
                         std::span<Color> out) {
  LightImage image(out);
  render(scene, appearance, X_WC, image);
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
  LightImage image(out);
  render(Frame(scene, appearance, motion, true), first, end - first, image);
}

}  // namespace protobeam::render
