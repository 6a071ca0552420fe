// The picture is made in bands of rows: primary rays, what they hit, the light there, the points
// before it, and the mean of each pixel's samples.
#include "render/scene_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/libm.h"
#include "render/shading.h"
#include "render/sky_light.h"
#include "render/texture.h"

namespace protobeam::render {
namespace {

constexpr int kBandRows = 16;  // of pixels
constexpr int kTile = 4;       // samples; a tile is one packet of rays

/// The raster of samples on the camera's image plane.
struct Raster {
  Raster(const Camera& camera, const PictureSize& size)
      : camera(camera),
        samples(size.samples),
        width(size.width * size.samples),
        height(size.height * size.samples),
        tan_up(libm::tan(camera.vertical_fov / 2)),
        tan_side(tan_up * size.width / size.height) {}

  Camera camera;
  int samples, width, height;
  double tan_up, tan_side;

  Vec3 direction_C(int column, int row) const {
    return Vec3(1, tan_side * (1 - 2 * (column + 0.5) / width),
                tan_up * (1 - 2 * (row + 0.5) / height))
        .normalized();
  }
  /// Angle that a pixel covers, rad.
  double pixel_angle() const { return 2 * tan_up * samples / height; }
};

/// Rays and what they met, for a run of sample rows; tile by tile in memory.
class Band {
 public:
  Band(const Raster& raster, int first_row, int rows)
      : first_row_(first_row),
        tiles_((raster.width + kTile - 1) / kTile),
        count_(static_cast<std::size_t>(tiles_) * kTile *
               static_cast<std::size_t>((rows + kTile - 1) / kTile * kTile)) {
    for (auto* numbers : {&dx, &dy, &dz, &range, &u, &v, &nx, &ny, &nz}) numbers->resize(count_);
    for (auto* numbers : {&instance, &shape, &primitive}) numbers->resize(count_);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto [column, row] = place(i);
      const Vec3 d = raster.direction_C(column, row);
      dx[i] = static_cast<float>(d.x());
      dy[i] = static_cast<float>(d.y());
      dz[i] = static_cast<float>(d.z());
    }
  }

  void cast(RayScene& scene, const Pose& X_WC) {
    RayBatch batch;
    batch.X_WS = X_WC;
    batch.dx = dx.data();
    batch.dy = dy.data();
    batch.dz = dz.data();
    batch.count = count_;
    batch.hits = batch.normals = true;
    scene.cast(batch, [this](const RayBlock& block) {
      const auto keep = [&block](auto& to, const auto* from) {
        std::copy(from, from + block.count, to.begin() + static_cast<std::ptrdiff_t>(block.first));
      };
      keep(range, block.range);
      keep(instance, block.instance);
      keep(shape, block.shape);
      keep(primitive, block.primitive);
      keep(u, block.u);
      keep(v, block.v);
      keep(nx, block.nx);
      keep(ny, block.ny);
      keep(nz, block.nz);
    });
  }

  std::size_t count() const { return count_; }
  struct Place {
    int column, row;
  };
  Place place(std::size_t i) const {
    const int in_tile = static_cast<int>(i % (kTile * kTile));
    const int tile = static_cast<int>(i / (kTile * kTile));
    return {tile % tiles_ * kTile + in_tile % kTile,
            first_row_ + tile / tiles_ * kTile + in_tile / kTile};
  }
  std::size_t index(int column, int row) const {
    const int y = row - first_row_;
    const int tile = y / kTile * tiles_ + column / kTile;
    return static_cast<std::size_t>(tile) * kTile * kTile +
           static_cast<std::size_t>(y % kTile * kTile + column % kTile);
  }

  std::vector<float> dx, dy, dz, range, u, v, nx, ny, nz;
  std::vector<std::uint32_t> instance, shape, primitive;

 private:
  int first_row_, tiles_;
  std::size_t count_;
};

/// A point that the camera sees, in samples.
struct VisiblePoint {
  double column, row, distance;
  Color color;
};

class Painter {
 public:
  Painter(RayScene& scene, const SceneAppearance& appearance, const Camera& camera,
          const PictureSize& size)
      : scene_(scene),
        appearance_(appearance),
        raster_(camera, size),
        size_(size),
        to_sun_(appearance.to_sun.normalized()),
        sky_light_(scene, scene_bounds(), to_sun_, size.samples) {
    image_.width = size.width;
    image_.height = size.height;
    image_.channels = 3;
    image_.pixels.resize(static_cast<std::size_t>(size.width) *
                         static_cast<std::size_t>(size.height) * 3);
  }

  Image paint(std::span<const ScenePoint> points) {
    find_visible_points(points);
    for (int row = 0; row < size_.height; row += kBandRows) {
      paint_band(row, std::min(kBandRows, size_.height - row));
    }
    return std::move(image_);
  }

 private:
  /// What a sample shows: sky, or a surface that light falls on.
  struct Sample {
    ShadingSurface surface;
    Eigen::Vector3f direction, normal;
    double distance = std::numeric_limits<double>::infinity();
  };

  Bounds scene_bounds() const {
    Bounds all;
    for (const auto& shapes : appearance_.instances) {
      for (const ShapeAppearance& shape : shapes) {
        if (shape.geometry == nullptr) continue;
        const Bounds box = bounds(*shape.geometry);
        if (box.empty()) continue;
        const Vec3 p = shape.X_WS * ((box.min + box.max) / 2).eval();
        const double radius = (box.max - box.min).norm() / 2;
        all.min = all.min.cwiseMin(p - Vec3::Constant(radius));
        all.max = all.max.cwiseMax(p + Vec3::Constant(radius));
      }
    }
    return all;
  }

  /// One ray a point says whether something is before it; the points lie on surfaces themselves,
  /// with the sensor's noise.
  void find_visible_points(std::span<const ScenePoint> points) {
    std::vector<VisiblePoint> candidates;
    std::vector<float> dx, dy, dz;
    for (const ScenePoint& point : points) {
      const Vec3 p_C = raster_.camera.X_WC.inverse() * point.p_W;
      const double distance = p_C.norm();
      if (!p_C.allFinite() || !(p_C.x() > 1e-3)) continue;
      const double column = (1 - p_C.y() / p_C.x() / raster_.tan_side) / 2 * raster_.width;
      const double row = (1 - p_C.z() / p_C.x() / raster_.tan_up) / 2 * raster_.height;
      const double radius = size_.point_radius * size_.samples;
      if (column < -radius || column > raster_.width + radius || row < -radius ||
          row > raster_.height + radius) {
        continue;
      }
      candidates.push_back({column, row, distance, linear_from_srgb(point_color(point.value))});
      dx.push_back(static_cast<float>(p_C.x() / distance));
      dy.push_back(static_cast<float>(p_C.y() / distance));
      dz.push_back(static_cast<float>(p_C.z() / distance));
    }
    std::vector<float> range(candidates.size());
    RayBatch batch;
    batch.X_WS = raster_.camera.X_WC;
    batch.dx = dx.data();
    batch.dy = dy.data();
    batch.dz = dz.data();
    batch.count = candidates.size();
    scene_.cast(batch, [&range](const RayBlock& block) {
      std::copy(block.range, block.range + block.count,
                range.begin() + static_cast<std::ptrdiff_t>(block.first));
    });
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (candidates[i].distance * 0.99 - 0.05 < range[i]) points_.push_back(candidates[i]);
    }
    std::stable_sort(points_.begin(), points_.end(),
                     [](const auto& a, const auto& b) { return a.distance > b.distance; });
  }

  void paint_band(int first_row, int rows) {
    const int samples = raster_.samples;
    Band band(raster_, first_row * samples, rows * samples);
    band.cast(scene_, raster_.camera.X_WC);

    std::vector<Sample> seen(band.count());
    std::vector<ShadingPoint> lit;
    for (std::size_t i = 0; i < band.count(); ++i) {
      seen[i] = sample_at(band, i);
      if (std::isinf(seen[i].distance)) continue;
      const auto [column, row] = band.place(i);
      const bool hit = band.instance[i] != kNoHit;
      ShadingPoint point;
      point.p_W = raster_.camera.X_WC.p + seen[i].direction.cast<double>() * seen[i].distance;
      point.normal = hit ? Eigen::Vector3f(band.nx[i], band.ny[i], band.nz[i]) : seen[i].normal;
      point.column = column;
      point.row = row;
      point.surface = std::uint64_t{band.instance[i]} << 32 | band.shape[i];
      lit.push_back(point);
    }
    const std::vector<LightVisibility> lights = sky_light_.on(lit);

    std::vector<Color> colors(band.count());
    const Eigen::Vector3f to_sun = to_sun_.cast<float>();
    std::size_t next = 0;
    for (std::size_t i = 0; i < band.count(); ++i) {
      const Sample& sample = seen[i];
      if (std::isinf(sample.distance)) {
        colors[i] = tone_mapped(sky(sample.direction, to_sun));
      } else {
        const Color color =
            shade(sample.surface, lights[next++], sample.direction, sample.normal, to_sun);
        colors[i] = tone_mapped(through_haze(color, sample.distance, appearance_.haze_distance));
      }
    }
    paint_points(band, first_row * samples, rows * samples, colors);
    resolve(band, first_row, rows, colors);
  }

  Sample sample_at(const Band& band, std::size_t i) {
    Sample sample;
    sample.direction = (raster_.camera.X_WC.R * Vec3(band.dx[i], band.dy[i], band.dz[i]))
                           .normalized()
                           .cast<float>();
    if (band.instance[i] == kNoHit) {
      if (!appearance_.ground_z || sample.direction.z() > -1e-4f) return sample;
      const double above = raster_.camera.X_WC.p.z() - *appearance_.ground_z;
      if (above <= 0) return sample;
      sample.distance = above / -static_cast<double>(sample.direction.z());
      sample.normal = Eigen::Vector3f::UnitZ();
      const Vec3 p_W = raster_.camera.X_WC.p + sample.direction.cast<double>() * sample.distance;
      const double footprint = sample.distance * raster_.pixel_angle() /
                               std::max(0.02, -static_cast<double>(sample.direction.z()));
      sample.surface = ground(p_W.x(), p_W.y(), footprint);
      return sample;
    }
    sample.distance = band.range[i];
    sample.normal = {band.nx[i], band.ny[i], band.nz[i]};
    const std::uint32_t instance = band.instance[i], shape = band.shape[i];
    if (instance < appearance_.instances.size() && shape < appearance_.instances[instance].size()) {
      apply_material(sample, appearance_.instances[instance][shape], band, i);
    }
    return sample;
  }

  /// Material, texture and smooth normal of a hit.
  void apply_material(Sample& sample, const ShapeAppearance& shape, const Band& band,
                      std::size_t i) {
    const Material& material = shape.material;
    sample.surface = {material.base_color, material.emissive, material.roughness,
                      material.metalness, material.transparency};
    if (shape.geometry == nullptr) return;
    const Eigen::Vector3f flat = sample.normal;
    if (const auto* mesh = std::get_if<Mesh>(shape.geometry.get());
        mesh != nullptr && band.primitive[i] < mesh->normals.size()) {
      const auto& corners = mesh->normals[band.primitive[i]];
      const Eigen::Vector3f n_S = (1 - band.u[i] - band.v[i]) * corners[0] +
                                  band.u[i] * corners[1] + band.v[i] * corners[2];
      const Eigen::Vector3f n_W = shape.X_WS.R.cast<float>() * n_S;
      const float along = n_W.dot(flat);
      // Normals that have little to do with the triangle come from broken files.
      if (std::abs(along) > 0.3f * n_W.norm()) {
        sample.normal = (along < 0 ? -n_W : n_W).normalized();
      }
    }
    if (material.texture == nullptr) return;
    const Vec3 p_W = raster_.camera.X_WC.p + sample.direction.cast<double>() * sample.distance;
    const TexturePoint at = texture_point(*shape.geometry, shape.X_WS.inverse() * p_W,
                                          band.primitive[i], band.u[i], band.v[i]);
    const auto& transform = material.uv_transform;
    const Eigen::Vector2f uv = transform.leftCols<2>() * at.uv + transform.col(2);
    const float slant = std::max(0.15f, -flat.dot(sample.direction));
    const double footprint = sample.distance * raster_.pixel_angle() / raster_.samples / slant;
    const float scale = at.uv_per_metre * transform.leftCols<2>().norm() / std::sqrt(2.0f);
    const Color texel = textures_.of(*material.texture)
                            .sample(uv, static_cast<float>(footprint) * scale, material.repeat_s,
                                    material.repeat_t);
    sample.surface.albedo = sample.surface.albedo.cwiseProduct(texel);
  }

  /// Far ones first, so that near ones cover them.
  void paint_points(const Band& band, int first_row, int rows, std::vector<Color>& colors) const {
    const double radius = std::max(0.5, size_.point_radius * raster_.samples);
    for (const VisiblePoint& point : points_) {
      if (point.row + radius < first_row || point.row - radius > first_row + rows) continue;
      const int left = std::max(0, static_cast<int>(point.column - radius));
      const int right = std::min(raster_.width - 1, static_cast<int>(point.column + radius));
      const int top = std::max(first_row, static_cast<int>(point.row - radius));
      const int bottom = std::min(first_row + rows - 1, static_cast<int>(point.row + radius));
      for (int row = top; row <= bottom; ++row) {
        for (int column = left; column <= right; ++column) {
          const double off = libm::hypot(column + 0.5 - point.column, row + 0.5 - point.row);
          const std::size_t i = band.index(column, row);
          if (off > radius || point.distance * 0.96 - 0.1 > band.range[i]) continue;
          colors[i] = point.color * (off > 0.75 * radius ? 0.6f : 1.0f);
        }
      }
    }
  }

  void resolve(const Band& band, int first_row, int rows, const std::vector<Color>& colors) {
    const int samples = raster_.samples;
    for (int row = first_row; row < first_row + rows; ++row) {
      for (int column = 0; column < size_.width; ++column) {
        Color sum = Color::Zero();
        for (int y = 0; y < samples; ++y) {
          for (int x = 0; x < samples; ++x) {
            sum += colors[band.index(column * samples + x, row * samples + y)];
          }
        }
        sum /= static_cast<float>(samples * samples);
        const auto pixel = static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.width) +
                           static_cast<std::size_t>(column);
        for (std::size_t c = 0; c < 3; ++c) {
          image_.pixels[pixel * 3 + c] = to_byte(srgb_from_linear(sum[static_cast<int>(c)]));
        }
      }
    }
  }

  RayScene& scene_;
  const SceneAppearance& appearance_;
  Raster raster_;
  PictureSize size_;
  Vec3 to_sun_;
  SkyLight sky_light_;
  Textures textures_;
  std::vector<VisiblePoint> points_;
  Image image_;
};

}  // namespace

// The dark ends of the colour map stay out: they would look like shadows.
Color point_color(double fraction) {
  return turbo(static_cast<float>(0.1 + 0.83 * std::clamp(fraction, 0.0, 1.0)));
}

Image draw_scene(RayScene& scene, const SceneAppearance& appearance, const Camera& camera,
                 std::span<const ScenePoint> points, const PictureSize& size) {
  if (size.width < 1 || size.height < 1 || size.width > 16384 || size.height > 16384 ||
      size.samples < 1 || size.samples > 8) {
    throw std::invalid_argument("a picture has 1 to 16384 pixels a side and 1 to 8 samples, not " +
                                std::to_string(size.width) + " x " + std::to_string(size.height) +
                                " with " + std::to_string(size.samples));
  }
  return Painter(scene, appearance, camera, size).paint(points);
}

}  // namespace protobeam::render
