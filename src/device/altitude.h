// How high a place is.
#pragma once

#include "device/sample_input.h"

namespace protobeam {

/// Of a point, m, for a type that asks for Input::kGeodetic: altitude above the WGS84 ellipsoid in
/// a world with geodetic coordinates (`geodetic`: DeviceContext), height along the world's up axis,
/// plus that of gpsReference, in others.
inline double altitude_of(const Vec3& p_W, const SampleInput& in, bool geodetic) {
  const Vec3 p = in.to_geodetic ? in.to_geodetic(p_W) : p_W;
  if (in.to_geodetic && geodetic) return p.z();
  return in.up_W.dot(p);
}

}  // namespace protobeam
