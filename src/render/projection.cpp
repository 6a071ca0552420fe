#include "render/projection.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>
#include <tuple>

#include "base/fields.h"
#include "base/libm.h"
#include "base/shared_store.h"

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

namespace {

/// From the optical frame (x right, y down, z forward) to ours, and back.
Vec3 from_optical(const Vec3& d) { return {d.z(), -d.x(), -d.y()}; }
Vec3 to_optical(const Vec3& d) { return {-d.y(), -d.z(), d.x()}; }

template <typename... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw std::invalid_argument(text.str());
}

/// Field `lensModel` and its numbers.
LensModel lens_model_of(const Fields& camera, LensKind kind, const ImageGeometry& image) {
  LensModel lens;
  lens.kind = kind;
  const auto k = camera.numbers("distortion");
  const auto counts = coefficient_counts(kind);
  if (std::ranges::find(counts, static_cast<int>(k.size())) == counts.end()) {
    std::string wanted;
    for (const int count : counts) wanted += (wanted.empty() ? "" : " or ") + std::to_string(count);
    refuse("field 'distortion' of lensModel \"", camera.string("lensModel"), "\" takes ", wanted,
           " numbers, got ", k.size());
  }
  std::ranges::copy(k, lens.coefficients.begin());
  const bool of_spheres = kind == LensKind::kEucm || kind == LensKind::kDoubleSphere;
  const double alpha = kind == LensKind::kEucm ? lens.coefficients[0] : lens.coefficients[1];
  if (of_spheres && !(alpha >= 0 && alpha <= 1)) {
    refuse("field 'distortion': alpha must be between 0 and 1, got ", alpha);
  }
  if (kind == LensKind::kEucm && !(lens.coefficients[1] > 0)) {
    refuse("field 'distortion': beta must be greater than 0, got ", lens.coefficients[1]);
  }
  const auto given = camera.numbers("intrinsics");
  if (given.empty()) {
    if (kind != LensKind::kOpencv) {
      refuse("field 'lensModel': \"", camera.string("lensModel"),
             "\" needs intrinsics [ fx fy cx cy ]");
    }
    lens.fx = lens.fy = image.width / 2.0 / libm::tan(image.field_of_view / 2);
    lens.cx = (image.width - 1) / 2.0;
    lens.cy = (image.height - 1) / 2.0;
    return lens;
  }
  if (given.size() != 4) refuse("field 'intrinsics' takes fx fy cx cy, got ", given.size(), " numbers");
  lens.fx = given[0], lens.fy = given[1], lens.cx = given[2], lens.cy = given[3];
  if (!(lens.fx > 0) || !(lens.fy > 0)) refuse("field 'intrinsics': focal lengths must be greater than 0");
  if (lens.cx < 0 || lens.cx > image.width || lens.cy < 0 || lens.cy > image.height) {
    refuse("field 'intrinsics': the principal point (", lens.cx, ", ", lens.cy,
           ") is outside of the image of ", image.width, " x ", image.height, " pixels");
  }
  const double fov = 2 * libm::atan(image.width / 2.0 / lens.fx);
  if (kind == LensKind::kOpencv && camera.is_set("fieldOfView") &&
      std::abs(fov - image.field_of_view) > 0.02 * fov) {
    refuse("field 'intrinsics': fx ", lens.fx, " and width ", image.width,
           " make a field of view of ", fov, " rad, but fieldOfView is ", image.field_of_view);
  }
  return lens;
}

}  // namespace

double ImageGeometry::vertical_field_of_view() const {
  const double ratio = static_cast<double>(height) / width;
  if (projection == Projection::kPlanar) {
    return 2 * libm::atan(libm::tan(field_of_view / 2) * ratio);
  }
  return field_of_view * ratio;
}

Properties ImageGeometry::calibration() const {
  if (!model) {
    const char* name = projection == Projection::kCylindrical ? "cylindrical"
                       : projection == Projection::kSpherical ? "spherical"
                       : lens                                 ? "Lens"
                                                              : "pinhole";
    return {{"lens", std::string(name)}};
  }
  const auto counts = coefficient_counts(model->kind);
  auto used = static_cast<std::size_t>(counts.back());
  const std::size_t least = model->kind == LensKind::kOpencv ? 4 : used;
  while (used > least && model->coefficients[used - 1] == 0) --used;
  return {{"lens", std::string(lens_name(model->kind))},
          {"intrinsics", std::vector<double>{model->fx, model->fy, model->cx, model->cy}},
          {"distortion",
           std::vector<double>(model->coefficients.begin(),
                               model->coefficients.begin() + static_cast<std::ptrdiff_t>(used))}};
}

bool ImageGeometry::is_planar() const {
  if (model) return model->kind == LensKind::kOpencv;
  return projection == Projection::kPlanar;
}

double ImageGeometry::pixel_angle() const {
  const auto a = direction(width / 2.0 - 0.5, height / 2.0);
  const auto b = direction(width / 2.0 + 0.5, height / 2.0);
  return a && b ? libm::asin(std::min(1.0, a->cross(*b).norm())) : field_of_view / width;
}

std::optional<Vec3> ImageGeometry::direction(double column, double row) const {
  return ImageDirections(*this).at(column, row);
}

ImageDirections::ImageDirections(const ImageGeometry& image) : image_(image) {
  if (image.model) return;
  if (image.projection == Projection::kPlanar) width_ = 2 * libm::tan(image.field_of_view / 2);
  if (image.projection == Projection::kCylindrical) height_ = image.vertical_field_of_view();
}

std::optional<Vec3> ImageDirections::at(double column, double row) const {
  if (image_.model) {
    const auto ray = image_.model->ray(column - 0.5, row - 0.5);
    if (!ray) return std::nullopt;
    return from_optical(*ray);
  }
  Vec2 uv(column / image_.width, 1 - row / image_.height);
  if (image_.lens) uv = image_.lens->undistorted(uv);
  const double left = 0.5 - uv.x(), up = uv.y() - 0.5;
  switch (image_.projection) {
    case Projection::kPlanar:
      return Vec3(1, width_ * left, width_ * up * image_.height / image_.width).normalized();
    case Projection::kCylindrical: {
      const double azimuth = left * image_.field_of_view, elevation = up * height_;
      const double level = libm::cos(elevation);
      return Vec3(level * libm::cos(azimuth), level * libm::sin(azimuth), libm::sin(elevation));
    }
    case Projection::kSpherical: {
      const double from_axis = std::sqrt(left * left + up * up);
      if (from_axis == 0) return Vec3::UnitX();
      const double angle = from_axis * image_.field_of_view, across = libm::sin(angle) / from_axis;
      return Vec3(libm::cos(angle), across * left, across * up);
    }
  }
  return Vec3::UnitX();
}

std::optional<Vec2> ImageGeometry::place_of(const Vec3& p_C) const {
  if (model) {
    const auto pixel = model->project(to_optical(p_C));
    if (!pixel) return std::nullopt;
    return Vec2(*pixel + Vec2(0.5, 0.5));
  }
  const double length = p_C.norm();
  if (!(length > 0)) return std::nullopt;
  double left = 0, up = 0;
  switch (projection) {
    case Projection::kPlanar: {
      if (!(p_C.x() > 0)) return std::nullopt;
      const double side = 2 * libm::tan(field_of_view / 2) * p_C.x();
      left = p_C.y() / side;
      up = p_C.z() / side * width / height;
      break;
    }
    case Projection::kCylindrical:
      left = libm::atan2(p_C.y(), p_C.x()) / field_of_view;
      up = libm::asin(p_C.z() / length) / vertical_field_of_view();
      break;
    case Projection::kSpherical: {
      const double across = libm::hypot(p_C.y(), p_C.z());
      const double scale = across > 0 ? libm::atan2(across, p_C.x()) / field_of_view / across : 0;
      left = scale * p_C.y();
      up = scale * p_C.z();
      break;
    }
  }
  const Vec2 wanted(0.5 - left, 0.5 + up);
  Vec2 uv = wanted;
  for (int i = 0; lens && i < 100; ++i) {
    const Vec2 error = lens->undistorted(uv) - wanted;
    uv -= error;
    if (!(error.norm() > 1e-13)) break;
  }
  if (!uv.allFinite()) return std::nullopt;
  return Vec2(uv.x() * width, (1 - uv.y()) * height);
}

std::vector<FieldSpec> image_fields() {
  using enum FieldType;
  return {{"fieldOfView", kFloat, "0.7854", "rad", Range::between(0.001, 2 * kPi),
           "Horizontal; less than pi when planar"},
          {"width", kInt32, "64", "", Range::between(1, 16384), "Pixels of a row"},
          {"height", kInt32, "64", "", Range::between(1, 16384), "Rows"},
          {"projection", kString, "\"planar\"", "", {}, "How rays leave it",
           "planar|cylindrical|spherical"},
          {"spherical", kBool, "FALSE", "", {}, "Before R2023a: projection \"cylindrical\""},
          {"near", kFloat, "0.01", "m", Range::at_least(0),
           "What is nearer to the plane x = 0 does not exist for it"},
          {"lens", kNode, "NULL", "", {}, "Distortion of the image", "Lens"},
          {"lensModel", kString, "\"none\"", "", {},
           "A calibrated lens instead of projection and lens: opencv has 4, 5 or 8 coefficients, "
           "fisheye (Kannala-Brandt) 4, eucm alpha beta, double_sphere xi alpha",
           "none|opencv|fisheye|eucm|double_sphere"},
          {"intrinsics", kMFFloat, "[ ]", "", {},
           "fx fy cx cy of lensModel in pixels, the middle of the first pixel is 0 0; empty: from "
           "fieldOfView"},
          {"distortion", kMFFloat, "[ ]", "", {}, "Coefficients of lensModel"}};
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
  const auto kind = lens_kind(camera.string("lensModel"));
  if ((!kind || kind == LensKind::kOpencv) && image.projection == Projection::kPlanar &&
      image.field_of_view >= kPi) {
    throw std::invalid_argument("field 'fieldOfView' of a planar image must be less than pi");
  }
  image.lens = lens_of(camera);
  if (kind) {
    if (image.lens) refuse("field 'lens': lensModel takes its place; set one of them");
    image.model = lens_model_of(camera, *kind, image);
    if (kind == LensKind::kOpencv) {
      image.field_of_view = 2 * libm::atan(image.width / 2.0 / image.model->fx);
    }
  } else if (!camera.numbers("intrinsics").empty() || !camera.numbers("distortion").empty()) {
    refuse("field '", camera.numbers("intrinsics").empty() ? "distortion" : "intrinsics",
           "' is of no effect without lensModel; write lensModel \"opencv\"");
  }
  return image;
}

PixelRays::PixelRays(const ImageGeometry& image, int side, RayOrder order) {
  const int tile_height = order == RayOrder::kTiles ? 4 : 1, tile_width = 16 / tile_height;
  const int width = image.width * side, height = image.height * side;
  const auto rays = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<float> x, y, z;
  std::vector<std::uint32_t> pixels;
  for (auto* floats : {&x, &y, &z}) floats->reserve(rays);
  pixels.reserve(rays);
  const ImageDirections directions(image);
  const auto add_tile = [&](int left, int top) {
    for (int row = top; row < std::min(top + tile_height, height); ++row) {
      for (int column = left; column < std::min(left + tile_width, width); ++column) {
        const auto d = directions.at((column + 0.5) / side, (row + 0.5) / side);
        if (!d) continue;
        x.push_back(static_cast<float>(d->x()));
        y.push_back(static_cast<float>(d->y()));
        z.push_back(static_cast<float>(d->z()));
        pixels.push_back(static_cast<std::uint32_t>(row / side * image.width + column / side));
      }
    }
  };
  if (order == RayOrder::kTiles) {
    for (int left = 0; left < width; left += tile_width) {
      for (int top = 0; top < height; top += tile_height) add_tile(left, top);
    }
    const bool whole = width % tile_width == 0 && height % tile_height == 0;
    if (whole && pixels.size() == rays) tile_rows_ = height / tile_height;
  } else {
    for (int row = 0; row < height; ++row) {
      if (row % side == 0) row_begin_.push_back(pixels.size());
      for (int left = 0; left < width; left += tile_width) add_tile(left, row);
    }
    row_begin_.push_back(pixels.size());
  }
  dx = SharedVector(std::move(x));
  dy = SharedVector(std::move(y));
  dz = SharedVector(std::move(z));
  pixel = SharedVector(std::move(pixels));
}

RayBatch PixelRays::batch(RayScene& scene, const Pose& X_WS) {
  RayBatch batch;
  batch.X_WS = X_WS;
  batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
  batch.count = count();
  if (tile_rows_ > 0 && !tiles_) {
    // Of the same rays in memory they are the same, and these live as long.
    using Key = std::tuple<const float*, const float*, const float*, int>;
    static auto* const all = new SharedStore<Key, const BeamTiles>;
    tiles_ = all->get({dx.data(), dy.data(), dz.data(), tile_rows_}, [&] { return scene.arrange(batch, tile_rows_); });
    if (!tiles_) tile_rows_ = 0;  // of no use to this engine
  }
  batch.tiles = tiles_.get();
  return batch;
}

}  // namespace protobeam::render
