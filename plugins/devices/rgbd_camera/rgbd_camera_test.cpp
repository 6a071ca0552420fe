// Depths and colours of walls whose images have a closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using Values = std::map<std::string, std::string>;

/// Walls across the x axis that send out light.
struct LitWalls {
  std::unique_ptr<RayScene> scene = make_embree_scene({2});
  Appearance look;

  void add(const Vec3& size, const Vec3& at, float light, float albedo = 0) {
    const auto geometry = std::make_shared<Geometry>(Box{size});
    scene->add({{geometry, {}}}, Pose::translation(at));
    Material material;
    material.base_color.setConstant(albedo);
    material.roughness = 1;
    material.emissive = {light, light / 2, 0};
    look.instances.push_back({{{std::make_shared<Material>(material), geometry, {}}}, {}, {}});
  }
};

struct DepthCamera {
  std::unique_ptr<DeviceModel> model;
  std::vector<std::byte> bytes;
  std::size_t width = 0, height = 0;
  SampleInput in;

  DepthCamera(LitWalls& world, Values fields)
      : model(make_sensor("RgbdCamera", std::move(fields))), bytes(model->layout().size) {
    height = model->layout().channels[0].shape[0];
    width = model->layout().channels[0].shape[1];
    in.visible = world.scene.get();
    in.appearance = &world.look;
    in.noise = {1, 2, 0, 3};
  }
  std::vector<double> depths() {
    take_sample(*model, in, bytes);
    std::vector<std::uint16_t> raw(width * height);
    std::memcpy(raw.data(), bytes.data() + model->layout().channels[0].offset, 2 * raw.size());
    const double step = std::get<double>(model->facts().at("depthResolution"));
    std::vector<double> out;
    for (const std::uint16_t d : raw) out.push_back(d * step);
    return out;
  }
  int color(std::size_t i) const {
    return static_cast<int>(bytes[model->layout().channels[1].offset + i]);
  }
};

const Values kSmall = {{"depthWidth", "160"}, {"depthHeight", "120"},
                       {"depthIntrinsics", "[ 100 100 79.5 59.5 ]"}, {"colorWidth", "40"},
                       {"colorHeight", "30"}, {"colorIntrinsics", "[ 50 50 19.5 14.5 ]"}};

Values small(Values more) {
  more.insert(kSmall.begin(), kSmall.end());
  return more;
}

TEST(RgbdCamera, MeasuresTheDistanceOfAWallWithinAStep) {
  LitWalls world;
  world.add({0.2, 20, 20}, {3.1234 + 0.1, 0, 0}, 1);
  DepthCamera camera(world, small({{"depthResolution", "0.004"}}));
  for (const double z : camera.depths()) ASSERT_NEAR(z, 3.1234, 0.002001);
  EXPECT_EQ(camera.model->points(), 160u * 120);
  DepthCamera near(world, small({{"minDepth", "3.2"}}));
  for (const double z : near.depths()) ASSERT_EQ(z, 0);
  DepthCamera far(world, small({{"maxDepth", "3"}}));
  for (const double z : far.depths()) ASSERT_EQ(z, 0);
}

double deviation(const std::vector<double>& x, double mean) {
  double squares = 0;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return std::sqrt(squares / static_cast<double>(x.size()));
}

TEST(RgbdCamera, NoiseOfTheIdealModelDoesNotDependOnTheRange) {
  for (const double z : {1.0, 4.0}) {
    LitWalls world;
    world.add({0.2, 30, 30}, {z + 0.1, 0, 0}, 1);
    DepthCamera camera(world, small({{"depthNoise", "0.02"}}));
    EXPECT_NEAR(deviation(camera.depths(), z), 0.02, 0.0005);
  }
}

// Intel's figure for the D400 series: RMS = Z^2 subpixel / (f B).
TEST(RgbdCamera, ErrorOfTheFormulaGrowsWithTheSquareOfTheRange) {
  for (const double z : {0.5, 1.0, 2.0}) {
    LitWalls world;
    world.add({0.2, 30, 30}, {z + 0.1, 0, 0}, 1);
    DepthCamera camera(world, small({{"depthModel", "\"stereo_formula\""},
                                     {"baseline", "0.05"},
                                     {"subpixel", "0.08"},
                                     {"depthResolution", "0.0005"},
                                     {"minDepth", "0.2"}}));
    const double expected = z * z * 0.08 / (100 * 0.05);
    EXPECT_NEAR(deviation(camera.depths(), z), expected, 0.04 * expected) << z;
  }
}

// A post 0.4 m wide at 1 m before a wall at 3 m: behind its left edge (seen from the left imager)
// the right one does not see f B (1 / 1 - 1 / 3) = 6.67 pixels of the wall.
TEST(RgbdCamera, HasNoDepthWhereTheRightImagerDoesNotSee) {
  LitWalls world;
  world.add({0.2, 30, 30}, {3.1, 0, 0}, 1);
  world.add({0.02, 0.4, 10}, {1.01, 0, 0}, 1);
  DepthCamera camera(world, small({{"depthModel", "\"stereo_formula\""},
                                   {"baseline", "0.1"},
                                   {"subpixel", "0"},
                                   {"edgeWindow", "1"}}));
  const auto z = camera.depths();
  int none = 0, first = -1;
  for (std::size_t x = 0; x < 160; ++x) {
    if (z[60 * 160 + x] != 0) continue;
    if (first < 0) first = static_cast<int>(x);
    ++none;
  }
  EXPECT_NEAR(none, 6.67, 1.01);
  // The post's left edge is at y = 0.2: column 79.5 - 20; the shadow ends there.
  EXPECT_NEAR(first + none, 60, 1.01);
  // With a window, edges on both sides have none.
  DepthCamera wide(world, small({{"depthModel", "\"stereo_formula\""},
                                 {"baseline", "0.1"},
                                 {"subpixel", "0"},
                                 {"edgeWindow", "5"}}));
  const auto w = wide.depths();
  EXPECT_EQ(w[60 * 160 + 99], 0);
  EXPECT_EQ(w[60 * 160 + 100], 0);
  EXPECT_NEAR(w[60 * 160 + 80], 1, 0.01);
  EXPECT_NEAR(w[60 * 160 + 120], 3, 0.01);
}

TEST(RgbdCamera, TheColorImagerHasItsOwnPlaceAndLens) {
  LitWalls world;
  world.add({0.02, 0.2, 10}, {2.01, 0, 0}, 3);  // a bright post
  DepthCamera camera(world, small({{"colorTranslation", "0 -0.4 0"}}));
  camera.depths();
  // From 0.4 m to the right the post is 0.4 / 2 * 50 = 10 pixels to the left.
  const auto red = [&](std::size_t x) { return camera.color(4 * (15 * 40 + x) + 2); };
  EXPECT_GT(red(9), 200);
  EXPECT_EQ(red(19), 0);
  EXPECT_EQ(red(30), 0);
  DepthCamera no_depth(world, small({{"senseDepth", "FALSE"}}));
  EXPECT_EQ(no_depth.model->layout().channels[0].count(), 0u);
  take_sample(*no_depth.model, no_depth.in, no_depth.bytes);
  EXPECT_GT(no_depth.color(4 * (15 * 40 + 19) + 2), 200);
}

#ifdef PROTOBEAM_HAS_OPENCV
TEST(RgbdCamera, MatchesImagesOfAProjectedPattern) {
  LitWalls world;
  world.add({0.2, 30, 30}, {2.1, 0, 0}, 0.2f);
  world.add({0.02, 0.6, 0.6}, {1.01, 0, 0}, 0.2f);
  DepthCamera camera(world, {{"depthWidth", "320"},
                             {"depthHeight", "240"},
                             {"depthIntrinsics", "[ 200 200 159.5 119.5 ]"},
                             {"baseline", "0.1"},
                             {"depthModel", "\"stereo\""},
                             {"senseColor", "FALSE"},
                             {"projector", "4"},
                             {"minDepth", "0.4"}});
  const auto z = camera.depths();
  std::vector<double> board, wall;
  for (std::size_t y = 20; y < 220; ++y) {
    for (std::size_t x = 60; x < 310; ++x) {
      const bool in = std::abs(double(x) - 159.5) < 45 && std::abs(double(y) - 119.5) < 45;
      const bool out = double(x) - 159.5 > 75;
      if (in) board.push_back(z[y * 320 + x]);
      if (out) wall.push_back(z[y * 320 + x]);
    }
  }
  const auto check = [](std::vector<double> values, double expected) {
    const auto valid = static_cast<double>(std::ranges::count_if(values, [](double v) { return v > 0; }));
    EXPECT_GT(valid / static_cast<double>(values.size()), 0.85);
    std::erase(values, 0.0);
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    EXPECT_NEAR(values[values.size() / 2], expected, 0.015 * expected);
  };
  check(board, 1);
  check(wall, 2);
  // Without a pattern an even wall has nothing to match.
  DepthCamera dark(world, {{"depthWidth", "320"},
                           {"depthHeight", "240"},
                           {"depthIntrinsics", "[ 200 200 159.5 119.5 ]"},
                           {"baseline", "0.1"},
                           {"depthModel", "\"stereo\""},
                           {"senseColor", "FALSE"},
                           {"projector", "0"},
                           {"infraredNoise", "0"},
                           {"minDepth", "0.4"}});
  const auto none = dark.depths();
  EXPECT_LT(std::ranges::count_if(none, [](double v) { return v > 0; }), 0.6 * 320 * 240);
}

TEST(RgbdCamera, MatchesNothingWhereDisparitiesAreLongerThanARow) {
  LitWalls world;
  world.add({0.2, 30, 30}, {2.1, 0, 0}, 0.2f);
  for (const char* baseline : {"50", "1e30"}) {
    DepthCamera camera(world, small({{"depthModel", "\"stereo\""},
                                     {"baseline", baseline},
                                     {"projector", "0"},
                                     {"infraredNoise", "0"},
                                     {"senseColor", "FALSE"}}));
    EXPECT_EQ(std::ranges::count_if(camera.depths(), [](double v) { return v > 0; }), 0)
        << baseline;
  }
}

TEST(RgbdCamera, MatchesImagesThatAreNarrowerThanTheLeastRangeOfDisparities) {
  LitWalls world;
  world.add({0.2, 30, 30}, {2.1, 0, 0}, 0.2f);
  DepthCamera camera(world, {{"depthWidth", "12"},
                             {"depthHeight", "12"},
                             {"depthModel", "\"stereo\""},
                             {"senseColor", "FALSE"}});
  EXPECT_EQ(camera.depths().size(), 144u);
}
#endif

TEST(RgbdCamera, RefusesFieldsThatContradictEachOther) {
  LitWalls world;
  const auto refused = [&](Values fields) {
    EXPECT_THROW(DepthCamera(world, small(std::move(fields))), std::invalid_argument);
  };
  refused({{"minDepth", "3"}, {"maxDepth", "2"}});
  refused({{"maxDepth", "100"}, {"depthResolution", "0.001"}});
  refused({{"colorNear", "2"}, {"colorFar", "1"}});
  refused({{"depthIntrinsics", "[ 100 100 300 59.5 ]"}});
  refused({{"depthFieldOfView", "0.5"}});  // the intrinsics say 1.35
}

}  // namespace
}  // namespace protobeam
