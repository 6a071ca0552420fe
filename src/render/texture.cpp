#include "render/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "base/clones.h"
#include "base/libm.h"
#include "render/srgb_bytes.h"

namespace protobeam::render {
namespace {

struct TexturePointOf {
  Vec3 p;
  std::uint32_t triangle;
  float u, v;

  TexturePoint operator()(const Plane& plane) const {
    return {{static_cast<float>(p.x() / plane.size.x() + 0.5),
             static_cast<float>(p.y() / plane.size.y() + 0.5)},
            static_cast<float>(1 / plane.size.minCoeff())};
  }
  TexturePoint operator()(const Box& box) const {  // each face shows the whole picture
    const Vec3 unit = p.cwiseQuotient(box.size);
    int axis = 0;
    unit.cwiseAbs().maxCoeff(&axis);
    const double side = unit[axis] < 0 ? -1 : 1;
    const float x = static_cast<float>(axis == 0   ? side * unit.y()
                                       : axis == 1 ? -side * unit.x()
                                                   : unit.x());
    const float y = static_cast<float>(axis == 2 ? side * unit.y() : unit.z());
    return {{x + 0.5f, y + 0.5f}, static_cast<float>(1 / box.size.minCoeff())};
  }
  TexturePoint operator()(const Sphere& sphere) const {
    const double latitude = libm::asin(std::clamp(p.z() / sphere.radius, -1.0, 1.0));
    return round(latitude / kPi + 0.5, sphere.radius);
  }
  TexturePoint operator()(const Cylinder& c) const {
    return round(p.z() / c.height + 0.5, c.radius);
  }
  TexturePoint operator()(const Capsule& c) const {
    return round(p.z() / (c.height + 2 * c.radius) + 0.5, c.radius);
  }
  TexturePoint operator()(const Cone& c) const { return round(p.z() / c.height + 0.5, c.radius); }
  TexturePoint operator()(const Mesh& mesh) const {
    if (triangle >= mesh.uvs.size()) return {};
    const auto& uv = mesh.uvs[triangle];
    const auto& t = mesh.triangles[triangle];
    const Vec3& a = mesh.vertices[t[0]];
    const double area = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a).norm();
    const Eigen::Vector2f s = uv[1] - uv[0], r = uv[2] - uv[0];
    const float uv_area = std::abs(s.x() * r.y() - s.y() * r.x());
    return {(1 - u - v) * uv[0] + u * uv[1] + v * uv[2],
            area > 0 ? std::sqrt(uv_area / static_cast<float>(area)) : 0};
  }
  TexturePoint operator()(const HeightField& field) const {
    // Of the ground seen from above; on a slope the picture is stretched.
    const double area = std::abs(field.uv.leftCols<2>().determinant());
    return {field.uv_at(p), static_cast<float>(std::sqrt(area))};
  }

 private:
  TexturePoint round(double height, double radius) const {
    return {{static_cast<float>(libm::atan2(p.y(), p.x()) / (2 * kPi) + 0.5),
             static_cast<float>(height)},
            static_cast<float>(1 / (2 * kPi * radius))};
  }
};

/// How opaque a pixel is.
float alpha_of(const Image& image, std::size_t pixel) {
  if (image.channels != 4) return 1;
  return static_cast<float>(image.pixels[4 * pixel + 3]) / 255.0f;
}

Color texel(const Image& image, int x, int y, Encoding encoding) {
  const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                     static_cast<std::size_t>(x);
  const std::uint8_t* bytes =
      image.pixels.data() + pixel * static_cast<std::size_t>(image.channels);
  const bool grey = image.channels == 1;
  if (encoding == Encoding::kSrgb) return srgb_bytes().color(bytes, grey);
  return Color(bytes[0], bytes[grey ? 0 : 1], bytes[grey ? 0 : 2]) / 255.0f;
}

/// Of -1 to last + 1: the neighbours of a texel are at most one beyond the border. `repeats`: all bits, or
/// none; a condition would be a loop of its own.
PROTOBEAM_INLINE std::int32_t wrap(std::int32_t i, std::int32_t last, std::int32_t repeats) {
  return i < 0 ? last & repeats : i > last ? last & ~repeats : i;
}

constexpr float kMost = 1e9f;  // beyond, floats have no fractions

/// Without a call: the baseline's instructions do not round.
PROTOBEAM_INLINE float whole(float x) {
  const auto towards_zero = static_cast<float>(static_cast<std::int32_t>(x));
  return towards_zero > x ? towards_zero - 1 : towards_zero;
}

/// The greatest n with 2^n <= x, x >= 1.
PROTOBEAM_INLINE std::int32_t power_of_two(float x) {
  return static_cast<std::int32_t>(std::bit_cast<std::uint32_t>(x) >> 23) - 127;
}

/// 0 to 1 within the picture, or what is nearest to that; `repeats` 1 or 0.
PROTOBEAM_INLINE float within(float at, float repeats) {
  const float inside = at - repeats * whole(at);
  return inside > 0 ? (inside < 1 ? inside : 1.0f) : 0.0f;
}

/// Of the levels of a picture, see Texture.
struct Levels {
  const std::int32_t *width, *height, *begin;
};

/// Where points are in the picture, 0 to 1 from the left and from below, and in which level.
struct Places {
  alignas(64) LitPoints::Floats s, t;
  alignas(64) std::int32_t level[LitPoints::kSize];
};

/// What is too far, or no number, is at 0.
PROTOBEAM_CLONES void limit(const float* u, const float* v, int count, Places& __restrict to) {
  for (int i = 0; i < count; ++i) {
    const float au = std::abs(u[i]), av = std::abs(v[i]), farther = au > av ? au : av;
    const float s = au < kMost ? u[i] : 0.0f, t = av < kMost ? v[i] : 0.0f;  // numbers
    to.s[i] = farther < kMost ? s : 0.0f;
    to.t[i] = farther < kMost ? t : 0.0f;
  }
}

PROTOBEAM_CLONES void find_places(float repeats, int count, float* at) {
  for (int i = 0; i < count; ++i) at[i] = within(at[i], repeats);
}

PROTOBEAM_CLONES void find_levels(const float* footprint, int count, float side, std::int32_t last,
                                  Places& __restrict to) {
  for (int i = 0; i < count; ++i) {
    const float texels = footprint[i] * side, at_least_one = texels > 1 ? texels : 1.0f;
    const std::int32_t wanted = power_of_two(at_least_one < kMost ? at_least_one : kMost);
    to.level[i] = wanted < last ? wanted : last;
  }
}

/// The texels around points, and the shares of the right and the lower ones.
struct Neighbours {
  alignas(64) std::int32_t upper_left[LitPoints::kSize], upper_right[LitPoints::kSize];
  alignas(64) std::int32_t lower_left[LitPoints::kSize], lower_right[LitPoints::kSize];
  alignas(64) LitPoints::Floats fx, fy;
};

PROTOBEAM_CLONES void find_texels(const Places& at, int count, const Levels& levels, std::int32_t repeats_s,
                                  std::int32_t repeats_t, Neighbours& __restrict to) {
  const std::int32_t *widths = levels.width, *heights = levels.height, *begins = levels.begin;
  for (int i = 0; i < count; ++i) {
    const std::int32_t level = at.level[i];
    const std::int32_t width = widths[level], height = heights[level], begin = begins[level];
    const float x = at.s[i] * static_cast<float>(width) - 0.5f;
    const float y = (1 - at.t[i]) * static_cast<float>(height) - 0.5f;  // row 0 is on top
    const float column = whole(x), row = whole(y);
    to.fx[i] = x - column, to.fy[i] = y - row;
    const auto c = static_cast<std::int32_t>(column), r = static_cast<std::int32_t>(row);
    const std::int32_t left = wrap(c, width - 1, repeats_s), right = wrap(c + 1, width - 1, repeats_s);
    const std::int32_t upper = begin + wrap(r, height - 1, repeats_t) * width;
    const std::int32_t lower = begin + wrap(r + 1, height - 1, repeats_t) * width;
    to.upper_left[i] = upper + left, to.upper_right[i] = upper + right;
    to.lower_left[i] = lower + left, to.lower_right[i] = lower + right;
  }
}

}  // namespace

TexturePoint texture_point(const Geometry& geometry, const Vec3& p_S, std::uint32_t triangle,
                           float u, float v) {
  return std::visit(TexturePointOf{p_S, triangle, u, v}, geometry);
}

Texture::Texture(const Image& image, Encoding encoding)
    : width_{image.width}, height_{image.height}, begin_{0} {
  const auto pixels = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  texels_.reserve(pixels + pixels / 3 + 1);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      const Color color = texel(image, x, y, encoding);
      const float alpha = alpha_of(image, texels_.size());
      opaque_ &= alpha == 1;
      texels_.emplace_back(color.x(), color.y(), color.z(), alpha);
    }
  }
  while (width_.back() > 1 || height_.back() > 1) {
    const int fine_width = width_.back(), fine_height = height_.back();
    const auto fine = static_cast<std::size_t>(begin_.back());
    begin_.push_back(static_cast<std::int32_t>(texels_.size()));
    width_.push_back(std::max(1, fine_width / 2));
    height_.push_back(std::max(1, fine_height / 2));
    for (int y = 0; y < height_.back(); ++y) {
      for (int x = 0; x < width_.back(); ++x) {
        Eigen::Vector4f sum = Eigen::Vector4f::Zero();
        for (int i = 0; i < 4; ++i) {
          const int column = std::min(2 * x + i % 2, fine_width - 1);
          const int row = std::min(2 * y + i / 2, fine_height - 1);
          sum += texels_[fine + static_cast<std::size_t>(row * fine_width + column)];
        }
        texels_.push_back(sum / 4);
      }
    }
  }
}

void Texture::sample(const TextureLooks& looks, int count, LitPoints::Floats out[3],
                     float* alpha) const {
  const Levels levels{width_.data(), height_.data(), begin_.data()};
  Places places;
  limit(looks.u, looks.v, count, places);
  find_places(looks.repeat_s ? 1 : 0, count, places.s);
  find_places(looks.repeat_t ? 1 : 0, count, places.t);
  find_levels(looks.footprint, count, static_cast<float>(std::max(width_[0], height_[0])),
              looks.smooth ? static_cast<std::int32_t>(width_.size()) - 1 : 0, places);
  Neighbours at;
  find_texels(places, count, levels, looks.repeat_s ? -1 : 0, looks.repeat_t ? -1 : 0, at);
  const Eigen::Vector4f* texels = texels_.data();
  for (int i = 0; i < count; ++i) {
    const float fx = looks.smooth ? at.fx[i] : at.fx[i] < 0.5f ? 0.0f : 1.0f;
    const float fy = looks.smooth ? at.fy[i] : at.fy[i] < 0.5f ? 0.0f : 1.0f;
    const Eigen::Vector4f color =
        (1 - fy) * ((1 - fx) * texels[at.upper_left[i]] + fx * texels[at.upper_right[i]]) +
        fy * ((1 - fx) * texels[at.lower_left[i]] + fx * texels[at.lower_right[i]]);
    for (int c = 0; c < 3; ++c) out[c][i] = color[c];
    if (alpha) alpha[i] = color[3];
  }
}

Color Texture::sample(const Eigen::Vector2f& uv, float footprint, bool repeat_s, bool repeat_t) const {
  TextureLooks looks;
  looks.u[0] = uv.x(), looks.v[0] = uv.y(), looks.footprint[0] = footprint;
  looks.repeat_s = repeat_s, looks.repeat_t = repeat_t;
  LitPoints::Floats color[3];
  sample(looks, 1, color);
  return {color[0][0], color[1][0], color[2][0]};
}

Color nearest_pixel(const Image& image, const Eigen::Vector2f& uv, bool repeat_s, bool repeat_t) {
  Places at;
  limit(&uv.x(), &uv.y(), 1, at);
  find_places(repeat_s ? 1 : 0, 1, at.s);
  find_places(repeat_t ? 1 : 0, 1, at.t);
  const auto column = static_cast<int>(at.s[0] * static_cast<float>(image.width));
  const auto row = static_cast<int>((1 - at.t[0]) * static_cast<float>(image.height));
  return texel(image, std::min(column, image.width - 1), std::min(row, image.height - 1),
               Encoding::kLinear);
}

std::shared_ptr<const LazyTexture> shared_texture(const std::shared_ptr<const Image>& image,
                                                  Encoding encoding) {
  using Key = std::tuple<const Image*, Encoding, std::uint32_t>;
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<const LazyTexture>> known;
  const std::lock_guard lock(mutex);
  // Its address is no other picture's as long as the texture is there, which has it.
  std::weak_ptr<const LazyTexture>& place = known[{image.get(), encoding, image->version}];
  std::shared_ptr<const LazyTexture> texture = place.lock();
  if (!texture) {
    place = texture = std::make_shared<const LazyTexture>(image, encoding);
    std::erase_if(known, [](const auto& one) { return one.second.expired(); });
  }
  return texture;
}

void Textures::need(const std::shared_ptr<const Image>& image, Encoding encoding) {
  const std::pair key(image.get(), encoding);
  if (textures_.contains(key)) return;
  textures_.emplace(key, Made{shared_texture(image, encoding), image->version});
}

void Textures::refresh(const std::shared_ptr<const Image>& image) {
  for (const Encoding encoding : {Encoding::kSrgb, Encoding::kLinear}) {
    const auto found = textures_.find({image.get(), encoding});
    if (found == textures_.end() || found->second.version == image->version) continue;
    found->second.texture = shared_texture(image, encoding);
    found->second.version = image->version;
  }
}

TextureAxes texture_axes(const Geometry& geometry, const Vec3& p_S, const Eigen::Vector3f& normal,
                         std::uint32_t triangle, const Eigen::Matrix2f& transform) {
  // Two directions in the surface, and how uv changes along them.
  Vec3 a, b;
  Eigen::Matrix2d change;
  const Vec3 n = normal.cast<double>();
  const auto* mesh = std::get_if<Mesh>(&geometry);
  if (mesh && triangle < mesh->uvs.size()) {
    const auto& t = mesh->triangles[triangle];
    const auto& uv = mesh->uvs[triangle];
    a = mesh->vertices[t[1]] - mesh->vertices[t[0]];
    b = mesh->vertices[t[2]] - mesh->vertices[t[0]];
    change << (uv[1] - uv[0]).cast<double>(), (uv[2] - uv[0]).cast<double>();
  } else {
    a = n.unitOrthogonal();
    b = n.cross(a);
    constexpr double kStep = 1e-3;  // m; floats tell uv apart
    const Eigen::Vector2f here = texture_point(geometry, p_S, triangle, 0, 0).uv;
    const auto along = [&](const Vec3& d) -> Eigen::Vector2d {
      const Eigen::Vector2f there =
          texture_point(geometry, p_S + kStep * d, triangle, 0, 0).uv;
      return (there - here).cast<double>() / kStep;
    };
    change << along(a), along(b);
  }
  change = transform.cast<double>() * change;
  const double determinant = change.determinant();
  TextureAxes axes{Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()};
  if (!(std::abs(determinant) > 1e-18)) return axes;
  const Eigen::Matrix2d back = change.inverse();  // columns: how far along a and b for a unit of u, v
  const auto unit_within = [&](const Vec3& v) -> Eigen::Vector3f {
    const Vec3 flat = v - n * n.dot(v);
    const double length = flat.norm();
    if (!(length > 0)) return Eigen::Vector3f::Zero();
    return (flat / length).cast<float>();
  };
  axes.along_u = unit_within(back(0, 0) * a + back(1, 0) * b);
  axes.along_v = unit_within(back(0, 1) * a + back(1, 1) * b);
  return axes;
}

}  // namespace protobeam::render
