// The picture is made in bands of rows. First one ray through the middle of each pixel: what it
// hits and the light there. Then samples * samples rays through those pixels that differ from a
// neighbour, or that a point covers; the others are of one colour.
#include "render/scene_picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/libm.h"
#include "render/picture_samples.h"
#include "render/shading.h"
#include "render/sky_light.h"
#include "render/srgb_bytes.h"
#include "render/texture.h"

namespace protobeam::render {
namespace {

constexpr int kBandRows = 64;  // of pixels
/// Pixels that differ by more from a neighbour, in the square root of light 0..1, get all of their
/// samples: about four steps of 8 bits.
constexpr float kContrast = 0.017f;

/// A point that the camera sees, in pixels.
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
        raster_(camera, size.width, size.height, size.samples),
        size_(size),
        to_sun_(appearance.to_sun.normalized()),
        sky_light_(scene, scene_bounds(), to_sun_, std::min(size.samples, 2)) {
    image_.width = size.width;
    image_.height = size.height;
    image_.channels = 3;
    image_.pixels.resize(static_cast<std::size_t>(size.width) *
                         static_cast<std::size_t>(size.height) * 3);
    for (const auto& shapes : appearance.instances) {
      auto& colors = base_colors_.emplace_back();
      for (const ShapeAppearance& shape : shapes) {
        colors.push_back(linear_from_srgb(shape.material.base_color));
      }
    }
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
    LightVisibility light;
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
      const double column = (1 - p_C.y() / p_C.x() / raster_.tan_side) / 2 * size_.width;
      const double row = (1 - p_C.z() / p_C.x() / raster_.tan_up) / 2 * size_.height;
      const double radius = point_radius();
      if (column < -radius || column > size_.width + radius || row < -radius ||
          row > size_.height + radius) {
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

  double point_radius() const { return std::max(0.5 / size_.samples, size_.point_radius); }

  void paint_band(int first_row, int rows) {
    // A row above and one below: neighbours of the first and the last.
    const int above = std::max(0, first_row - 1);
    const int below = std::min(size_.height, first_row + rows + 1);
    PictureSamples middles = raster_.middles(above, below - above);
    middles.cast(scene_, raster_.camera.X_WC);
    std::vector<Sample> seen = samples_of(middles);
    light(middles, seen, nullptr, nullptr);
    const std::vector<Color> colors = colors_of(seen);

    const auto pixel = [&](int column, int row) {
      return static_cast<std::size_t>(row - above) * static_cast<std::size_t>(size_.width) +
             static_cast<std::size_t>(column);
    };
    std::vector<char> fine(colors.size(), 0);
    if (size_.samples > 1) mark_contrasts(colors, fine);
    mark_points(above, below, fine);
    for (int row = first_row; row < first_row + rows; ++row) {
      for (int column = 0; column < size_.width; ++column) {
        const std::size_t i = pixel(column, row);
        if (!fine[i]) put(column, row, colors[i]);
      }
    }
    refine(middles, seen, fine, above, first_row, rows);
  }

  /// Both of two neighbours that differ.
  void mark_contrasts(const std::vector<Color>& colors, std::vector<char>& fine) const {
    std::vector<Color> shown;
    shown.reserve(colors.size());
    for (const Color& color : colors) shown.push_back(color.cwiseSqrt());
    const auto width = static_cast<std::size_t>(size_.width);
    const auto compare = [&](std::size_t a, std::size_t b) {
      if ((shown[a] - shown[b]).cwiseAbs().maxCoeff() > kContrast) fine[a] = fine[b] = 1;
    };
    for (std::size_t i = 0; i < colors.size(); ++i) {
      const std::size_t column = i % width;
      const bool last = i + width >= colors.size();
      if (column + 1 < width) compare(i, i + 1);
      if (last) continue;
      compare(i, i + width);
      if (column + 1 < width) compare(i, i + width + 1);
      if (column > 0) compare(i, i + width - 1);
    }
  }

  struct Square {
    int left, right, top, bottom;
  };
  /// Pixels that a disc may cover, within some rows.
  Square square_of(const VisiblePoint& point, int first_row, int end_row) const {
    const double radius = point_radius();
    return {std::max(0, static_cast<int>(std::floor(point.column - radius))),
            std::min(size_.width - 1, static_cast<int>(std::floor(point.column + radius))),
            std::max(first_row, static_cast<int>(std::floor(point.row - radius))),
            std::min(end_row - 1, static_cast<int>(std::floor(point.row + radius)))};
  }

  void mark_points(int first_row, int end_row, std::vector<char>& fine) const {
    for (const VisiblePoint& point : points_) {
      const Square square = square_of(point, first_row, end_row);
      for (int row = square.top; row <= square.bottom; ++row) {
        for (int column = square.left; column <= square.right; ++column) {
          fine[static_cast<std::size_t>(row - first_row) * static_cast<std::size_t>(size_.width) +
               static_cast<std::size_t>(column)] = 1;
        }
      }
    }
  }

  /// Casts all samples of the marked pixels of a band, draws the points before them, and puts the
  /// means.
  void refine(const PictureSamples& middles, const std::vector<Sample>& seen,
              const std::vector<char>& fine, int above, int first_row, int rows) {
    const auto width = static_cast<std::size_t>(size_.width);
    constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    std::vector<std::size_t> place(fine.size(), kNone);  // of a pixel's first sample
    std::vector<RasterPixel> pixels;
    const auto each =
        static_cast<std::size_t>(size_.samples) * static_cast<std::size_t>(size_.samples);
    for (int row = first_row; row < first_row + rows; ++row) {
      for (int column = 0; column < size_.width; ++column) {
        const std::size_t i =
            static_cast<std::size_t>(row - above) * width + static_cast<std::size_t>(column);
        if (!fine[i]) continue;
        place[i] = pixels.size() * each;
        pixels.push_back({column, row});
      }
    }
    if (pixels.empty()) return;
    PictureSamples samples = raster_.samples_of(pixels);
    samples.cast(scene_, raster_.camera.X_WC);
    std::vector<Sample> fine_seen = samples_of(samples);
    const Neighbours neighbours{middles, seen, above};
    light(samples, fine_seen, &pixels, &neighbours);
    std::vector<Color> colors = colors_of(fine_seen);
    paint_points(samples, place, above, first_row, rows, colors);
    for (std::size_t p = 0; p < pixels.size(); ++p) {
      Color sum = Color::Zero();
      for (std::size_t k = 0; k < each; ++k) sum += colors[p * each + k];
      put(pixels[p].column, pixels[p].row, sum / static_cast<float>(each));
    }
  }

  void put(int column, int row, const Color& color) {
    const std::size_t pixel =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(size_.width) +
        static_cast<std::size_t>(column);
    for (std::size_t c = 0; c < 3; ++c) {
      image_.pixels[pixel * 3 + c] = srgb_byte(color[static_cast<int>(c)]);
    }
  }

  std::vector<Sample> samples_of(const PictureSamples& samples) {
    std::vector<Sample> seen(samples.count());
    for (std::size_t i = 0; i < seen.size(); ++i) seen[i] = sample_at(samples, i);
    return seen;
  }

  std::vector<Color> colors_of(const std::vector<Sample>& seen) const {
    std::vector<Color> colors(seen.size());
    const Eigen::Vector3f to_sun = to_sun_.cast<float>();
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const Sample& sample = seen[i];
      if (std::isinf(sample.distance)) {
        colors[i] = tone_mapped(sky(sample.direction, to_sun));
      } else {
        const Color color =
            shade(sample.surface, sample.light, sample.direction, sample.normal, to_sun);
        colors[i] = tone_mapped(through_haze(color, sample.distance, appearance_.haze_distance));
      }
    }
    return colors;
  }

  /// What was found in the middles of pixels, for those around them.
  struct Neighbours {
    const PictureSamples& middles;
    const std::vector<Sample>& seen;
    int first_row;
  };

  /// Sun and sky on all samples. The light of the sky changes slowly: samples of `pixels` take that
  /// of the same surface in the middle of their pixel or of one beside it, where there is one.
  void light(const PictureSamples& samples, std::vector<Sample>& seen,
             const std::vector<RasterPixel>* pixels, const Neighbours* neighbours) const {
    std::vector<ShadingPoint> points;
    std::vector<std::size_t> of_point, wanted;
    const std::size_t each = pixels ? samples.count() / pixels->size() : 1;
    for (std::size_t i = 0; i < seen.size(); ++i) {
      Sample& sample = seen[i];
      if (std::isinf(sample.distance)) continue;
      const bool hit = samples.instance[i] != kNoHit;
      ShadingPoint point;
      point.p_W = raster_.camera.X_WC.p + sample.direction.cast<double>() * sample.distance;
      point.normal =
          hit ? Eigen::Vector3f(samples.nx[i], samples.ny[i], samples.nz[i]) : sample.normal;
      point.column = samples.place[i].column;
      point.row = samples.place[i].row;
      point.surface = surface_of(samples, i);
      const bool found = neighbours != nullptr &&
                         find_sky(*neighbours, (*pixels)[i / each], point, sample.light.sky);
      if (!found) wanted.push_back(points.size());
      of_point.push_back(i);
      points.push_back(point);
    }
    const std::vector<float> sun = sky_light_.sun_on(points);
    const std::vector<float> sky = sky_light_.sky_on(points, wanted);
    for (std::size_t k = 0; k < points.size(); ++k) seen[of_point[k]].light.sun = sun[k];
    for (const std::size_t k : wanted) seen[of_point[k]].light.sky = sky[k];
  }

  static std::uint64_t surface_of(const PictureSamples& samples, std::size_t i) {
    return std::uint64_t{samples.instance[i]} << 32 | samples.shape[i];
  }

  bool find_sky(const Neighbours& around, RasterPixel pixel, const ShadingPoint& point,
                float& sky) const {
    constexpr RasterPixel kSteps[] = {{0, 0}, {1, 0},  {-1, 0}, {0, 1},  {0, -1},
                                      {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};
    const auto width = static_cast<std::size_t>(size_.width);
    for (const RasterPixel& step : kSteps) {
      const int column = pixel.column + step.column, row = pixel.row + step.row - around.first_row;
      if (column < 0 || column >= size_.width || row < 0) continue;
      const std::size_t i =
          static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column);
      if (i >= around.seen.size() || std::isinf(around.seen[i].distance)) continue;
      if (surface_of(around.middles, i) != point.surface) continue;
      const bool hit = around.middles.instance[i] != kNoHit;
      const Eigen::Vector3f normal =
          hit ? Eigen::Vector3f(around.middles.nx[i], around.middles.ny[i], around.middles.nz[i])
              : around.seen[i].normal;
      if (normal.dot(point.normal) <= 0.9f) continue;
      sky = around.seen[i].light.sky;
      return true;
    }
    return false;
  }

  Sample sample_at(const PictureSamples& band, std::size_t i) {
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
      sample.surface.albedo = base_colors_[instance][shape];
      apply_material(sample, appearance_.instances[instance][shape], band, i);
    }
    return sample;
  }

  /// Material, texture and smooth normal of a hit that has the material's colour.
  void apply_material(Sample& sample, const ShapeAppearance& shape, const PictureSamples& band,
                      std::size_t i) {
    const Material& material = shape.material;
    sample.surface = {sample.surface.albedo, material.emissive, material.roughness,
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
    if (material.texture == nullptr && shape.paint == nullptr) return;
    const Vec3 p_W = raster_.camera.X_WC.p + sample.direction.cast<double>() * sample.distance;
    const Pose X_SW = shape.X_WS.inverse();
    const Vec3 p_S = X_SW * p_W;
    if (material.texture != nullptr) show_texture(sample, shape, p_S, flat, band, i);
    if (shape.paint == nullptr) return;
    const Ink ink = shape.paint->at(p_S, X_SW.R * flat.cast<double>());
    sample.surface.albedo += ink.density * (ink.color - sample.surface.albedo);
  }

  void show_texture(Sample& sample, const ShapeAppearance& shape, const Vec3& p_S,
                    const Eigen::Vector3f& flat, const PictureSamples& band, std::size_t i) {
    const Material& material = shape.material;
    const TexturePoint at =
        texture_point(*shape.geometry, p_S, band.primitive[i], band.u[i], band.v[i]);
    const auto& transform = material.uv_transform;
    const Eigen::Vector2f uv = transform.leftCols<2>() * at.uv + transform.col(2);
    const float slant = std::max(0.15f, -flat.dot(sample.direction));
    const double footprint = sample.distance * raster_.pixel_angle() / size_.samples / slant;
    const float scale = at.uv_per_metre * transform.leftCols<2>().norm() / std::sqrt(2.0f);
    const Color texel = textures_.of(material.texture)
                            .sample(uv, static_cast<float>(footprint) * scale, material.repeat_s,
                                    material.repeat_t);
    sample.surface.albedo = sample.surface.albedo.cwiseProduct(texel);
  }

  /// Far ones first, so that near ones cover them.
  void paint_points(const PictureSamples& samples, const std::vector<std::size_t>& place, int above,
                    int first_row, int rows, std::vector<Color>& colors) const {
    const double radius = point_radius();
    const int side = size_.samples;
    for (const VisiblePoint& point : points_) {
      const Square square = square_of(point, first_row, first_row + rows);
      for (int row = square.top; row <= square.bottom; ++row) {
        for (int column = square.left; column <= square.right; ++column) {
          const std::size_t first =
              place[static_cast<std::size_t>(row - above) * static_cast<std::size_t>(size_.width) +
                    static_cast<std::size_t>(column)];
          for (int k = 0; k < side * side; ++k) {
            const double right = column + (k % side + 0.5) / side - point.column;
            const double down = row + (k / side + 0.5) / side - point.row;
            const double off = libm::hypot(right, down);
            const std::size_t i = first + static_cast<std::size_t>(k);
            if (off > radius || point.distance * 0.96 - 0.1 > samples.range[i]) continue;
            colors[i] = point.color * (off > 0.75 * radius ? 0.6f : 1.0f);
          }
        }
      }
    }
  }

  RayScene& scene_;
  const SceneAppearance& appearance_;
  PictureRaster raster_;
  PictureSize size_;
  Vec3 to_sun_;
  SkyLight sky_light_;
  Textures textures_;
  std::vector<std::vector<Color>> base_colors_;  ///< of shapes, linear
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
