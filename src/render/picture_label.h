// Texts that a program lays over pictures of the world: scores, times, names.
#pragma once

#include <span>
#include <string>

#include "geometry/material.h"
#include "render/color.h"

namespace protobeam::render {

struct PictureLabel {
  std::string text;         ///< UTF-8, lines end with \n
  double x = 0, y = 0;      ///< of the upper left corner, 0..1 of the picture
  double size = 0.1;        ///< of a line, share of the picture's height
  Color color{0, 0, 0};     ///< sRGB 0..1
  double transparency = 0;  ///< 0..1

  bool operator==(const PictureLabel&) const = default;
};

/// Webots' (WbWrenLabelOverlay.cpp): a text begins that share of a line's height to the right of x.
inline constexpr double kLabelMargin = 0.15;

/// Pixels of its longest line with a margin on both sides, in a picture of that height.
int width_of(const PictureLabel& label, int picture_height);

/// Draws them over an RGB image, later ones over earlier ones, in the font of dots: characters
/// beyond ASCII are empty boxes.
void draw_labels(Image& image, std::span<const PictureLabel> labels);

}  // namespace protobeam::render
