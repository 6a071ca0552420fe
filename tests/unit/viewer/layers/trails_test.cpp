#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/viewer/layers/layer_picture.h"
#include "viewer/layers/glyphs.h"

namespace protobeam::viewer {
namespace {

SceneState robot_at(const Vec3& p) {
  SceneState state;
  state.load = 1;
  state.solids.resize(1);
  state.solids[0].X_WS.p = p;
  return state;
}

std::shared_ptr<SceneDescription> look_with_robot() {
  auto description = std::make_shared<SceneDescription>();
  description->load = 1;
  description->solids.resize(1);
  description->robots = {"robot"};
  description->robot_solids = {0};
  return description;
}

TEST(Trail, TakesPointsTwoCentimetresApart) {
  Trail trail;
  for (int i = 0; i <= 1000; ++i) trail.record({0.001 * i, 0, 0});
  EXPECT_NEAR(static_cast<double>(trail.points().size()), 51, 2);
  for (std::size_t i = 1; i < trail.points().size(); ++i) {
    EXPECT_GE((trail.points()[i] - trail.points()[i - 1]).norm(), 0.02 - 1e-12);
  }
  EXPECT_FALSE(trail.record(trail.points().back() + Vec3(0, 0.019, 0)));
  EXPECT_TRUE(trail.record(trail.points().back() + Vec3(0, 0.021, 0)));
}

TEST(Trail, KeepsTheWholeWayInABoundedNumberOfPoints) {
  Trail trail;
  const double length = 2000;
  for (double x = 0; x <= length; x += 0.025) trail.record({x, 0, 0});
  EXPECT_LE(trail.points().size(), Trail::kMost);
  EXPECT_GE(trail.points().size(), Trail::kMost / 4);
  EXPECT_EQ(trail.points().front(), Vec3(0, 0, 0));
  EXPECT_NEAR(trail.points().back().x(), length, 1);
  for (std::size_t i = 1; i < trail.points().size(); ++i) {
    EXPECT_LT((trail.points()[i] - trail.points()[i - 1]).norm(), 4 * length / Trail::kMost);
  }
}

TEST(Trail, IgnoresPlacesThatAreNoNumbers) {
  Trail trail;
  EXPECT_FALSE(trail.record({std::numeric_limits<double>::quiet_NaN(), 0, 0}));
  EXPECT_TRUE(trail.points().empty());
}

TEST(Trails, ShowTheWayThatWasGoneWhileTheyWereOff) {
  LayerPicture canvas;
  Layers layers(look_with_robot(), nothing());
  // Up, then to the left.
  for (int i = 0; i <= 20; ++i) layers.update(robot_at({10, -2, 0.1 * i}));
  for (int i = 0; i <= 40; ++i) layers.update(robot_at({10, -2 + 0.1 * i, 2}));
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 0);
  DrawSettings settings = nothing();
  settings.trails = true;
  layers.set(settings);
  canvas.draw(layers);
  for (double t = 0; t <= 1; t += 0.05) {
    EXPECT_TRUE(canvas.is_lit_near({10, -2, 2 * t})) << t;
    EXPECT_TRUE(canvas.is_lit_near({10, -2 + 4 * t, 2})) << t;
    EXPECT_FALSE(canvas.is_lit_near({10, -1 + 3 * t, 0.5})) << t;
  }
  // It goes on while it is shown.
  for (int i = 0; i <= 10; ++i) layers.update(robot_at({10, 2, 2 - 0.1 * i}));
  canvas.draw(layers);
  EXPECT_TRUE(canvas.is_lit_near({10, 2, 1.2}));
}

TEST(Trails, AreExactFarFromTheOrigin) {
  const Vec3 far(3.7e6, 5.1e6, 0);
  LayerPicture canvas(Pose::translation(far));
  DrawSettings settings = nothing();
  settings.trails = true;
  Layers layers(look_with_robot(), settings);
  const auto way = [&far](double y) -> Vec3 { return far + Vec3(8, y, std::sin(2 * y)); };
  for (double y = -2; y <= 2; y += 0.05) layers.update(robot_at(way(y)));
  canvas.draw(layers);
  for (double y = -2; y <= 1.9; y += 0.05) EXPECT_TRUE(canvas.is_lit_near(way(y))) << y;
}

}  // namespace
}  // namespace protobeam::viewer
