#include "render/texture.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

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

Eigen::Vector4f with_zero(const Color& color) { return {color.x(), color.y(), color.z(), 0}; }

Color texel(const Image& image, int x, int y, Encoding encoding) {
  const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                     static_cast<std::size_t>(x);
  const std::uint8_t* bytes =
      image.pixels.data() + pixel * static_cast<std::size_t>(image.channels);
  const bool grey = image.channels == 1;
  if (encoding == Encoding::kSrgb) return srgb_bytes().color(bytes, grey);
  return Color(bytes[0], bytes[grey ? 0 : 1], bytes[grey ? 0 : 2]) / 255.0f;
}

/// Of -1 to size: the neighbours of a texel are at most one beyond the border.
int wrap(int i, int size, bool repeat) {
  if (i < 0) return repeat ? size - 1 : 0;
  if (i >= size) return repeat ? 0 : size - 1;
  return i;
}

/// Without a call: the baseline's instructions do not round.
int whole(float x) {
  const int i = static_cast<int>(x);
  return static_cast<float>(i) > x ? i - 1 : i;
}

/// The greatest n with 2^n <= x, x >= 1.
int power_of_two(float x) { return static_cast<int>(std::bit_cast<std::uint32_t>(x) >> 23) - 127; }

}  // namespace

TexturePoint texture_point(const Geometry& geometry, const Vec3& p_S, std::uint32_t triangle,
                           float u, float v) {
  return std::visit(TexturePointOf{p_S, triangle, u, v}, geometry);
}

Texture::Texture(const Image& image, Encoding encoding) {
  Level first{image.width, image.height, {}};
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      first.texels.push_back(with_zero(texel(image, x, y, encoding)));
    }
  }
  levels_.push_back(std::move(first));
  while (levels_.back().width > 1 || levels_.back().height > 1) {
    const Level& fine = levels_.back();
    Level coarse{std::max(1, fine.width / 2), std::max(1, fine.height / 2), {}};
    for (int y = 0; y < coarse.height; ++y) {
      for (int x = 0; x < coarse.width; ++x) {
        Eigen::Vector4f sum = Eigen::Vector4f::Zero();
        for (int i = 0; i < 4; ++i) {
          const int column = std::min(2 * x + i % 2, fine.width - 1);
          const int row = std::min(2 * y + i / 2, fine.height - 1);
          sum += fine.texels[static_cast<std::size_t>(row * fine.width + column)];
        }
        coarse.texels.push_back(sum / 4);
      }
    }
    levels_.push_back(std::move(coarse));
  }
}

Color Texture::sample(Eigen::Vector2f uv, float footprint, bool repeat_s, bool repeat_t) const {
  constexpr float kMost = 1e9f;  // beyond, floats have no fractions
  if (!(uv.cwiseAbs().maxCoeff() < kMost)) uv.setZero();
  if (repeat_s) uv.x() -= static_cast<float>(whole(uv.x()));
  if (repeat_t) uv.y() -= static_cast<float>(whole(uv.y()));
  uv = uv.cwiseMax(0.0f).cwiseMin(1.0f);
  const float texels =
      footprint * static_cast<float>(std::max(levels_[0].width, levels_[0].height));
  const int finest = texels > 1 ? power_of_two(std::min(texels, kMost)) : 0;
  const Level& level =
      levels_[std::min<std::size_t>(static_cast<std::size_t>(finest), levels_.size() - 1)];
  const float x = uv.x() * static_cast<float>(level.width) - 0.5f;
  const float y = (1 - uv.y()) * static_cast<float>(level.height) - 0.5f;  // row 0 is on top
  const int column = whole(x), row = whole(y);
  const float fx = x - static_cast<float>(column), fy = y - static_cast<float>(row);
  const int left = wrap(column, level.width, repeat_s), right = wrap(column + 1, level.width, repeat_s);
  const Eigen::Vector4f* upper = &level.texels[static_cast<std::size_t>(
      wrap(row, level.height, repeat_t) * level.width)];
  const Eigen::Vector4f* lower = &level.texels[static_cast<std::size_t>(
      wrap(row + 1, level.height, repeat_t) * level.width)];
  const Eigen::Vector4f color = (1 - fy) * ((1 - fx) * upper[left] + fx * upper[right]) +
                                fy * ((1 - fx) * lower[left] + fx * lower[right]);
  return color.head<3>();
}

const Texture& Textures::of(const Image& image, Encoding encoding) {
  const std::pair key(&image, encoding);
  auto found = textures_.find(key);
  if (found == textures_.end()) {
    found = textures_.emplace(key, Made{Texture(image, encoding), image.version}).first;
  }
  return found->second.texture;
}

void Textures::refresh(const Image& image) {
  for (const Encoding encoding : {Encoding::kSrgb, Encoding::kLinear}) {
    const auto found = textures_.find({&image, encoding});
    if (found == textures_.end() || found->second.version == image.version) continue;
    found->second = Made{Texture(image, encoding), image.version};
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
