// Pixels as the bytes of image files. Rows from the top, one behind the other.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace protobeam {

/// What a pixel is, 8 bits each. Alpha goes into PNG files only.
enum class PixelOrder { kGrey, kRgb, kRgba, kBgra };
/// Bytes a pixel.
int channels(PixelOrder order);

/// W3C, "Portable Network Graphics (PNG) Specification", second edition. Throws std::runtime_error
/// with what is wrong: also when there are not as many pixels as there should be. `fast`: a quarter
/// of the time, for files of up to one and a half the size.
std::string encode_png(std::span<const std::uint8_t> pixels, int width, int height,
                       PixelOrder order, bool fast = false);

/// `quality` is 1..100, of the JPEG format. Throws as encode_png; also for more than 65,500 pixels
/// in a row or column.
std::string encode_jpeg(std::span<const std::uint8_t> pixels, int width, int height,
                        PixelOrder order, int quality);

/// One value a pixel, as grey of a Radiance picture (".hdr"): 8 significant bits, rounded down, so
/// that less than 1/128 is missing. What is negative or no number becomes 0, what is infinite or
/// too great the greatest, 1.7e38. G. Ward, "Real Pixels", Graphics Gems II (1991). Throws as
/// encode_png.
std::string encode_radiance(std::span<const float> values, int width, int height);

}  // namespace protobeam
