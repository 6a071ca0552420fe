// What is drawn over a page's world, read back byte by byte.
#include "web/overlays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/scene/scene_observer.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/web/read_bytes.h"

namespace protobeam::web {
namespace {

struct Lines {
  std::uint32_t layer, ends, dots;
  std::vector<std::array<float, 3>> places;
  std::vector<std::array<std::uint8_t, 4>> colors;
};

Lines lines_in(const std::string& bytes) {
  EXPECT_EQ(read<std::uint32_t>(bytes, 0), 5u);
  EXPECT_EQ(read<std::uint32_t>(bytes, 4), 7u) << "the load";
  Lines out{read<std::uint32_t>(bytes, 8),
            read<std::uint32_t>(bytes, 12),
            read<std::uint32_t>(bytes, 16),
            {},
            {}};
  const std::size_t count = out.ends + out.dots;
  EXPECT_EQ(bytes.size(), 20 + 16 * count);
  for (std::size_t i = 0; i < count; ++i) {
    out.places.push_back(read<std::array<float, 3>>(bytes, 20 + 12 * i));
    out.colors.push_back(read<std::array<std::uint8_t, 4>>(bytes, 20 + 12 * count + 4 * i));
  }
  return out;
}

class OverlaysOfAWorld : public testing::Test {
 protected:
  void load(const std::string& text) {
    simulation_ = &world_.load(text);
    description_ = describe_scene(*simulation_, 7);
    observer_.emplace(*simulation_, *description_);
    file_ = make_world_file(description_, *state());
    overlays_.emplace(file_);
  }
  std::shared_ptr<const SceneState> state() { return observer_->state(*simulation_); }
  std::optional<std::string> next() { return overlays_->next(*state()); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
  std::shared_ptr<const SceneDescription> description_;
  std::optional<SceneObserver> observer_;
  WorldFile file_;
  std::optional<Overlays> overlays_;
};

// WbPointSet.cpp draws those that have a point and a color.
TEST_F(OverlaysOfAWorld, HaveNoDotsWithoutAColorOfTheirColors) {
  for (const auto& [colors, dots] :
       {std::pair("1 0 0", 1u), std::pair("", 0u), std::pair("1 0 0, 0 1 0, 0 0 1", 2u)}) {
    load(std::string("Shape { geometry PointSet { coord Coordinate { point [ 0 0 0, 0 2 0 ] } "
                     "color Color { color [ ") +
         colors + " ] } } }\nShape { geometry PointSet { coord Coordinate { point [ 5 0 0 ] } } }");
    const auto bytes = next();
    ASSERT_TRUE(bytes);
    EXPECT_EQ(lines_in(*bytes).dots, dots + 1) << colors;
  }
}

// VRML97, 6.36: points of a PointSet have the colours of its Color, or those of its material.
TEST_F(OverlaysOfAWorld, HaveTheDotsOfItsPointSets) {
  load(R"(
Pose { translation 1 0 0 children [
  Shape { geometry PointSet { coord Coordinate { point [ 0 0 0, 0 2 0 ] } color Color { color [ 1 0 0, 0 0.5 0 ] } } }
  Shape { appearance Appearance { material Material { emissiveColor 0 0 1 } }
          geometry PointSet { coord Coordinate { point [ 5 0 0 ] } } } ] })");
  const auto bytes = next();
  ASSERT_TRUE(bytes);
  const Lines lines = lines_in(*bytes);
  EXPECT_EQ(lines.ends, 0u);
  ASSERT_EQ(lines.dots, 3u);
  const auto apart = [&](std::size_t one, std::size_t other) {
    const auto &a = lines.places[one], &b = lines.places[other];
    return std::array{b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  };
  EXPECT_EQ(apart(0, 1), (std::array{0.0f, 2.0f, 0.0f}));
  EXPECT_EQ(apart(0, 2), (std::array{5.0f, 0.0f, 0.0f}));
  const auto color = [&](std::size_t dot) {
    return std::array{lines.colors[dot][0], lines.colors[dot][1], lines.colors[dot][2]};
  };
  EXPECT_EQ(color(0), (std::array<std::uint8_t, 3>{255, 0, 0}));
  EXPECT_EQ(color(1), (std::array<std::uint8_t, 3>{0, 128, 0}));
  EXPECT_EQ(color(2), (std::array<std::uint8_t, 3>{0, 0, 255}));
}

constexpr const char* kBall = R"(
Solid { name "floor" boundingObject Box { size 4 4 2 } }
Solid {
  name "ball" translation 1 2 30 boundingObject Box { size 2 2 2 } physics Physics { } linearVelocity 5 0 0
}
Robot { name "r" translation 8 9 1 }
)";

TEST_F(OverlaysOfAWorld, AreNothingUntilTheyAreWanted) {
  load(kBall);
  EXPECT_EQ(next(), std::nullopt);
  overlays_->want({"nonsense"});
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(OverlaysOfAWorld, AreSentAgainWhenTimeGoesOnOnly) {
  load(kBall);
  overlays_->want({"frames"});
  const auto first = next();
  ASSERT_TRUE(first);
  const Lines axes = lines_in(*first);
  EXPECT_EQ(axes.layer, 0u);
  ASSERT_GE(axes.ends, 6u);
  EXPECT_EQ(axes.dots, 0u);
  const auto ball = std::ranges::find(axes.places, std::array{1.0F, 2.0F, 30.0F});
  ASSERT_NE(ball, axes.places.end());
  const auto index = static_cast<std::size_t>(ball - axes.places.begin());
  EXPECT_GT(axes.colors[index][0], axes.colors[index][1]) << "x is red";
  EXPECT_EQ(next(), std::nullopt);
  simulation_->step();
  const auto second = next();
  ASSERT_TRUE(second);
  EXPECT_NEAR(lines_in(*second).places[index][0], 1 + 5 * simulation_->time(), 1e-5);
}

TEST_F(OverlaysOfAWorld, LeaveWhenTheyAreWantedNoMore) {
  load(kBall);
  overlays_->want({"frames"});
  ASSERT_TRUE(next());
  overlays_->want({});
  const auto none = next();
  ASSERT_TRUE(none) << "the page has them still";
  EXPECT_EQ(lines_in(*none).places.size(), 0u);
  simulation_->step();
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(OverlaysOfAWorld, SendWhatStandsStillOnce) {
  load(kBall);
  overlays_->want({"bounds"});
  const Lines still = lines_in(next().value());
  EXPECT_EQ(still.layer, 1u);
  EXPECT_EQ(still.ends, 24u) << "the twelve edges of the floor";
  for (const auto& place : still.places) EXPECT_EQ(std::abs(place[2]), 1);
  const Lines moving = lines_in(next().value());
  EXPECT_EQ(moving.layer, 0u);
  EXPECT_EQ(moving.ends, 24u);
  for (const auto& place : moving.places) EXPECT_EQ(std::abs(place[2] - 30), 1);
  simulation_->step();
  EXPECT_EQ(lines_in(next().value()).layer, 0u);
  EXPECT_EQ(next(), std::nullopt);
}

TEST_F(OverlaysOfAWorld, HaveTheWorldsOwnLinesUnasked) {
  load(R"(Solid { children [ Shape {
  appearance PBRAppearance { } geometry IndexedLineSet { coord Coordinate { point [ 1 2 3, 4 5 6 ] } coordIndex [ 0 1 -1 ] }
} ] })");
  const Lines own = lines_in(next().value());
  EXPECT_EQ(own.layer, 2u);
  ASSERT_EQ(own.ends, 2u);
  EXPECT_EQ(own.places[1], (std::array{4.0F, 5.0F, 6.0F}));
  simulation_->step();
  EXPECT_EQ(next(), std::nullopt) << "they stand still";
}

TEST_F(OverlaysOfAWorld, TellWhereRobotsAreForTheirTrails) {
  load(kBall);
  overlays_->want({"trails"});
  const std::string message = next().value();
  EXPECT_EQ(read<std::uint32_t>(message, 0), 6u);
  EXPECT_EQ(read<std::uint32_t>(message, 8), 1u);
  EXPECT_EQ((read<std::array<float, 3>>(message, 16)), (std::array{8.0F, 9.0F, 1.0F}));
  EXPECT_EQ(next(), std::nullopt);
}

}  // namespace
}  // namespace protobeam::web
