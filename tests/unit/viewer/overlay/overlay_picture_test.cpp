#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>

#include "viewer/layers/color_scale.h"
#include "viewer/offscreen/offscreen.h"
#include "viewer/overlay/canvas.h"
#include "viewer/overlay/overlay.h"

namespace protobeam::viewer {
namespace {

using Rgb = std::array<int, 3>;

Rgb pixel_from_below(const Image& image, int column, int row_from_below) {
  const auto i =
      static_cast<std::size_t>((image.height - 1 - row_from_below) * image.width + column) * 3;
  return {image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]};
}

int distance(const Rgb& a, const Rgb& b) {
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

Rgb eight_bit(float r, float g, float b) {
  const auto value = [](float v) { return static_cast<int>(std::lround(v * 255)); };
  return {value(r), value(g), value(b)};
}

Image picture_of(Overlay& overlay, int width, int height) {
  Offscreen offscreen(width, height, 1);
  const osg::ref_ptr<osg::Group> nothing = new osg::Group;
  return offscreen.draw(nothing, overlay.root(), {});
}

TEST(OverlayPicture, LegendHasTheColorsOfThePoints) {
  Overlay overlay(800, 600);
  overlay.set_legend({"range", "m", 0, 10, false});
  const Image image = picture_of(overlay, 800, 600);
  // The bar is the only thing in colours: its row is the one with the most of them.
  int best_row = 0, best = 0;
  for (int row = 0; row < image.height; ++row) {
    int colored = 0;
    for (int column = 0; column < image.width; ++column) {
      const Rgb c = pixel_from_below(image, column, row);
      if (*std::max_element(c.begin(), c.end()) - *std::min_element(c.begin(), c.end()) > 60) {
        ++colored;
      }
    }
    if (colored > best) {
      best = colored;
      best_row = row;
    }
  }
  ASSERT_GT(best, 150);
  std::optional<int> first;
  int last = 0;
  for (int column = 0; column < image.width; ++column) {
    const Rgb c = pixel_from_below(image, column, best_row);
    if (*std::max_element(c.begin(), c.end()) - *std::min_element(c.begin(), c.end()) > 60) {
      if (!first) first = column;
      last = column;
    }
  }
  for (const double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const Eigen::Vector3f c = point_color(t);
    const int column = *first + static_cast<int>(std::lround(t * (last - *first)));
    EXPECT_LE(distance(pixel_from_below(image, column, best_row), eight_bit(c.x(), c.y(), c.z())),
              30)
        << t;
  }
}

TEST(OverlayPicture, TextsAreCrisp) {
  if (!Fonts().found()) GTEST_SKIP() << "no DejaVu fonts";
  Overlay overlay(400, 100);
  overlay.set_status("HHHHHHHHHHHHHHHHHHHH");
  const Image image = picture_of(overlay, 400, 100);
  // Hinted bars of letters cover whole pixels: those have the ink's own colour.
  const Rgb ink = eight_bit(kInk.r(), kInk.g(), kInk.b());
  int full = 0;
  for (int row = 0; row < 24; ++row) {
    for (int column = 0; column < image.width; ++column) {
      if (distance(pixel_from_below(image, column, row), ink) <= 3) ++full;
    }
  }
  EXPECT_GT(full, 20 * 4);
}

/// The most that two pictures differ in the middle of their upper half.
int image_difference(const Image& a, const Image& b) {
  int most = 0;
  for (int row = a.height / 2; row < a.height * 4 / 5; ++row) {
    for (int column = a.width / 3; column < a.width * 2 / 3; ++column) {
      most = std::max(most,
                      distance(pixel_from_below(a, column, row), pixel_from_below(b, column, row)));
    }
  }
  return most;
}

TEST(OverlayPicture, HelpHidesTheTextsBelowIt) {
  Overlay overlay(640, 360);
  const std::vector<std::pair<std::string, std::string>> rows(
      20, {"HHHHHHHHHH", "HHHHHHHHHHHHHHHHHHHHH"});
  const Image empty = picture_of(overlay, 640, 360);
  overlay.set_panel("panel", rows);
  const Image panel = picture_of(overlay, 640, 360);
  overlay.set_help(true);
  const Image both = picture_of(overlay, 640, 360);
  overlay.set_panel("", {});
  const Image help = picture_of(overlay, 640, 360);
  EXPECT_GT(image_difference(panel, empty), 500);
  EXPECT_LT(image_difference(both, help), 50);
}

}  // namespace
}  // namespace protobeam::viewer
