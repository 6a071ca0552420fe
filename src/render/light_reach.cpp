#include "render/light_reach.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/clones.h"
#include "base/libm.h"
#include "render/srgb_bytes.h"

namespace protobeam::render {
namespace {

constexpr float kVeryFar = 1e6f;  // m, of the sun

// As Webots hangs them: front along -x, right along y in worlds with z up (WbBackground.cpp and
// skybox.frag).
enum Side : std::int32_t { kRight, kLeft, kTop, kBottom, kFront, kBack, kSides };

/// Where directions meet the sky: a side, and -1 to 1 from left to right and from above to below in
/// its picture.
struct SkyPlaces {
  alignas(64) std::int32_t side[LitPoints::kSize];
  alignas(64) LitPoints::Floats right, down;
};

// The next two are one loop no longer: GCC then finds no vectors for the tables' index.
PROTOBEAM_CLONES void find_places(const float* dx, const float* dy, const float* dz, int count,
                                  SkyPlaces& __restrict to) {
  for (int i = 0; i < count; ++i) {
    // Along front, left and up.
    const float x = -dx[i], y = -dy[i], z = dz[i];
    const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    const float level = ay > ax ? ay : ax, most = az > level ? az : level;
    const std::int32_t side_x = x > 0 ? kFront : kBack, side_y = y > 0 ? kLeft : kRight;
    const std::int32_t side_z = z > 0 ? kTop : kBottom, side_level = ay > ax ? side_y : side_x;
    const float right_x = x > 0 ? -y : y, right_y = y > 0 ? x : -x;
    const float right_level = ay > ax ? right_y : right_x;
    const float down_z = z > 0 ? x : -x;
    to.side[i] = az > level ? side_z : side_level;
    to.right[i] = (az > level ? -y : right_level) / most;
    to.down[i] = (az > level ? down_z : -z) / most;
  }
}

/// Columns or rows of places, `sizes` by side.
PROTOBEAM_CLONES void find_pixels(const float* place, const std::int32_t* side,
                                  const std::int32_t* sizes, int count,
                                  std::int32_t* __restrict to) {
  for (int i = 0; i < count; ++i) {
    const std::int32_t size = sizes[side[i]];
    const auto at = static_cast<std::int32_t>((double{place[i]} + 1) / 2 * size);
    const std::int32_t not_before = at < 0 ? 0 : at;
    to[i] = not_before < size ? not_before : size - 1;
  }
}

/// Of a spot: full within the beam, falling evenly to the cut-off (VRML97, 6.48).
double spot_share(const LightSource& light, const Vec3& to_light) {
  const double angle = libm::acos(std::clamp(-to_light.dot(light.direction_W), -1.0, 1.0));
  if (angle >= light.cut_off_angle) return 0;
  if (angle <= light.beam_width || light.cut_off_angle <= light.beam_width) return 1;
  return (light.cut_off_angle - angle) / (light.cut_off_angle - light.beam_width);
}

}  // namespace

void find_light(const LightSource& light, const Vec3& origin_W, const LitPoints& points,
                LightDirections& out) {
  const int n = points.count;
  if (light.kind == LightSource::Kind::kDirectional) {
    const Eigen::Vector3f to_light = -light.direction_W.cast<float>();
    std::fill_n(out.x, n, to_light.x());
    std::fill_n(out.y, n, to_light.y());
    std::fill_n(out.z, n, to_light.z());
    std::fill_n(out.share, n, 1.0f);
    std::fill_n(out.distance, n, kVeryFar);
    return;
  }
  const Vec3 p = light.p_W - origin_W;
  const Vec3& a = light.attenuation;
  for (int i = 0; i < n; ++i) {
    const double d = std::isfinite(points.distance[i]) ? points.distance[i] : 0;
    const Vec3 way = p - d * Vec3(points.dx[i], points.dy[i], points.dz[i]);
    const double distance = way.norm();
    out.x[i] = out.y[i] = out.z[i] = out.share[i] = 0;
    out.distance[i] = static_cast<float>(distance);
    if (!(distance > 0) || distance > light.radius) continue;
    const Vec3 to_light = way / distance;
    const double fading = a.x() + a.y() * distance + a.z() * distance * distance;
    double share = fading > 0 ? 1 / fading : 1;
    if (light.kind == LightSource::Kind::kSpot) share *= spot_share(light, to_light);
    out.x[i] = static_cast<float>(to_light.x());
    out.y[i] = static_cast<float>(to_light.y());
    out.z[i] = static_cast<float>(to_light.z());
    out.share[i] = static_cast<float>(share);
  }
}

float through_fog(const FogLook& fog, double distance) {
  if (!(fog.visibility_range > 0)) return 1;
  const double x = distance / fog.visibility_range;
  const double clear = fog.kind == FogLook::Kind::kLinear        ? std::max(0.0, 1 - x)
                       : fog.kind == FogLook::Kind::kExponential ? libm::exp(-x)
                                                                 : libm::exp(-x * x);
  return static_cast<float>(1 - libm::pow(1 - clear, 2.2));
}

bool has_pictures(const SkyLook& sky) {
  return std::ranges::any_of(
      sky.sides, [](const auto& side) { return side != nullptr && !side->pixels.empty(); });
}

void sky_at(const SkyLook& sky, const float* dx, const float* dy, const float* dz, int count,
            bool mirrored, LitPoints::Floats out[3]) {
  // A colour is shown as it is written: the camera's response makes it of this light.
  const auto shown = [](float c) {
    return static_cast<float>(-libm::log(1.0 - std::min(c, 0.9999f)));
  };
  const Color plain =
      mirrored ? Color(sky.light * sky.luminosity) : Color(sky.color.unaryExpr(shown));
  std::int32_t widths[kSides], heights[kSides], channels[kSides];
  const std::uint8_t* bytes[kSides];
  for (std::size_t side = 0; side < kSides; ++side) {
    const auto& image = sky.sides[side];
    const bool there = image && !image->pixels.empty();
    widths[side] = there ? image->width : 1, heights[side] = there ? image->height : 1;
    bytes[side] = there ? image->pixels.data() : nullptr;
    channels[side] = there ? image->channels : 0;
  }
  SkyPlaces at;
  std::int32_t columns[LitPoints::kSize], rows[LitPoints::kSize];
  if (sky.up.y() > 0.5) {  // front along -z, right along x
    find_places(dz, dx, dy, count, at);
  } else {
    find_places(dx, dy, dz, count, at);
  }
  find_pixels(at.right, at.side, widths, count, columns);
  find_pixels(at.down, at.side, heights, count, rows);
  const SrgbBytes& linear = srgb_bytes();
  const float luminosity = sky.luminosity;
  for (int i = 0; i < count; ++i) {
    const auto side = static_cast<std::size_t>(at.side[i]);
    Color color = plain;
    if (bytes[side]) {
      const std::int32_t number = rows[i] * widths[side] + columns[i];
      const std::uint8_t* pixel =
          bytes[side] + static_cast<std::size_t>(number) * static_cast<std::size_t>(channels[side]);
      color = linear.color(pixel, channels[side] < 3) * luminosity;
    }
    for (int c = 0; c < 3; ++c) out[c][i] = color[c];
  }
}

Eigen::Vector3f mean_light(const SkyLook& sky) {
  constexpr int kPlaces = 64;  // along each edge of a side
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double weights = 0;
  const SrgbBytes& linear = srgb_bytes();
  for (const auto& image : sky.sides) {
    const bool there = image && !image->pixels.empty();
    for (int k = 0; k < kPlaces * kPlaces; ++k) {
      const int row = k / kPlaces, column = k % kPlaces;
      const double x = (2 * column + 1.0) / kPlaces - 1, y = (2 * row + 1.0) / kPlaces - 1;
      const double square = 1 + x * x + y * y, weight = 1 / (square * std::sqrt(square));  // solid angle
      weights += weight;
      if (!there) {
        sum += weight * sky.light.cast<double>();
        continue;
      }
      const int at = (2 * row + 1) * image->height / (2 * kPlaces) * image->width +
                     (2 * column + 1) * image->width / (2 * kPlaces);
      const auto channels = static_cast<std::size_t>(image->channels);
      const std::uint8_t* pixel = image->pixels.data() + static_cast<std::size_t>(at) * channels;
      sum += weight * linear.color(pixel, channels < 3).cast<double>();
    }
  }
  return (sum / weights).cast<float>();
}

Color sky_at(const SkyLook& sky, const Eigen::Vector3f& d, bool mirrored) {
  LitPoints::Floats color[3];
  sky_at(sky, &d.x(), &d.y(), &d.z(), 1, mirrored, color);
  return {color[0][0], color[1][0], color[2][0]};
}

}  // namespace protobeam::render
