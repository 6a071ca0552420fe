#include "controller/image_file.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <string_view>
#include <vector>

#include "base/file_names.h"
#include "base/whole_file.h"

namespace protobeam::controller {
namespace {

/// Nothing is thrown into C programs.
std::string write(std::string_view name, const std::function<std::string()>& encode) {
  std::string bytes;
  try {
    bytes = encode();
  } catch (const std::exception& error) {
    return "cannot write '" + std::string(name) + "': " + error.what();
  }
  try {
    write_whole_file(name, bytes);
    return "";
  } catch (const std::exception& error) {
    return error.what();  // with the name
  }
}

std::string refused(std::string_view name, const char* written) {
  return "called with '" + std::string(name) + "': only " + written + " are written";
}

}  // namespace

std::string write_image(const char* filename, std::span<const std::uint8_t> pixels, int width,
                        int height, PixelOrder order, int quality) {
  const std::string_view name = filename ? filename : "";
  const std::string ending = extension_of(name);
  // Programs that keep each image of a camera wait for it.
  constexpr bool kFast = true;
  if (ending == ".png") {
    return write(name, [&] { return encode_png(pixels, width, height, order, kFast); });
  }
  if (ending != ".jpg" && ending != ".jpeg") return refused(name, ".png, .jpg and .jpeg");
  if (quality < 1 || quality > 100) {
    return "called with a quality of " + std::to_string(quality) + ", which must be from 1 to 100";
  }
  return write(name, [&] { return encode_jpeg(pixels, width, height, order, quality); });
}

std::string write_values(const char* filename, std::span<const float> values, int width, int height,
                         double low, double high, int quality) {
  const std::string_view name = filename ? filename : "";
  const std::string ending = extension_of(name);
  if (ending == ".hdr") return write(name, [&] { return encode_radiance(values, width, height); });
  if (ending != ".png" && ending != ".jpg" && ending != ".jpeg") {
    return refused(name, ".png, .jpg, .jpeg and .hdr");
  }
  std::vector<std::uint8_t> grey;
  grey.reserve(values.size());
  for (const float value : values) {
    const double share = (std::min(double{value}, high) - low) / (high - low);
    grey.push_back(static_cast<std::uint8_t>(std::lround(255 * std::clamp(share, 0.0, 1.0))));
  }
  return write_image(filename, grey, width, height, PixelOrder::kGrey, quality);
}

}  // namespace protobeam::controller
