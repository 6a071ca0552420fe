// Pictures whose brightness is a measurement: heights, occupancy.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace protobeam {

struct GreyImage {
  int width = 0, height = 0;
  int max = 255;                      ///< the brightest level that the file could hold
  std::vector<std::uint16_t> levels;  ///< row 0 on top
};

/// PGM, PNG or JPEG at its full depth, 8 or 16 bit, without any gamma correction; of colours their
/// luma (ITU-R BT.601). Throws std::runtime_error naming the file and the reason.
GreyImage load_grey_image(const std::filesystem::path& path);

/// Netpbm's portable grey map, plain (P2) or raw (P5): https://netpbm.sourceforge.net/doc/pgm.html
/// Throws std::runtime_error; `name` is how it calls the file.
GreyImage decode_pgm(std::string_view bytes, const std::string& name);

}  // namespace protobeam
