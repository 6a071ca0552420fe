#include "render/light_reach.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"
#include "render/srgb_bytes.h"

namespace protobeam::render {
namespace {

constexpr float kVeryFar = 1e6f;  // m, of the sun

/// Linear colour of a side of the sky at (s, t), 0..1 from its upper left corner.
Color texel(const Image& image, double s, double t) {
  const int x = std::clamp(static_cast<int>(s * image.width), 0, image.width - 1);
  const int y = std::clamp(static_cast<int>(t * image.height), 0, image.height - 1);
  const auto* p = image.pixels.data() +
                  (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                   static_cast<std::size_t>(x)) *
                      static_cast<std::size_t>(image.channels);
  const bool grey = image.channels < 3;
  return srgb_bytes().color(p, grey);
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

bool has_pictures(const SkyLook& sky) {
  return std::ranges::any_of(
      sky.sides, [](const auto& side) { return side != nullptr && !side->pixels.empty(); });
}

Color sky_at(const SkyLook& sky, const Eigen::Vector3f& d, bool mirrored) {
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

}  // namespace protobeam::render
