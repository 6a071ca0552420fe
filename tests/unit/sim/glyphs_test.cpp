#include "sim/scene/glyphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/unit/support/scene_bodies.h"

namespace protobeam::scene {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

bool has_line(const Strokes& strokes, const Vec3& a, const Vec3& b) {
  const auto& ends = strokes.line_ends();
  for (std::size_t i = 0; i + 1 < ends.size(); i += 2) {
    const double along = (ends[i].p - a).norm() + (ends[i + 1].p - b).norm();
    const double back = (ends[i].p - b).norm() + (ends[i + 1].p - a).norm();
    if (std::min(along, back) < 1e-9) return true;
  }
  return false;
}

TEST(Frames, HaveAxesForDevicesAndRobotsThatAreHalfAsLong) {
  const auto description = look_with_body({0.2, 0.2, 0.1});
  description->solids.resize(2);
  description->solids[1].body = 0;
  description->devices.resize(2);
  description->devices[0].solid = 1;
  description->devices[1].solid = -1;
  description->robot_solids = {0};
  SceneState state = body_at(Pose::translation({1, 2, 3}));
  state.solids.push_back({Pose::translation({1, 2, 3.5})});
  Strokes strokes;
  const std::vector<double> lengths = glyph_sizes(*description);
  ASSERT_EQ(lengths.size(), 1u);
  EXPECT_NEAR(lengths[0], 0.75 * 0.15, 1e-12);
  add_frames(*description, lengths, state, strokes);
  EXPECT_EQ(strokes.line_ends().size(), 3u * 3 * 2);  // body, robot, device
  EXPECT_TRUE(has_line(strokes, {1, 2, 3}, Vec3(1 + lengths[0], 2, 3)));
  EXPECT_TRUE(has_line(strokes, {1, 2, 3.5}, Vec3(1, 2, 3.5 + lengths[0] / 2)));
}

TEST(Signs, AreOfTheSizeOfTheirBodies) {
  const auto length = [](const Vec3& size) { return glyph_sizes(*look_with_body(size)).at(0); };
  EXPECT_DOUBLE_EQ(length({0.01, 0.01, 0.01}), 0.05);
  EXPECT_DOUBLE_EQ(length({30, 30, 30}), 1.5);
  const auto bare = look_with_body();
  bare->collisions.clear();
  EXPECT_DOUBLE_EQ(glyph_sizes(*bare).at(0), 0.3);
}

TEST(Frusta, HaveTheirCornersWhereTheFieldOfViewEnds) {
  SceneDescription description;
  description.devices = {camera(kPi / 2, 2 * std::atan(0.5), 0.5, 4)};
  const Pose X_WC{axis_angle({0, 0, 1}, kPi / 2), Vec3(5, 6, 7)};  // looks along y
  SceneState state;
  state.solids = {{X_WC}};
  Strokes strokes;
  add_frusta(description, state, strokes);
  EXPECT_EQ(strokes.line_ends().size(), 12u * 2);
  for (const double side : {-1.0, 1.0}) {
    for (const double up : {-1.0, 1.0}) {
      EXPECT_TRUE(
          has_line(strokes, {5 + side * 0.5, 6.5, 7 + up * 0.25}, {5 + side * 4, 10, 7 + up * 2}));
    }
    EXPECT_TRUE(has_line(strokes, {1, 10, 7 + side * 2}, {9, 10, 7 + side * 2}));
    EXPECT_TRUE(has_line(strokes, {5 + side * 4, 10, 5}, {5 + side * 4, 10, 9}));
  }
}

TEST(Frusta, EndAtThreeMetresWhenTheyAreUnlimited) {
  for (const double unlimited : {0.0, kInf, -1.0}) {
    SceneDescription description;
    description.devices = {camera(kPi / 2, kPi / 2, 0, unlimited)};
    SceneState state;
    state.solids.resize(1);
    Strokes strokes;
    add_frusta(description, state, strokes);
    EXPECT_EQ(strokes.line_ends().size(), 8u * 2);  // no near face
    EXPECT_TRUE(has_line(strokes, {0, 0, 0}, {3, 3, 3}));
  }
}

TEST(Frusta, OfWideCamerasLieOnASphere) {
  SceneDescription description;
  description.devices = {camera(2 * kPi, 1, 0.5, 4)};
  SceneState state;
  state.solids.resize(1);
  Strokes strokes;
  add_frusta(description, state, strokes);
  double back = 0;
  for (const Strokes::End& end : strokes.line_ends()) {
    EXPECT_TRUE(std::abs(end.p.norm() - 4) < 1e-9 || std::abs(end.p.norm() - 0.5) < 1e-9);
    EXPECT_LE(std::abs(end.p.z()), 4 * std::sin(0.5) + 1e-9);
    back = std::min(back, end.p.x());
  }
  EXPECT_NEAR(back, -4, 1e-9);  // all around
}

TEST(Frusta, AreOfCamerasOnly) {
  SceneDescription description;
  description.devices = {camera(2, 1, 0, 4), camera(0, 0, 0, 4)};
  description.devices[0].layers = 16;
  SceneState state;
  state.solids.resize(1);
  Strokes strokes;
  add_frusta(description, state, strokes);
  EXPECT_TRUE(strokes.line_ends().empty());
}

TEST(Joints, AreLinesThroughTheirAnchors) {
  const auto description = look_with_body({0.4, 0, 0});  // signs of 0.15 m
  description->joints.resize(4);
  description->joints[0] = {"hinge", physics::JointKind::kHinge, 0, {1, 0, 0}, {Vec3::UnitY()}};
  description->joints[1] = {
      "of the world", physics::JointKind::kSlider, -1, {0, 0, 9}, {Vec3::UnitZ()}};
  description->joints[2] = {"glue", physics::JointKind::kFixed, 0, {5, 5, 5}, {Vec3::UnitZ()}};
  description->joints[3] = {"nobody's", physics::JointKind::kHinge, 7, {1, 0, 0}, {Vec3::UnitY()}};
  const SceneState state = body_at({axis_angle({0, 0, 1}, kPi / 2), Vec3(10, 20, 30)});
  Strokes strokes;
  add_joints(*description, glyph_sizes(*description), state, strokes);
  EXPECT_EQ(strokes.line_ends().size(), 2u * 2);
  EXPECT_TRUE(has_line(strokes, {10 - 0.15, 21, 30}, {10 + 0.15, 21, 30}));
  EXPECT_TRUE(has_line(strokes, {0, 0, 8.5}, {0, 0, 9.5}));
  ASSERT_EQ(strokes.dots().size(), 2u);
  EXPECT_LT((strokes.dots()[0].p - Vec3(10, 21, 30)).norm(), 1e-9);
}

TEST(Contacts, PushWhatMoves) {
  const auto description = look_with_body();
  description->solids.resize(2);  // nothing moves Solid 1
  SceneState state;
  state.contacts = {{0, 1, 0, 1, {1, 2, 3}, Vec3::UnitZ(), 0.01, 4},
                    {1, 0, 1, 0, {5, 2, 3}, -Vec3::UnitZ(), 0.01, 1e9},
                    {0, 1, 0, 1, {7, 2, 3}, Vec3::UnitX(), -0.01, 0},
                    {0, 1, 0, 1, {8, 2, 3}, Vec3::Zero(), 0.01, 1},
                    {0, 1, 0, 1, {9, kInf, 3}, Vec3::UnitX(), 0.01, 1}};
  Strokes strokes;
  add_contacts(*description, state, strokes);
  EXPECT_EQ(strokes.dots().size(), 4u);
  EXPECT_EQ(strokes.line_ends().size(), 2u * 5 * 2);  // arrows: a shaft and four barbs
  EXPECT_TRUE(has_line(strokes, {1, 2, 3}, {1, 2, 3 + arrow_length(4)}));
  EXPECT_TRUE(has_line(strokes, {5, 2, 3}, {5, 2, 4}));  // not longer than 1 m
}

TEST(Contacts, HaveLongerArrowsForLargerImpulses) {
  EXPECT_DOUBLE_EQ(arrow_length(0), 0.05);
  EXPECT_DOUBLE_EQ(arrow_length(1e-9), 0.05);
  EXPECT_DOUBLE_EQ(arrow_length(1), 0.2);
  EXPECT_DOUBLE_EQ(arrow_length(4), 0.4);
  EXPECT_DOUBLE_EQ(arrow_length(1e6), 1);
}

TEST(WorldLines, MoveWithTheirBodyAndKeepTheirColor) {
  auto description = look_with_body();
  description->lines.push_back({physics::kWorldBody, {{1, 2, 3}, {4, 5, 6}}, {1, 0, 0}});
  description->lines.push_back({0, {{1, 0, 0}, {0, 0, 1}}, {0, 0.2158605f, 1}});
  Strokes strokes;
  add_lines(*description, body_at({axis_angle(Vec3::UnitZ(), kPi / 2), {10, 0, 0}}), strokes);
  EXPECT_EQ(strokes.line_ends().size(), 4u);
  EXPECT_TRUE(has_line(strokes, {1, 2, 3}, {4, 5, 6}));
  EXPECT_TRUE(has_line(strokes, {10, 1, 0}, {10, 0, 1}));
  EXPECT_EQ(strokes.line_ends()[0].color, (Rgba{255, 0, 0, 255}));
  // 0.2159 is the light of the sRGB level 128; a power of 2.2 makes nearly the same of it.
  EXPECT_NEAR(strokes.line_ends()[2].color[1], 128, 2);
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

}  // namespace
}  // namespace protobeam::scene
