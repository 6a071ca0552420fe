#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/viewer/layers/layer_picture.h"
#include "viewer/layers/layers.h"

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
