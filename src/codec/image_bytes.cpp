// jpeglib.h uses size_t and FILE without including anything.
// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <png.h>
// clang-format on

#include "codec/image_bytes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdlib>
#include <memory>
#include <stdexcept>

namespace protobeam {
namespace {

void check_count(std::size_t pixels, int width, int height, int channels) {
  const bool fits = width > 0 && height > 0 &&
                    pixels == static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                                  static_cast<std::size_t>(channels);
  if (!fits) throw std::runtime_error("there is no image");
}

/// libjpeg reports errors by a call that must not return.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf where;
  char message[JMSG_LENGTH_MAX];
};
[[noreturn]] void on_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  errors->base.format_message(info, errors->message);
  std::longjmp(errors->where, 1);
}

J_COLOR_SPACE color_space(PixelOrder order) {
  switch (order) {
    case PixelOrder::kGrey:
      return JCS_GRAYSCALE;
    case PixelOrder::kRgb:
      return JCS_RGB;
    case PixelOrder::kRgba:
      return JCS_EXT_RGBX;
    case PixelOrder::kBgra:
      return JCS_EXT_BGRX;
  }
  return JCS_UNKNOWN;
}

/// Only plain C between setjmp and the end: a jump would skip destructors.
bool compress(jpeg_compress_struct& info, JpegErrors& errors, const std::uint8_t* pixels,
              int quality, unsigned char** out, unsigned long* size) {
  if (setjmp(errors.where) != 0) return false;
  jpeg_mem_dest(&info, out, size);
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  const std::size_t row =
      static_cast<std::size_t>(info.image_width) * static_cast<std::size_t>(info.input_components);
  while (info.next_scanline < info.image_height) {
    auto* line = const_cast<JSAMPROW>(pixels) + row * info.next_scanline;
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  return true;
}

}  // namespace

int channels(PixelOrder order) {
  return order == PixelOrder::kGrey ? 1 : order == PixelOrder::kRgb ? 3 : 4;
}

std::string encode_png(std::span<const std::uint8_t> pixels, int width, int height,
                       PixelOrder order, bool fast) {
  check_count(pixels.size(), width, height, channels(order));
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.flags = fast ? PNG_IMAGE_FLAG_FAST : 0;
  png.width = static_cast<png_uint_32>(width);
  png.height = static_cast<png_uint_32>(height);
  png.format = order == PixelOrder::kGrey   ? PNG_FORMAT_GRAY
               : order == PixelOrder::kRgb  ? PNG_FORMAT_RGB
               : order == PixelOrder::kRgba ? PNG_FORMAT_RGBA
                                            : PNG_FORMAT_BGRA;
  std::string bytes(PNG_IMAGE_PNG_SIZE_MAX(png), '\0');
  png_alloc_size_t length = bytes.size();
  if (png_image_write_to_memory(&png, bytes.data(), &length, 0, pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(png.message);
  }
  bytes.resize(length);
  return bytes;
}

std::string encode_jpeg(std::span<const std::uint8_t> pixels, int width, int height,
                        PixelOrder order, int quality) {
  check_count(pixels.size(), width, height, channels(order));
  JpegErrors errors{};
  jpeg_compress_struct info{};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = on_error;
  jpeg_create_compress(&info);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = channels(order);
  info.in_color_space = color_space(order);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const bool good =
      compress(info, errors, pixels.data(), std::clamp(quality, 1, 100), &bytes, &size);
  jpeg_destroy_compress(&info);
  const std::unique_ptr<unsigned char, decltype(&std::free)> guard(bytes, &std::free);
  if (!good) throw std::runtime_error(errors.message);
  return {reinterpret_cast<const char*>(bytes), size};
}

std::string encode_radiance(std::span<const float> values, int width, int height) {
  check_count(values.size(), width, height, 1);
  std::string bytes = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(height) +
                      " +X " + std::to_string(width) + "\n";
  bytes.reserve(bytes.size() + 4 * values.size());
  for (const float value : values) {
    std::array<int, 2> pixel{};  // mantissa and exponent
    if (value > 0 && !std::isfinite(value)) {
      pixel = {255, 255};
    } else if (value > 0) {
      int exponent = 0;
      const double mantissa = std::frexp(double{value}, &exponent);
      pixel = {static_cast<int>(mantissa * 256), exponent + 128};
      if (pixel[1] > 255) pixel = {255, 255};
      if (pixel[1] < 1) pixel = {};
    }
    bytes.append(3, static_cast<char>(pixel[0]));
    bytes += static_cast<char>(pixel[1]);
  }
  return bytes;
}

}  // namespace protobeam
