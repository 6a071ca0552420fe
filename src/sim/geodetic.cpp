#include "sim/geodetic.h"

#include <GeographicLib/LocalCartesian.hpp>

#include "sim/model.h"

namespace protobeam {

std::function<Vec3(const Vec3&)> geodetic_in(const WorldModel& model) {
  const Vec3& reference = model.gps_reference;
  if (!model.geodetic) {
    // As Webots' manual has it (WorldInfo): local positions count from the reference, too.
    if (reference.isZero(0)) return {};
    return [reference = Vec3(reference)](const Vec3& p_W) -> Vec3 { return p_W + reference; };
  }
  return [frame = GeographicLib::LocalCartesian(reference.x(), reference.y(), reference.z()),
          east = model.north.cross(model.up).eval(), north = model.north,
          up = model.up](const Vec3& p_W) {
    const Vec3 p(east.dot(p_W), north.dot(p_W), up.dot(p_W));
    Vec3 out;
    frame.Reverse(p.x(), p.y(), p.z(), out.x(), out.y(), out.z());
    return out;
  };
}

}  // namespace protobeam
