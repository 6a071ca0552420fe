// What lights, sky and fog do on the way to a point and from there.
#pragma once

#include "device/appearance.h"
#include "render/color.h"
#include "render/lit_points.h"

namespace protobeam::render {

/// Where a light is as seen from the points, and the share of it that arrives without shadows;
/// `origin_W` is where positions count from.
void find_light(const LightSource& light, const Vec3& origin_W, const LitPoints& points,
                LightDirections& out);

/// What fog leaves of the light from a distance (m), after Webots' fog.frag.
float through_fog(const FogLook& fog, double distance);

/// The Background in a direction (unit, W), as it is seen, or as what is mirrored lights.
Color sky_at(const SkyLook& sky, const Eigen::Vector3f& direction, bool mirrored);
/// The same in `count` directions, at most LitPoints::kSize.
void sky_at(const SkyLook& sky, const float* dx, const float* dy, const float* dz, int count,
            bool mirrored, LitPoints::Floats out[3]);

/// Of the sky's pictures, over all directions; `light` where there is none.
Eigen::Vector3f mean_light(const SkyLook& sky);

/// Whether the sky has pictures; without, it is the same everywhere.
bool has_pictures(const SkyLook& sky);

}  // namespace protobeam::render
