#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <osg/Geometry>
#include <osg/NodeVisitor>

#include "tests/unit/support/scene_bodies.h"
#include "tests/unit/viewer/layers/layer_picture.h"
#include "viewer/layers/layers.h"
#include "viewer/layers/sweeps.h"

namespace protobeam::viewer {
namespace {

DrawSettings only(bool DrawSettings::*layer) {
  DrawSettings settings = nothing();
  settings.*layer = true;
  return settings;
}

TEST(Beams, GoFromTheSensorToEachReturn) {
  LayerPicture canvas;
  Layers layers(look_with_lidars(), only(&DrawSettings::beams));
  const Pose X_WS{axis_angle({0, 0, 1}, 0.4), Vec3(10, -2, -1)};
  const std::vector<Vec3> returns = {X_WS.inverse() * Vec3(10, 3, -1),
                                     X_WS.inverse() * Vec3(10, -1, 2)};
  layers.update(frame_with({sweep(1, X_WS, {hit(returns[0]), hit(returns[1])})}));
  canvas.draw(layers);
  for (double t = 0.02; t < 1; t += 0.02) {
    for (const Vec3& p_S : returns) EXPECT_TRUE(canvas.is_lit_near(X_WS * (t * p_S))) << t;
  }
  for (double t = 1.05; t < 1.2; t += 0.05) {
    for (const Vec3& p_S : returns) EXPECT_FALSE(canvas.is_lit_near(X_WS * (t * p_S))) << t;
  }
  EXPECT_FALSE(canvas.is_lit_near({10, 0, 0}));
}

TEST(Beams, AreThinnedWhenThereAreVeryMany) {
  const Shaders shaders;
  Beams beams(look_with_lidars(), shaders);
  const auto drawn = [&beams](std::size_t returns) {
    static std::uint64_t number = 0;
    beams.update({sweep(++number, {}, std::vector<BeamReturn>(returns, hit({1, 2, 3})))});
    struct Count : osg::NodeVisitor {
      Count() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
      void apply(osg::Geometry& geometry) override {
        ends += geometry.getPrimitiveSet(0)->getNumIndices();
      }
      std::size_t ends = 0;
    } count;
    beams.root()->accept(count);
    return count.ends / 2;
  };
  EXPECT_EQ(drawn(7), 7u);
  EXPECT_EQ(drawn(20000), 20000u);
  EXPECT_EQ(drawn(20001), 10001u);
  EXPECT_EQ(drawn(45000), 15000u);
  EXPECT_EQ(drawn(0), 0u);
}

TEST(Wireframe, CoversTheEdgesOfABoxWhereItsBodyIs) {
  LayerPicture canvas;
  const auto description = look_with_body();
  description->collisions[0].X_BS = {axis_angle({0, 0, 1}, 0.5), Vec3(0.3, 0, 0.1)};
  Layers layers(description, only(&DrawSettings::wireframe));
  const auto expect_edges = [&](const Pose& X_WB) {
    layers.update(body_at(X_WB));
    canvas.draw(layers);
    const Pose X_WS = X_WB * description->collisions[0].X_BS;
    double pixels = 0;  // a line has one in each column, or in each row
    for (int axis = 0; axis < 3; ++axis) {
      for (const auto& [u, v] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
        const auto on_edge = [&, u = u, v = v](double t) -> Vec3 {
          Vec3 p;
          p[axis] = t;
          p[(axis + 1) % 3] = u;
          p[(axis + 2) % 3] = v;
          return X_WS * p.cwiseProduct(Vec3(1, 2, 1));
        };
        for (double t = -0.5; t <= 0.5; t += 0.02) {
          EXPECT_TRUE(canvas.is_lit_near(on_edge(t))) << on_edge(t).transpose();
        }
        const auto [column, row] = canvas.place(on_edge(-0.5));
        const auto [end_column, end_row] = canvas.place(on_edge(0.5));
        pixels += std::max(std::abs(end_column - column), std::abs(end_row - row)) + 1;
      }
    }
    EXPECT_LE(canvas.lit_pixels(), pixels);  // and nothing else
  };
  expect_edges({axis_angle({0, 1, 0.2}, 0.3), Vec3(7, -0.5, 0.2)});
  expect_edges({axis_angle({0, 1, 0.2}, 0.3), Vec3(8, 0.9, -0.4)});
}

TEST(Wireframe, OfTheWorldIsExactFarFromTheOrigin) {
  const Vec3 far(2.5e6, 1.5e6, 0);
  LayerPicture canvas(Pose::translation(far));
  const auto description = look_with_body({2, 2, 2});
  description->collisions[0].body = physics::kWorldBody;
  description->collisions[0].X_BS.p = far + Vec3(8, 0, 0);
  Layers layers(description, only(&DrawSettings::wireframe));
  layers.update(body_at({}));
  canvas.draw(layers);
  for (double t = -1; t <= 1; t += 0.05) {
    EXPECT_TRUE(canvas.is_lit_near(far + Vec3(7, t, 1))) << t;
    EXPECT_TRUE(canvas.is_lit_near(far + Vec3(7, -1, t))) << t;
  }
}

TEST(Frames, AreRedGreenAndBlueAlongXYAndZ) {
  LayerPicture canvas;
  // A box of 1 x 2 x 1: three quarters of half its diagonal.
  const double length = 0.75 * std::sqrt(6.0) / 2;
  Layers layers(look_with_body(), only(&DrawSettings::frames));
  const Pose X_WB{axis_angle({0, 0, 1}, 0.6) * axis_angle({0, 1, 0}, -0.3), Vec3(6, 0.2, -0.3)};
  layers.update(body_at(X_WB));
  canvas.draw(layers);
  for (int axis = 0; axis < 3; ++axis) {
    const Rgb tip = canvas.brightest(X_WB * Vec3(0.97 * length * Vec3::Unit(axis)));
    for (int other = 0; other < 3; ++other) {
      if (other == axis) continue;
      EXPECT_GT(tip[static_cast<std::size_t>(axis)], tip[static_cast<std::size_t>(other)] + 80)
          << axis;
    }
    EXPECT_FALSE(canvas.is_lit_near(X_WB * Vec3(1.2 * length * Vec3::Unit(axis)))) << axis;
  }
}

TEST(Signs, AreFaintBehindThings) {
  // The wall is seen at a slant: its depth changes from pixel to pixel.
  LayerPicture canvas({axis_angle({0, 0, 1}, 0.9), Vec3(4, -6, 1)});
  Layers layers(look_with_body({4, 4, 4}), only(&DrawSettings::frames));
  layers.update(body_at({axis_angle({1, 0, 0}, 0.1), Vec3(8, 0, 0)}));
  const auto brightness = [&](double wall_distance) {
    osg::ref_ptr<osg::Group> world = new osg::Group;
    world->addChild(layers.root());
    world->addChild(wall(wall_distance, {0, 0, 0, 1}));
    canvas.draw(world);
    std::pair<int, int> extremes{255, 0};  // of the green axis, along the wall
    for (double y = 0.1; y < 1.4; y += 0.02) {
      const Rgb pixel = canvas.at({8, y * std::cos(0.1), y * std::sin(0.1)});
      extremes = {std::min(extremes.first, pixel[1]), std::max(extremes.second, pixel[1])};
    }
    return extremes;
  };
  const auto open = brightness(9), on = brightness(8), behind = brightness(7);
  EXPECT_GT(open.first, 150);
  EXPECT_EQ(on, open);  // no fight with a surface in the same place
  EXPECT_GT(behind.first, 30);
  EXPECT_LT(behind.second, 100);
}

/// A world with something for each layer, before the camera.
std::shared_ptr<SceneDescription> look_with_everything() {
  const auto description = look_with_body();
  description->devices = {camera(1, 1, 0.1, 2),
                          {"robot", "lidar", "Lidar", "", 0, 16, 10, 0.1, 50}};
  description->joints.push_back(
      {"hinge", physics::JointKind::kHinge, 0, {0, 0, 0}, {Vec3::UnitY()}});
  description->robot_solids = {0};
  return description;
}

SceneState frame_with_everything() {
  SceneState state = body_at({axis_angle({0, 0, 1}, 2), Vec3(8, 0, 0)});
  state.contacts.push_back({0, 0, 0, 0, {8, 0, 0}, Vec3::UnitZ(), 0.01, 10});
  state.sweeps = {sweep(1, Pose::translation({8, 0, 0}), {hit({1, 1, 1})}, 1)};
  return state;
}

TEST(Layers, DrawNothingWhenAllIsOff) {
  LayerPicture canvas;
  Layers layers(look_with_everything(), nothing());
  for (int i = 0; i < 3; ++i) layers.update(frame_with_everything());
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 0);
}

TEST(Layers, AreSwitchedOneByOne) {
  LayerPicture canvas;
  Layers layers(look_with_everything(), nothing());
  SceneState state = frame_with_everything();
  layers.update(state);
  state.solids[0].X_WS.p.y() += 0.5;  // for a trail
  layers.update(state);
  for (bool DrawSettings::*layer :
       {&DrawSettings::clouds, &DrawSettings::beams, &DrawSettings::frusta, &DrawSettings::frames,
        &DrawSettings::wireframe, &DrawSettings::joints, &DrawSettings::contacts,
        &DrawSettings::trails}) {
    layers.set(only(layer));
    canvas.draw(layers);
    EXPECT_GT(canvas.lit_pixels(), 3);
    layers.set(nothing());
    canvas.draw(layers);
    EXPECT_EQ(canvas.lit_pixels(), 0);
  }
}

TEST(Layers, BearNumbersThatNameNothing) {
  auto description = look_with_everything();
  description->devices[0].solid = 77;
  description->devices[1].solid = -5;
  description->robot_solids = {55, -1};
  description->joints[0].parent = 99;
  description->collisions = {{nullptr, {}, 0, 0}, {description->collisions[0].geometry, {}, 42, 9}};
  description->solids[0].body = 1000;
  DrawSettings all;
  all.beams = all.frusta = all.frames = all.wireframe = true;
  all.joints = all.contacts = all.trails = true;
  all.past_sweeps = -3;
  all.point_size = std::numeric_limits<double>::quiet_NaN();
  Layers layers(description, all);
  SceneState state;
  state.load = 1;
  state.sweeps = {nullptr, sweep(1, {}, {hit({8, 0, 0})}, 33)};
  state.contacts.push_back({7, 8, 70, 80, {-8, 0, 0}, Vec3::UnitZ(), 0.01, 10});
  layers.update(state);
  LayerPicture canvas;
  canvas.draw(layers);
  EXPECT_EQ(canvas.lit_pixels(), 0);
  EXPECT_EQ(layers.points(), 0u);
}

TEST(Layers, OutliveAContextAndDrawInTheNext) {
  Layers layers(look_with_everything(), DrawSettings{});
  layers.update(frame_with_everything());
  Image first, second;
  render::Camera camera;
  first = Offscreen(64, 48, 1).draw(layers.root(), nullptr, camera);
  second = Offscreen(64, 48, 1).draw(layers.root(), nullptr, camera);
  EXPECT_EQ(first.pixels, second.pixels);
}

TEST(WorldLines, AreDrawnWithoutBeingAskedForAndHiddenByWhatIsNearer) {
  auto description = look_with_body();
  description->lines.push_back({physics::kWorldBody, {{5, -1, 0}, {5, 1, 0}}, {1, 1, 1}});
  Layers layers(description, nothing());
  layers.update(body_at({}));
  LayerPicture canvas;
  canvas.draw(layers);
  EXPECT_TRUE(canvas.is_lit_near({5, 0.5, 0}));
  osg::ref_ptr<osg::Group> both = new osg::Group;
  both->addChild(layers.root());
  both->addChild(wall(4, {0, 0, 1, 1}));
  canvas.draw(both);
  EXPECT_EQ(canvas.brightest({5, 0.5, 0})[0], 0);
}

}  // namespace
}  // namespace protobeam::viewer
