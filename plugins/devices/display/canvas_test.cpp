// What is drawn, pixel by pixel, against shapes that are counted or known.
#include "canvas.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geometry/dot_font.h"

namespace protobeam {
namespace {

using Rgba = std::array<int, 4>;

Rgba rgba(const Picture& picture, int x, int y) {
  const std::uint8_t* at = picture.at(x, y);
  return {at[0], at[1], at[2], at[3]};
}

/// '#' where a pixel is white, '.' where it is black.
std::vector<std::string> seen(const Canvas& canvas) {
  std::vector<std::string> rows;
  const Picture& picture = canvas.picture();
  for (int y = 0; y < picture.height; ++y) {
    rows.emplace_back();
    for (int x = 0; x < picture.width; ++x) rows.back() += picture.at(x, y)[0] == 255 ? '#' : '.';
  }
  return rows;
}

TEST(Canvas, BeginsBlackAndOpaque) {
  EXPECT_EQ(rgba(Canvas(2, 2).picture(), 1, 1), (Rgba{0, 0, 0, 255}));
}

TEST(Canvas, DrawsRectangles) {
  Canvas canvas(6, 5);
  canvas.rectangle(1, 1, 4, 3, false);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("......", ".####.", ".#..#.", ".####.", "......"));
  canvas.rectangle(0, 4, 99, 99, true);
  canvas.rectangle(-3, -3, 4, 4, true);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("#.....", ".####.", ".#..#.", ".####.", "######"));
  canvas.rectangle(2, 2, 0, 5, true);
  EXPECT_EQ(seen(canvas)[2], ".#..#.");
}

TEST(Canvas, DrawsLinesWithBothEnds) {
  Canvas canvas(5, 3);
  canvas.line(0, 0, 4, 2);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("#....", ".##..", "...##"));
  Canvas other(5, 3);
  other.line(2, 2, 2, 0);
  EXPECT_THAT(seen(other), testing::ElementsAre("..#..", "..#..", "..#.."));
}

TEST(Canvas, ALineIsOnePixelAStepOfItsLongerSide) {
  for (const auto& [x, y] : {std::pair{37, 11}, {-20, 39}, {5, -40}, {-40, -1}}) {
    Canvas canvas(101, 101);
    canvas.line(50, 50, 50 + x, 50 + y);
    int count = 0;
    for (const std::string& row : seen(canvas))
      count += static_cast<int>(std::count(row.begin(), row.end(), '#'));
    EXPECT_EQ(count, std::max(std::abs(x), std::abs(y)) + 1);
    // Never farther than half a pixel from the true line.
    for (int i = 0; i <= std::max(std::abs(x), std::abs(y)); ++i) {
      const double t = static_cast<double>(i) / std::max(std::abs(x), std::abs(y));
      const int px = static_cast<int>(std::lround(50 + t * x)),
                py = static_cast<int>(std::lround(50 + t * y));
      bool near = false;
      for (int d = -1; d <= 1; ++d) {
        near = near || canvas.picture().at(px + (std::abs(x) < std::abs(y) ? d : 0),
                                           py + (std::abs(x) < std::abs(y) ? 0 : d))[0] == 255;
      }
      EXPECT_TRUE(near) << x << " " << y << " " << i;
    }
  }
}

TEST(Canvas, AFilledOvalHasTheAreaOfAnEllipse) {
  Canvas canvas(200, 100);
  canvas.oval(100, 50, 80, 40, true);
  int count = 0;
  for (const std::string& row : seen(canvas))
    count += static_cast<int>(std::count(row.begin(), row.end(), '#'));
  // Pixels whose middle is inside, and some that are at most half a pixel outside.
  EXPECT_GT(count, 3.14159265 * 80 * 40);
  EXPECT_LT(count, 3.14159265 * 80.5 * 40.5);
  EXPECT_EQ(seen(canvas)[50].find('#'), 20u);
  EXPECT_EQ(seen(canvas)[50].rfind('#'), 180u);
}

TEST(Canvas, AnOvalsOutlineIsClosedAndTouchesItsBox) {
  Canvas canvas(9, 7);
  canvas.oval(4, 3, 4, 3, false);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("..#####..", ".#.....#.", "#.......#", "#.......#",
                                                 "#.......#", ".#.....#.", "..#####.."));
  Canvas dot(3, 3);
  dot.oval(1, 1, 0, 0, false);
  EXPECT_THAT(seen(dot), testing::ElementsAre("...", ".#.", "..."));
}

TEST(Canvas, DrawsTheDiamondOfTheManual) {
  const std::array<std::array<int, 2>, 4> corners{{{3, 0}, {6, 3}, {3, 6}, {0, 3}}};
  Canvas outline(7, 7), filled(7, 7);
  outline.polygon(corners, false);
  filled.polygon(corners, true);
  EXPECT_THAT(seen(outline), testing::ElementsAre("...#...", "..#.#..", ".#...#.", "#.....#",
                                                  ".#...#.", "..#.#..", "...#..."));
  EXPECT_THAT(seen(filled), testing::ElementsAre("...#...", "..###..", ".#####.", "#######",
                                                 ".#####.", "..###..", "...#..."));
}

/// Webots, WbDisplay::fastDrawPixel: alphas are mixed as colours are, in whole numbers of which the
/// rest is dropped, as the library does with both settings (src/controller/c/display.c).
TEST(Canvas, OpacityMixesColorsAndAlphas) {
  Canvas canvas(2, 1);
  canvas.set_color(0xff8000);
  canvas.pixel(0, 0);
  canvas.set_color(0x0000ff);
  canvas.set_opacity(0.25);  // 63
  canvas.set_alpha(0.5);     // 127
  canvas.pixel(0, 0);
  // (192 old + 63 new) / 255
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{192, 96, 63, 223}));
}

TEST(Canvas, WhatIsDrawnWithAnOpacityOnNothingIsSeenThrough) {
  Canvas canvas(1, 1);
  canvas.uncover();
  canvas.set_color(0xff0000);
  canvas.set_opacity(0.5);
  canvas.rectangle(0, 0, 1, 1, true);
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{127, 0, 0, 127}));
}

/// Webots, WbDisplay::drawRectangle.
TEST(Canvas, AFilledRectangleOfNoAlphaErases) {
  Canvas canvas(2, 1);
  canvas.set_alpha(0);
  canvas.rectangle(0, 0, 1, 1, true);
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{0, 0, 0, 0}));
  canvas.pixel(1, 0);
  EXPECT_EQ(rgba(canvas.picture(), 1, 0), (Rgba{255, 255, 255, 0}));
}

/// Webots, WbDisplay::imagePaste: colours by the alpha of the image alone, alphas added up.
TEST(Canvas, BlendsByTheAlphaOfTheImage) {
  Canvas canvas(1, 1);
  canvas.set_color(0x00ff00);
  canvas.set_alpha(0.5);
  canvas.pixel(0, 0);
  Picture red(1, 1, {255, 0, 0, 128});
  canvas.paste(red, 0, 0, true);
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{128, 127, 0, 255}));
  Picture grey(1, 1, {100, 100, 100, 100});
  canvas.paste(grey, 0, 0, false);
  canvas.paste(red, 0, 0, true);
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{177, 49, 49, 228}));
  canvas.paste(red, 0, 0, false);
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{255, 0, 0, 128}));
}

TEST(Canvas, PastesParts) {
  Canvas canvas(4, 2);
  canvas.line(0, 0, 1, 1);
  const Picture part = part_of(canvas.picture(), 0, 0, 2, 2);
  canvas.paste(part, 2, 0, true);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("#.#.", ".#.#"));
  canvas.paste(part, -1, 1, false);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("#.#.", ".#.#"));
}

/// Webots, WbDisplay::imageCopy: a copy ends where the picture does.
TEST(Canvas, APartHasOnlyWhatIsInThePicture) {
  Canvas canvas(4, 2);
  canvas.pixel(0, 0);
  canvas.pixel(3, 1);
  const Picture corner = part_of(canvas.picture(), -1, -1, 3, 2);
  EXPECT_EQ(corner.width, 2);
  EXPECT_EQ(corner.height, 1);
  EXPECT_EQ(rgba(corner, 0, 0), (Rgba{255, 255, 255, 255}));
  EXPECT_EQ(rgba(corner, 1, 0), (Rgba{0, 0, 0, 255}));
  const Picture other = part_of(canvas.picture(), 3, 1, 99, std::numeric_limits<int>::max());
  EXPECT_EQ(other.width, 1);
  EXPECT_EQ(other.height, 1);
  EXPECT_EQ(rgba(other, 0, 0), (Rgba{255, 255, 255, 255}));
  EXPECT_TRUE(part_of(canvas.picture(), 4, 0, 2, 2).pixels.empty());
  EXPECT_TRUE(part_of(canvas.picture(), 0, -2, 2, 2).pixels.empty());
  canvas.paste(Picture(), 0, 0, false);
  EXPECT_THAT(seen(canvas), testing::ElementsAre("#...", "...#"));
}

/// Webots, WbDisplay::attachCamera.
TEST(Canvas, UncoversWhatIsBlack) {
  Canvas canvas(3, 1);
  canvas.pixel(0, 0);
  canvas.set_color(0x000001);
  canvas.pixel(1, 0);
  canvas.uncover();
  EXPECT_EQ(rgba(canvas.picture(), 0, 0), (Rgba{255, 255, 255, 255}));
  EXPECT_EQ(rgba(canvas.picture(), 1, 0), (Rgba{0, 0, 1, 255}));
  EXPECT_EQ(rgba(canvas.picture(), 2, 0), (Rgba{0, 0, 0, 0}));
}

TEST(Canvas, WritesTextInItsFont) {
  Canvas canvas(12, 8);
  canvas.text("H!", 0, 0);
  EXPECT_THAT(seen(canvas),
              testing::ElementsAre("#...#...#...", "#...#...#...", "#...#...#...", "#####...#...",
                                   "#...#...#...", "#...#.......", "#...#...#...", "............"));
  Canvas large(24, 16);
  large.set_font_size(16);
  large.text("H", 2, 0);
  EXPECT_EQ(seen(large)[0], "..##......##............");
  EXPECT_EQ(seen(large)[6], "..##########............");
}

TEST(Canvas, EveryCharacterHasItsOwnDots) {
  for (char a = ' '; a < '~'; ++a) {
    for (char b = static_cast<char>(a + 1); b <= '~'; ++b) {
      EXPECT_NE(glyph_of(a).rows, glyph_of(b).rows) << a << " and " << b;
    }
  }
  EXPECT_EQ(glyph_of('\x80').rows, glyph_of('\x01').rows);
}

TEST(Canvas, WhatIsFarOutsideTakesNoTime) {
  Canvas canvas(3, 3);
  constexpr int kMost = std::numeric_limits<int>::max();
  canvas.rectangle(-kMost, -kMost, kMost, kMost, true);
  canvas.oval(kMost, 0, kMost, kMost, true);
  canvas.oval(0, 0, kMost, 1, false);
  canvas.line(-kMost, -kMost, kMost, kMost);
  canvas.text("abc", kMost, -kMost);
  const std::array<std::array<int, 2>, 3> huge{{{-kMost, -kMost}, {kMost, 0}, {0, kMost}}};
  canvas.polygon(huge, true);
  EXPECT_EQ(seen(canvas)[0][0], '#');
}

}  // namespace
}  // namespace protobeam
