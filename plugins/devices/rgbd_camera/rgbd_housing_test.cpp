// RgbdCameras in shapes of their own robot.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

struct RgbdView {
  std::vector<std::uint16_t> depth;
  std::vector<std::uint8_t> color;
  bool operator==(const RgbdView&) const = default;
};

/// The camera is in the shapes, 2 m from a wall with a red box on it.
RgbdView rgbd_view(const std::string& shapes, const std::string& fields) {
  WorldText world;
  Simulation& simulation = world.load(R"(
DirectionalLight { direction 1 0.3 -0.2 }
Solid { name "wall" translation 2.5 0 0 children [ Shape { appearance PBRAppearance { } geometry Box { size 1 9 9 } } ] }
Solid { name "red" translation 2 0.2 0.1 children [ Shape {
  appearance PBRAppearance { baseColor 1 0 0 } geometry Box { size 0.4 0.4 0.4 } } ] }
Robot { name "r" children [ RgbdCamera { samplingPeriod 0.008
  depthWidth 160 depthHeight 120 colorWidth 64 colorHeight 48 )" +
                                      fields + " } " + shapes + " ] }");
  for (int i = 0; i < 2; ++i) simulation.step();
  Device& camera = *simulation.find_device("r/rgbd camera");
  const Sample sample(camera.data, camera.model->layout());
  const auto depth = sample.channel<std::uint16_t>(0);
  const auto color = sample.channel<std::uint8_t>(1);
  return {{depth.begin(), depth.end()}, {color.begin(), color.end()}};
}

std::string rgbd_shape(const std::string& geometry, const std::string& at = "0 0 0") {
  return "Pose { translation " + at +
         " children [ Shape { appearance PBRAppearance { baseColor 0 0 1 } geometry " + geometry +
         " } ] }";
}

class RgbdHousing : public testing::TestWithParam<const char*> {};

TEST_P(RgbdHousing, IsNotSeenFromInside) {
  // The colour imager has a place and a direction of its own.
  const std::string fields =
      std::string("colorTranslation 0 0.05 0 colorRotation 0 0 1 0.1 ") + GetParam();
  const RgbdView bare = rgbd_view("", fields);
  ASSERT_GT(std::ranges::count_if(bare.depth, [](int depth) { return depth > 1000; }), 2000);
  for (const char* geometry : {"Box { size 0.1 0.3 0.1 }", "Sphere { radius 0.2 }"}) {
    EXPECT_EQ(rgbd_view(rgbd_shape(geometry), fields), bare) << geometry;
  }
}

TEST_P(RgbdHousing, CountsForEachImager) {
  const std::string fields = std::string("minDepth 0.01 colorTranslation 0 0.4 0 ") + GetParam();
  const RgbdView bare = rgbd_view("", fields);
  // Around the colour imager alone, and out of sight of the others.
  const RgbdView color = rgbd_view(rgbd_shape("Box { size 0.1 0.1 0.1 }", "0 0.4 0"), fields);
  EXPECT_EQ(color, bare);
  // In front of both.
  const RgbdView both = rgbd_view(rgbd_shape("Box { size 0.1 2 2 }", "0.5 0 0"), fields);
  EXPECT_NE(both.color, bare.color);
  EXPECT_NE(both.depth, bare.depth);
}

INSTANTIATE_TEST_SUITE_P(Models, RgbdHousing,
                         testing::Values("depthModel \"ideal\"", "depthModel \"stereo_formula\""));
#ifdef PROTOBEAM_HAS_OPENCV
INSTANTIATE_TEST_SUITE_P(Matching, RgbdHousing, testing::Values("depthModel \"stereo\""));
#endif

}  // namespace
}  // namespace protobeam
