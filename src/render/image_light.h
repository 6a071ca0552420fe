// What is done to the points of an image before and after their surfaces are lit.
#pragma once

#include <cstddef>

#include "render/color.h"
#include "render/lit_points.h"

namespace protobeam::render {

/// Sets distances. Nothing is seen farther than `far` (m), 0: no limit; `forward`: the x of
/// directions where that is a plane, or null.
void limit_distances(const float* range, float far, const float* forward, LitPoints& points);

/// Sets directions: those in the camera, with the axes of W (`by`).
void rotate_directions(const Eigen::Matrix3f& by, const float* x, const float* y, const float* z,
                       std::size_t begin, std::size_t end, LitPoints& points);

/// Breadth of a pixel on `n` surfaces that it sees at an angle, m.
void find_breadths(const float* distance, const float* cosine, float pixel_angle, int n,
                   float* breadth);

/// Adds light where there is some.
void arrive(const LitPoints::Floats* add, const unsigned char* some, LitPoints& points);

/// What is seen where nothing was met: the same everywhere, or a sky with pictures.
void show_behind(const Color& color, LitPoints& points);
void show_sky(const SkyLook& sky, LitPoints& points);

/// The sky with pictures in `seen` of the points that mirror it.
void mirror_sky(const SkyLook& sky, LitPoints& points);

}  // namespace protobeam::render
