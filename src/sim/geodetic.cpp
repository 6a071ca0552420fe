#include "sim/geodetic.h"

#include <GeographicLib/LocalCartesian.hpp>
#include <GeographicLib/TransverseMercator.hpp>
#include <GeographicLib/UTMUPS.hpp>

#include "sim/model.h"

namespace protobeam {

namespace {

/// Of a world whose coordinates are easting, northing and height of a zone.
std::function<Vec3(const Vec3&)> geodetic_in_zone(const WorldModel& model) {
  using GeographicLib::UTMUPS;
  const Vec3& reference = model.gps_reference;
  const int zone = UTMUPS::StandardZone(reference.x(), reference.y(), UTMUPS::UTM);
  constexpr double kFalseEasting = 5e5, kFalseNorthing = 1e7;  // m; the latter south of the equator
  return [middle = 6.0 * zone - 183, south = reference.x() < 0 ? kFalseNorthing : 0,
          east = model.north.cross(model.up).eval(), north = model.north,
          up = model.up](const Vec3& p_W) {
    Vec3 out(0, 0, up.dot(p_W));
    GeographicLib::TransverseMercator::UTM().Reverse(middle, east.dot(p_W) - kFalseEasting,
                                                     north.dot(p_W) - south, out.x(), out.y());
    return out;
  };
}

}  // namespace

std::function<Vec3(const Vec3&)> geodetic_in(const WorldModel& model) {
  const Vec3& reference = model.gps_reference;
  if (!model.geodetic) {
    // As Webots' manual has it (WorldInfo): local positions count from the reference, too.
    if (reference.isZero(0)) return {};
    return [reference = Vec3(reference)](const Vec3& p_W) -> Vec3 { return p_W + reference; };
  }
  if (model.utm) return geodetic_in_zone(model);
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
