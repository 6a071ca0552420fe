// Bytes of image files, read back by the reader of textures or by hand.
#include "codec/image_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry/files.h"

namespace protobeam {
namespace {

/// A slope of colours: what JPEG keeps within a few levels.
std::vector<std::uint8_t> slope(int width, int height, int channels) {
  std::vector<std::uint8_t> pixels;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int levels[] = {2 * x, 255 - 3 * y, x + y, 200};
      for (int c = 0; c < channels; ++c) pixels.push_back(static_cast<std::uint8_t>(levels[c]));
    }
  }
  return pixels;
}

TEST(ImageBytes, PngKeepsEachPixel) {
  const auto grey = slope(50, 30, 1), rgb = slope(50, 30, 3), four = slope(50, 30, 4);
  EXPECT_EQ(decode_image(encode_png(grey, 50, 30, PixelOrder::kGrey), "").pixels, grey);
  EXPECT_EQ(decode_image(encode_png(rgb, 50, 30, PixelOrder::kRgb), "").pixels, rgb);
  EXPECT_EQ(decode_image(encode_png(four, 50, 30, PixelOrder::kRgba), "").pixels, four);
  EXPECT_EQ(decode_image(encode_png(rgb, 50, 30, PixelOrder::kRgb, true), "").pixels, rgb);
  const Image bgra = decode_image(encode_png(four, 50, 30, PixelOrder::kBgra), "");
  for (std::size_t i = 0; i < four.size(); i += 4) {
    ASSERT_EQ(bgra.pixels[i], four[i + 2]) << i;
    ASSERT_EQ(bgra.pixels[i + 1], four[i + 1]) << i;
    ASSERT_EQ(bgra.pixels[i + 2], four[i]) << i;
    ASSERT_EQ(bgra.pixels[i + 3], four[i + 3]) << i;
  }
}

TEST(ImageBytes, JpegKeepsColoursInTheirOrder) {
  struct {
    PixelOrder order;
    int red, blue;
  } const orders[] = {{PixelOrder::kGrey, 0, 0},
                      {PixelOrder::kRgb, 0, 2},
                      {PixelOrder::kRgba, 0, 2},
                      {PixelOrder::kBgra, 2, 0}};
  for (const auto& [order, red, blue] : orders) {
    const auto from = static_cast<std::size_t>(channels(order));
    const auto pixels = slope(64, 48, static_cast<int>(from));
    const Image image = decode_image(encode_jpeg(pixels, 64, 48, order, 98), "");
    EXPECT_EQ(image.width, 64);
    EXPECT_EQ(image.height, 48);
    const std::size_t to = from == 1 ? 1 : 3;
    ASSERT_EQ(static_cast<std::size_t>(image.channels), to);
    for (std::size_t i = 0; i < std::size_t{64} * 48; ++i) {
      ASSERT_NEAR(image.pixels[to * i], pixels[from * i + static_cast<std::size_t>(red)], 6) << i;
      if (to == 1) continue;
      ASSERT_NEAR(image.pixels[to * i + 1], pixels[from * i + 1], 6) << i;
      ASSERT_NEAR(image.pixels[to * i + 2], pixels[from * i + static_cast<std::size_t>(blue)], 6)
          << i;
    }
  }
}

TEST(ImageBytes, JpegOfLessQualityIsSmaller) {
  const auto pixels = slope(200, 80, 3);
  std::size_t last = std::numeric_limits<std::size_t>::max();
  for (const int quality : {100, 60, 1}) {
    const std::size_t size = encode_jpeg(pixels, 200, 80, PixelOrder::kRgb, quality).size();
    EXPECT_LT(size, last) << quality;
    last = size;
  }
}

TEST(ImageBytes, RadianceHoldsValuesOverManyPowersOfTen) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {1, 0.5f, 1.9999999f, 123.456f, 1e-30f, 3e30f,
                                     0, -1,   NAN,        infinity, 3e38f,  1e-44f};
  const std::string file = encode_radiance(values, 4, 3);
  const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 3 +X 4\n";
  ASSERT_TRUE(file.starts_with(head));
  ASSERT_EQ(file.size(), head.size() + 4 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto* pixel = reinterpret_cast<const unsigned char*>(file.data()) + head.size() + 4 * i;
    EXPECT_EQ(pixel[0], pixel[1]);
    EXPECT_EQ(pixel[0], pixel[2]);
    // As the format's definition has it: mantissa / 256 times 2 to the exponent - 128.
    const double back = pixel[3] == 0 ? 0 : std::ldexp(pixel[0] / 256.0, pixel[3] - 128);
    const double value = double{values[i]};
    if (!(value > 1e-38)) {
      EXPECT_EQ(back, 0) << value;
    } else if (value > 1.7e38) {
      EXPECT_NEAR(back, 1.69e38, 1e36) << value;
    } else {
      EXPECT_LE(back, value);
      EXPECT_GT(back, value * (1 - 1.0 / 128)) << value;
    }
  }
}

TEST(ImageBytes, RefusesWhatIsNoImage) {
  const std::vector<std::uint8_t> pixels(12);
  EXPECT_THROW(encode_png(pixels, 3, 2, PixelOrder::kGrey), std::runtime_error);
  EXPECT_THROW(encode_png({}, 0, 0, PixelOrder::kGrey), std::runtime_error);
  EXPECT_THROW(encode_jpeg(pixels, -2, -2, PixelOrder::kRgb, 90), std::runtime_error);
  EXPECT_THROW(encode_radiance({}, 4, 0), std::runtime_error);
  // Longer than JPEG allows.
  const std::vector<std::uint8_t> wide(65'501);
  EXPECT_THROW(encode_jpeg(wide, 65'501, 1, PixelOrder::kGrey, 90), std::runtime_error);
}

}  // namespace
}  // namespace protobeam
