#include "render/camera.h"

#include <algorithm>
#include <cmath>

#include "base/libm.h"

namespace protobeam::render {

Pose look_at(const Vec3& from, const Vec3& target) {
  const Vec3 ahead = target - from;
  const double level = libm::hypot(ahead.x(), ahead.y());
  const bool steep = level < 1e-9 * ahead.norm() || !(ahead.norm() > 0);
  const double yaw = steep ? 0 : libm::atan2(ahead.y(), ahead.x());
  const double pitch = libm::atan2(-ahead.z(), level);
  return {axis_angle(Vec3::UnitZ(), yaw) * axis_angle(Vec3::UnitY(), pitch), from};
}

Camera frame_bounds(const Bounds& box, double aspect, double azimuth, double elevation) {
  Camera camera;
  const Bounds shown = box.empty() ? Bounds{Vec3::Constant(-1), Vec3::Constant(1)} : box;
  const Vec3 centre = (shown.min + shown.max) / 2;
  const Vec3 back(libm::cos(azimuth) * libm::cos(elevation), libm::sin(azimuth) * libm::cos(elevation),
                  libm::sin(elevation));
  // Yawed to look back at the centre, then pitched down: Rz(azimuth + pi) Ry(elevation).
  camera.X_WC.R = axis_angle({0, 0, 1}, azimuth + kPi) * axis_angle({0, 1, 0}, elevation);

  const double tan_up = libm::tan(camera.vertical_fov / 2), tan_side = tan_up * aspect;
  double distance = 0;
  for (int i = 0; i < 8; ++i) {
    const Vec3 corner((i & 1) != 0 ? shown.max.x() : shown.min.x(),
                      (i & 2) != 0 ? shown.max.y() : shown.min.y(),
                      (i & 4) != 0 ? shown.max.z() : shown.min.z());
    const Vec3 p_C = camera.X_WC.R.conjugate() * (corner - centre);
    distance = std::max(
        {distance, std::abs(p_C.y()) / tan_side - p_C.x(), std::abs(p_C.z()) / tan_up - p_C.x()});
  }
  camera.X_WC.p = centre + back * (1.04 * distance + 1e-3);
  return camera;
}

}  // namespace protobeam::render
