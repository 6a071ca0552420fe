#include "render/picture_label.h"

#include <gtest/gtest.h>

#include "geometry/dot_font.h"
#include "tests/unit/render/pixels.h"

namespace protobeam::render {
namespace {

Image black(int width, int height) { return grey_image(width, height, 0); }

int red(const Image& image, int x, int y) {
  return image.pixels[static_cast<std::size_t>(3 * (y * image.width + x))];
}

double sum_of_red(const Image& image) {
  double sum = 0;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) sum += image.pixels[i] / 255.0;
  return sum;
}

int dots_of(const std::string& text) {
  int dots = 0;
  for (const char character : text) {
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphAdvance; ++column)
        dots += glyph_of(character).dot(column, row);
    }
  }
  return dots;
}

const Color kRed{1, 0, 0};

TEST(PictureLabel, AWholeNumberOfPixelsForADotIsDrawnDotByDot) {
  // 240 pixels, of which a line has a fifth: six by four for each of the dots, behind 7.2 of
  // margin.
  Image image = black(320, 240);
  draw_labels(image, {{{"T", 0.25 - 7.2 / 320, 0.5, 0.2, kRed}}});
  for (int y = 0; y < 240; ++y) {
    for (int x = 0; x < 320; ++x) {
      const bool inside = x >= 80 && x < 80 + 24 && y >= 120 && y < 120 + 48;
      const bool dot = inside && glyph_of('T').dot((x - 80) / 4, (y - 120) / 6);
      ASSERT_EQ(red(image, x, y), dot ? 255 : 0) << x << ", " << y;
    }
  }
}

TEST(PictureLabel, AnySizeCoversTheAreaOfItsDots) {
  for (const double size : {0.031, 0.0777, 0.2}) {
    Image image = black(640, 200);
    draw_labels(image, {{{"Time 0:42", 0.013, 0.021, size, kRed}}});
    const double height = size * 200 / kGlyphHeight, width = height / 1.5;
    EXPECT_NEAR(sum_of_red(image) / (dots_of("Time 0:42") * width * height), 1, 0.02) << size;
  }
}

TEST(PictureLabel, IsAsTransparentAsAsked) {
  // Lines of 48 pixels, the second of which begins at the top; '#' has a dot there, from x 7.2 + 4
  // on.
  Image image = black(60, 96);
  draw_labels(image, {{{"\n#", 0, -0.5, 0.5, kRed, 0.75}}});
  EXPECT_NEAR(red(image, 13, 2), 64, 1);
}

TEST(PictureLabel, WhatIsOutsideIsLeftOut) {
  Image image = black(50, 40);
  draw_labels(image, {{{"####\n####\n####", 0.9, 0.9, 1.0, kRed}, {"##", -0.5, -0.2, 1.0, kRed}}});
  EXPECT_GT(sum_of_red(image), 0);
}

TEST(PictureLabel, HasOneBoxForACharacterBeyondAscii) {
  EXPECT_EQ(width_of({"\xc3\xbc"}, 80), width_of({"u"}, 80));
  // Lines of 48 pixels: six letters of six dots of four, and twice the margin.
  EXPECT_EQ(width_of({"abc\nlonger\nab", 0, 0, 0.2}, 240), 6 * 6 * 4 + 14);
  EXPECT_EQ(width_of({""}, 80), 0);
}

TEST(PictureLabel, LeavesPicturesOfOtherKindsAsTheyAre) {
  Image grey;
  grey.width = grey.height = 16;
  grey.channels = 1;
  grey.pixels.assign(256, 5);
  draw_labels(grey, {{{"#", 0, 0, 1, kRed}}});
  EXPECT_EQ(grey.pixels, std::vector<std::uint8_t>(256, 5));
}

}  // namespace
}  // namespace protobeam::render
