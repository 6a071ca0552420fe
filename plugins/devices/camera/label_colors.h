// Labels of objects, as Gazebo's segmentation cameras have them, and colours for them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "device/appearance.h"

namespace protobeam {

/// Of each object: its label in the lower 8 bits, a `model` that is a whole number from 1 to 255;
/// with `instances` how many with that label come up to it in the order of the world's text, from 1
/// on, in the 16 bits above. 0: it has no label.
std::vector<std::uint32_t> labels_of(std::span<const RecognizableObject> objects, bool instances);

/// Each of the 2^24 numbers has a colour of its own, and 0 is black.
void write_label_color(std::uint32_t label, std::uint8_t* bgr);
std::uint32_t label_of_color(const std::uint8_t* bgr);

}  // namespace protobeam
