// Light on surfaces: sun, sky, haze and the ground. Colours are linear.
#pragma once

#include "base/math.h"
#include "geometry/material.h"
#include "render/color.h"

namespace protobeam::render {

/// The optical properties of a surface at one point.
struct ShadingSurface {
  Color albedo{0.5f, 0.5f, 0.5f};
  Color emissive{0, 0, 0};
  float roughness = 1, metalness = 0, transparency = 0;
};

/// The share of the sun and of the sky that is visible from a point, 0..1.
struct LightVisibility {
  float sun = 1, sky = 1;
};

/// `direction` from the camera, `normal` towards it, `to_sun`: unit vectors in the world.
Color shade(const ShadingSurface& surface, const LightVisibility& visibility,
            const Eigen::Vector3f& direction, const Eigen::Vector3f& normal,
            const Eigen::Vector3f& to_sun);

/// The sky in a direction (unit); below the horizon it is the haze there.
Color sky(const Eigen::Vector3f& direction, const Eigen::Vector3f& to_sun);

/// `color` seen through `distance` metres of atmosphere.
Color through_haze(const Color& color, double distance, double haze_distance);

/// A bare ground with lines every 1 m and 10 m; `footprint` is what a pixel covers there, m.
ShadingSurface ground(double x, double y, double footprint);

/// The filmic curve: light without limit to 0..1.
Color tone_mapped(const Color& light);

}  // namespace protobeam::render
