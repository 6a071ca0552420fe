// jpeglib.h uses size_t and FILE without including anything.
// clang-format off
#include <cstddef>
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
#include <png.h>
// clang-format on

#include <csetjmp>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "base/memory_budget.h"
#include "base/named_files.h"
#include "base/whole_file.h"
#include "codec/image_bytes.h"
#include "geometry/files.h"
#include "geometry/grey_image.h"
#include "geometry/image_codec.h"

namespace protobeam {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw std::runtime_error("cannot read image " + name + ": " + why);
}

void allocate(Image& image, std::size_t width, std::size_t height, int channels,
              const std::string& name) {
  if (width == 0 || height == 0 || width > kMaxPixels / height) {
    fail(name, "impossible size " + std::to_string(width) + " x " + std::to_string(height));
  }
  take_memory(static_cast<double>(width) * static_cast<double>(height) * channels, name);
  image.width = static_cast<int>(width);
  image.height = static_cast<int>(height);
  image.channels = channels;
  image.pixels.resize(width * height * static_cast<std::size_t>(channels));
}

/// libpng's own state is freed on every return path.
struct PngReader {
  png_image png{};
  PngReader() { png.version = PNG_IMAGE_VERSION; }
  ~PngReader() { png_image_free(&png); }
};

Image decode_png(std::string_view bytes, const std::string& name) {
  PngReader reader;
  png_image& png = reader.png;
  if (png_image_begin_read_from_memory(&png, bytes.data(), bytes.size()) == 0) {
    fail(name, png.message);
  }
  const bool colour = (png.format & PNG_FORMAT_FLAG_COLOR) != 0;
  const bool alpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
  png.format = alpha ? PNG_FORMAT_RGBA : colour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  Image image;
  allocate(image, png.width, png.height, alpha ? 4 : colour ? 3 : 1, name);
  // What libpng finds wrong before the pixels, as in the colour profiles of many editors, does not
  // change them. Of damaged pixels some may still come, together with a warning.
  png.warning_or_error = 0;
  if (png_image_finish_read(&png, nullptr, image.pixels.data(), 0, nullptr) == 0 ||
      png.warning_or_error != 0) {
    fail(name, png.message);
  }
  return image;
}

/// libjpeg reports errors by a call that must not return.
struct JpegErrors {
  jpeg_error_mgr base;
  std::jmp_buf where;
  char message[JMSG_LENGTH_MAX];
  bool truncated;
};

void on_error(j_common_ptr info) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  info->err->format_message(info, errors->message);
  std::longjmp(errors->where, 1);
}

void on_message(j_common_ptr info, int level) {
  auto* errors = reinterpret_cast<JpegErrors*>(info->err);
  const int code = info->err->msg_code;
  if (level < 0 && (code == JWRN_JPEG_EOF || code == JWRN_HIT_MARKER) && !errors->truncated) {
    errors->truncated = true;
    info->err->format_message(info, errors->message);
  }
}

/// Only plain C between setjmp and the end: a jump would skip destructors.
enum class JpegStep { kHeader, kPixels };
bool run_jpeg(JpegStep step, jpeg_decompress_struct& info, JpegErrors& errors,
              unsigned char* pixels) {
  if (setjmp(errors.where) != 0) return false;
  if (step == JpegStep::kHeader) {
    jpeg_read_header(&info, TRUE);
    info.out_color_space = info.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
    return true;
  }
  jpeg_start_decompress(&info);
  const std::size_t stride = static_cast<std::size_t>(info.output_width) *
                             static_cast<std::size_t>(info.output_components);
  while (info.output_scanline < info.output_height) {
    JSAMPROW row = pixels + stride * info.output_scanline;
    jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  return true;
}

Image decode_jpeg(std::string_view bytes, const std::string& name) {
  JpegErrors errors{};
  jpeg_decompress_struct info{};
  info.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = on_error;
  errors.base.emit_message = on_message;
  jpeg_create_decompress(&info);
  const auto destroy = [](jpeg_decompress_struct* p) { jpeg_destroy_decompress(p); };
  const std::unique_ptr<jpeg_decompress_struct, decltype(destroy)> guard(&info, destroy);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  if (!run_jpeg(JpegStep::kHeader, info, errors, nullptr)) fail(name, errors.message);
  Image image;
  allocate(image, info.image_width, info.image_height,
           info.out_color_space == JCS_GRAYSCALE ? 1 : 3, name);
  if (!run_jpeg(JpegStep::kPixels, info, errors, image.pixels.data()) || errors.truncated) {
    fail(name, errors.message);
  }
  return image;
}

Image in_8_bits(const GreyImage& grey) {
  Image image{grey.width, grey.height, 1, {}};
  image.pixels.reserve(grey.levels.size());
  for (const int level : grey.levels) {
    image.pixels.push_back(static_cast<std::uint8_t>((level * 255 + grey.max / 2) / grey.max));
  }
  return image;
}

}  // namespace

Image decode_image(std::string_view bytes, const std::string& name) {
  if (bytes.starts_with("\x89PNG")) return decode_png(bytes, name);
  if (bytes.starts_with("\xff\xd8")) return decode_jpeg(bytes, name);
  if (bytes.starts_with("P2") || bytes.starts_with("P5")) return in_8_bits(decode_pgm(bytes, name));
  fail(name, bytes.empty() ? "the file is empty" : "neither PNG nor JPEG nor PGM");
}

std::shared_ptr<const Image> load_image(const std::filesystem::path& path) {
  return std::make_shared<const Image>(
      decode_image(read_named_file(path, kMaxFileSize), path.string()));
}

namespace {

/// Throws with the file's name.
template <typename Encode>
void save(const Image& image, const std::filesystem::path& path, const Encode& encode) {
  std::string bytes;
  try {
    bytes = encode(image.channels == 1   ? PixelOrder::kGrey
                   : image.channels == 3 ? PixelOrder::kRgb
                                         : PixelOrder::kRgba);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot write " + path.string() + ": " + error.what());
  }
  write_whole_file(path, bytes);
}

}  // namespace

void save_png(const Image& image, const std::filesystem::path& path) {
  save(image, path, [&](PixelOrder order) {
    return encode_png(image.pixels, image.width, image.height, order);
  });
}

void save_jpeg(const Image& image, const std::filesystem::path& path, int quality) {
  save(image, path, [&](PixelOrder order) {
    return encode_jpeg(image.pixels, image.width, image.height, order, quality);
  });
}

}  // namespace protobeam
