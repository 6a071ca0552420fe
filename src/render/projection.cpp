#include "render/projection.h"

#include <algorithm>
#include <stdexcept>

#include "base/fields.h"
#include "base/libm.h"

namespace protobeam::render {

std::optional<Projection> projection_of(const std::string& name) {
  if (name == "planar") return Projection::kPlanar;
  if (name == "cylindrical") return Projection::kCylindrical;
  if (name == "spherical") return Projection::kSpherical;
  return std::nullopt;
}

Vec2 Lens::undistorted(const Vec2& uv) const {
  const double x = uv.x() - center.x(), y = uv.y() - center.y();
  const double r2 = x * x + y * y, k1 = radial.x(), k2 = radial.y();
  const double p1 = tangential.x(), p2 = tangential.y();
  const double grows = k1 * r2 + k2 * r2 * r2;
  const double inverse = 1 / (1 + 4 * k1 * r2 + 6 * k2 * r2 * r2 + 8 * p1 * y + 8 * p2 * x);
  return {uv.x() - inverse * (grows * x + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)),
          uv.y() - inverse * (grows * y + 2 * p2 * x * y + p1 * (r2 + 2 * y * y))};
}

std::optional<Lens> lens_of(const Fields& camera) {
  const auto fields = camera.child("lens");
  if (!fields) return std::nullopt;
  return Lens{fields->vec2("center"), fields->vec2("radialCoefficients"),
              fields->vec2("tangentialCoefficients")};
}

double ImageGeometry::vertical_field_of_view() const {
  const double ratio = static_cast<double>(height) / width;
  if (projection == Projection::kPlanar) {
    return 2 * libm::atan(libm::tan(field_of_view / 2) * ratio);
  }
  return field_of_view * ratio;
}

Vec3 ImageGeometry::direction(double column, double row) const {
  Vec2 uv(column / width, 1 - row / height);
  if (lens) uv = lens->undistorted(uv);
  const double left = 0.5 - uv.x(), up = uv.y() - 0.5;
  switch (projection) {
    case Projection::kPlanar: {
      const double side = 2 * libm::tan(field_of_view / 2);
      return Vec3(1, side * left, side * up * height / width).normalized();
    }
    case Projection::kCylindrical: {
      const double azimuth = left * field_of_view, elevation = up * vertical_field_of_view();
      const double level = libm::cos(elevation);
      return {level * libm::cos(azimuth), level * libm::sin(azimuth), libm::sin(elevation)};
    }
    case Projection::kSpherical: {
      const double from_axis = std::sqrt(left * left + up * up);
      if (from_axis == 0) return Vec3::UnitX();
      const double angle = from_axis * field_of_view, across = libm::sin(angle) / from_axis;
      return {libm::cos(angle), across * left, across * up};
    }
  }
  return Vec3::UnitX();
}

ImageGeometry image_geometry(const Fields& camera) {
  ImageGeometry image;
  image.width = camera.integer("width");
  image.height = camera.integer("height");
  image.field_of_view = camera.number("fieldOfView");
  image.projection = *projection_of(camera.string("projection"));
  if (!camera.is_set("projection") && camera.boolean("spherical")) {
    image.projection = Projection::kCylindrical;  // the name before R2023a
  }
  if (image.projection == Projection::kPlanar && image.field_of_view >= kPi) {
    throw std::invalid_argument("field 'fieldOfView' of a planar image must be less than pi");
  }
  image.lens = lens_of(camera);
  return image;
}

PixelRays::PixelRays(const ImageGeometry& image, int side) {
  constexpr int kTile = 4;  // a square of rays is one packet
  const int width = image.width * side, height = image.height * side;
  const auto rays = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  for (auto* floats : {&dx, &dy, &dz}) floats->reserve(rays);
  pixel.reserve(rays);
  for (int top = 0; top < height; top += kTile) {
    for (int left = 0; left < width; left += kTile) {
      for (int row = top; row < std::min(top + kTile, height); ++row) {
        for (int column = left; column < std::min(left + kTile, width); ++column) {
          const Vec3 d = image.direction((column + 0.5) / side, (row + 0.5) / side);
          dx.push_back(static_cast<float>(d.x()));
          dy.push_back(static_cast<float>(d.y()));
          dz.push_back(static_cast<float>(d.z()));
          pixel.push_back(static_cast<std::uint32_t>(row / side * image.width + column / side));
        }
      }
    }
  }
}

}  // namespace protobeam::render
