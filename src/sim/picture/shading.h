// Light on surfaces: sun, sky, haze and the ground. Colours are linear.
#pragma once

#include "base/math.h"
#include "geometry/material.h"
#include "sim/picture/color_map.h"

namespace protobeam {

/// What a surface sends back where a ray meets it.
struct Surface {
  Color albedo{0.5f, 0.5f, 0.5f};
  Color emissive{0, 0, 0};
  float roughness = 1, metalness = 0, transparency = 0;
};

/// The light that falls there: how much of the sun and of the sky is not hidden, 0..1.
struct Light {
  float sun = 1, sky = 1;
};

/// `direction` from the eye, `normal` towards it, `to_sun`: unit vectors in the world.
Color shade(const Surface& surface, const Light& light, const Eigen::Vector3f& direction,
            const Eigen::Vector3f& normal, const Eigen::Vector3f& to_sun);

/// The sky in a direction (unit); below the horizon it is the haze there.
Color sky(const Eigen::Vector3f& direction, const Eigen::Vector3f& to_sun);

/// `color` seen through `distance` metres of air.
Color through_haze(const Color& color, double distance, double haze_distance);

/// A bare ground with lines every 1 m and 10 m; `footprint` is what a pixel covers there, m.
Surface ground(double x, double y, double footprint);

/// The filmic curve: light without limit to 0..1.
Color tone_mapped(const Color& light);

}  // namespace protobeam
