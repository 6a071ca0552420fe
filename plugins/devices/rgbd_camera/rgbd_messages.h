// What an RgbdCamera publishes: its images, and the points that they make.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "message/sensor_msgs.h"
#include "render/projection.h"

namespace protobeam {

/// A depth image and, where points have colours, the colour image.
struct DepthView {
  render::ImageGeometry depth;
  std::span<const std::uint16_t> depths;  ///< in steps; 0: none
  double step = 0.001;                    ///< m
  render::ImageGeometry color;
  std::span<const std::uint8_t> bgra;  ///< empty: points without colours
  Pose X_CD;                           ///< from the optical frame of the depth image to that of the other
};

/// Depths as images of 16UC1 have them (REP-118). What has no number there, from 65.536 m on, is 0:
/// none.
std::vector<std::uint16_t> in_millimetres(std::span<const std::uint16_t> depths, double step);

/// One point a pixel, row by row, in the depth image's optical frame; NaN where there is no depth.
/// x, y, z and, with colours, rgb: a float32 whose bytes are blue, green, red, 0, as PCL has it.
message::PointCloud2 depth_points(const message::Header& header, const DepthView& view);

}  // namespace protobeam
