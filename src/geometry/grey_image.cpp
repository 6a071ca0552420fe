#include "geometry/grey_image.h"

#include <png.h>

#include <cmath>
#include <csetjmp>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "base/named_files.h"
#include "geometry/image_codec.h"

namespace protobeam {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw std::runtime_error("cannot read image " + name + ": " + why);
}

/// The words of a PGM file.
class PgmWords {
 public:
  PgmWords(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  int number(const char* what, int max) {
    skip_blanks();
    const std::size_t begin = at_;
    int value = 0;
    while (at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9') {
      value = value * 10 + (bytes_[at_++] - '0');
      if (value > max) fail(name_, std::string(what) + " is above " + std::to_string(max));
    }
    if (at_ == begin) {
      fail(name_, at_ >= bytes_.size() ? "the file ends too early"
                                       : std::string(what) + " is not a number");
    }
    return value;
  }
  /// What follows the one blank behind the header.
  std::string_view rest() const { return bytes_.substr(std::min(at_ + 1, bytes_.size())); }

 private:
  void skip_blanks() {
    while (at_ < bytes_.size()) {
      const char c = bytes_[at_];
      if (c == '#') {
        while (at_ < bytes_.size() && bytes_[at_] != '\n') ++at_;
      } else if (c != ' ' && (c < '\t' || c > '\r')) {
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 2;  // behind "P5"
};

/// libpng reports errors by a jump; what it must free is freed on every return path.
struct PngReader {
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::string_view rest;
  char message[256] = "";

  PngReader() {
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, &on_error, &on_warning);
    if (png) info = png_create_info_struct(png);
    if (!info) throw std::bad_alloc();
  }
  ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }

  static void on_error(png_structp png, png_const_charp text) {
    auto* reader = static_cast<PngReader*>(png_get_error_ptr(png));
    std::strncpy(reader->message, text, sizeof reader->message - 1);
    std::longjmp(png_jmpbuf(png), 1);
  }
  static void on_warning(png_structp, png_const_charp) {}
  static void read(png_structp png, png_bytep out, std::size_t count) {
    auto* reader = static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > reader->rest.size()) png_error(png, "the file ends too early");
    std::memcpy(out, reader->rest.data(), count);
    reader->rest.remove_prefix(count);
  }
};

/// Only plain C between setjmp and the end: a jump would skip destructors.
bool read_header(PngReader& reader) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_set_read_fn(reader.png, &reader, &PngReader::read);
  png_read_info(reader.png, reader.info);
  return true;
}
bool read_rows(PngReader& reader, png_bytepp rows) {
  if (setjmp(png_jmpbuf(reader.png)) != 0) return false;
  png_read_image(reader.png, rows);
  png_read_end(reader.png, nullptr);
  return true;
}

std::uint16_t luma(double red, double green, double blue) {
  return static_cast<std::uint16_t>(std::lround(0.299 * red + 0.587 * green + 0.114 * blue));
}

/// 16 bit a channel: grey or colour, with or without alpha.
GreyImage decode_deep_png(PngReader& reader, const std::string& name) {
  const auto width = png_get_image_width(reader.png, reader.info);
  const auto height = png_get_image_height(reader.png, reader.info);
  if (width == 0 || height == 0 || width > kMaxPixels / height) {
    fail(name, "impossible size " + std::to_string(width) + " x " + std::to_string(height));
  }
  const std::size_t stride = png_get_rowbytes(reader.png, reader.info);
  const std::size_t channels = png_get_channels(reader.png, reader.info);
  std::vector<png_byte> bytes(stride * height);
  std::vector<png_bytep> rows(height);
  for (std::size_t i = 0; i < height; ++i) rows[i] = bytes.data() + i * stride;
  if (!read_rows(reader, rows.data())) fail(name, reader.message);
  GreyImage image{static_cast<int>(width), static_cast<int>(height), 65535, {}};
  image.levels.reserve(std::size_t{width} * height);
  for (const png_bytep row : rows) {
    for (std::size_t x = 0; x < width; ++x) {
      const auto level = [&](std::size_t c) {
        const png_byte* p = row + (x * channels + c) * 2;
        return static_cast<std::uint16_t>(p[0] << 8 | p[1]);
      };
      image.levels.push_back(channels < 3 ? level(0) : luma(level(0), level(1), level(2)));
    }
  }
  return image;
}

}  // namespace

GreyImage decode_pgm(std::string_view bytes, const std::string& name) {
  constexpr int kLongest = 1 << 28;
  const bool plain = bytes.starts_with("P2");
  if (!plain && !bytes.starts_with("P5")) fail(name, "not a PGM file (P2 or P5)");
  PgmWords words(bytes, name);
  GreyImage image;
  image.width = words.number("the width", kLongest);
  image.height = words.number("the height", kLongest);
  image.max = words.number("the largest grey level", 65535);
  if (image.max == 0) fail(name, "the largest grey level is 0");
  const auto width = static_cast<std::size_t>(image.width);
  const auto height = static_cast<std::size_t>(image.height);
  if (width == 0 || height == 0 || width > kMaxPixels / height) {
    fail(name, "impossible size " + std::to_string(width) + " x " + std::to_string(height));
  }
  // A plain level takes two characters or more: no memory is asked for what cannot be there.
  const std::size_t depth = image.max > 255 ? 2 : 1;
  const std::string_view raw = words.rest();
  if (raw.size() < width * height * (plain ? 1 : depth)) fail(name, "the file ends too early");
  image.levels.resize(width * height);
  for (std::size_t i = 0; i < image.levels.size(); ++i) {
    int level = 0;
    if (plain) {
      level = words.number("a grey level", image.max);
    } else {
      for (std::size_t k = 0; k < depth; ++k) {
        level = level << 8 | static_cast<unsigned char>(raw[i * depth + k]);
      }
      if (level > image.max) fail(name, "a grey level is above " + std::to_string(image.max));
    }
    image.levels[i] = static_cast<std::uint16_t>(level);
  }
  return image;
}

GreyImage load_grey_image(const std::filesystem::path& path) {
  const std::string name = path.string();
  const std::string bytes = read_named_file(path, kMaxFileSize);
  if (bytes.starts_with("P2") || bytes.starts_with("P5")) return decode_pgm(bytes, name);
  if (bytes.starts_with("\x89PNG")) {
    PngReader reader;
    reader.rest = bytes;
    if (!read_header(reader)) fail(name, reader.message);
    if (png_get_bit_depth(reader.png, reader.info) == 16) return decode_deep_png(reader, name);
  }
  const Image image = decode_image(bytes, name);
  GreyImage grey{image.width, image.height, 255, {}};
  const auto channels = static_cast<std::size_t>(image.channels);
  grey.levels.reserve(image.pixels.size() / channels);
  for (std::size_t i = 0; i < image.pixels.size(); i += channels) {
    const std::uint8_t* p = &image.pixels[i];
    grey.levels.push_back(channels == 1 ? p[0] : luma(p[0], p[1], p[2]));
  }
  return grey;
}

}  // namespace protobeam
