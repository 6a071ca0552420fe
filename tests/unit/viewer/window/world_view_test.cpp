#include "viewer/window/world_view.h"

#include <gtest/gtest.h>

#include "tests/unit/support/box_world.h"

namespace protobeam::viewer {
namespace {

TEST(WorldView, ARayMeetsTheNearestThing) {
  BoxWorld world;
  const int near = world.add("near", {1, 1, 1}, {5, 0, 0});
  const int moving = world.add("moving", {1, 1, 1}, {9, 3, 0}, -1, true);
  world.add("far", {1, 1, 1}, {9, 0, 0});
  WorldView view({});
  ASSERT_TRUE(view.update(world.description, world.state));

  const auto hit = view.hit({Vec3::Zero(), Vec3::UnitX()});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->solid, near);
  EXPECT_NEAR((hit->point - Vec3(4.5, 0, 0)).norm(), 0, 1e-5);
  const auto other = view.hit({Vec3(0, 3, 0), Vec3::UnitX()});
  ASSERT_TRUE(other);
  EXPECT_EQ(other->solid, moving);
  EXPECT_FALSE(view.hit({Vec3::Zero(), Vec3::UnitY()}));
}

TEST(WorldView, ARayMeetsThingsWhereTheyAreNow) {
  BoxWorld world;
  const int solid = world.add("moving", {1, 1, 1}, {5, 0, 0}, -1, true);
  WorldView view({});
  view.update(world.description, world.state);
  auto later = std::make_shared<SceneState>(*world.state);
  later->groups[0].p = {5, 7, 0};
  ASSERT_TRUE(view.update(world.description, later));
  EXPECT_FALSE(view.hit({Vec3::Zero(), Vec3::UnitX()}));
  const auto hit = view.hit({Vec3(0, 7, 0), Vec3::UnitX()});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->solid, solid);
}

TEST(WorldView, TakesEachFrameOnceAndNoneOfAnotherWorld) {
  BoxWorld first(1), second(2);
  first.add("first", {1, 1, 1}, {5, 0, 0});
  second.add("second", {1, 1, 1}, {0, 5, 0});
  WorldView view({});
  EXPECT_FALSE(view.update(nullptr, nullptr));
  EXPECT_TRUE(view.update(first.description, first.state));
  EXPECT_FALSE(view.update(first.description, first.state));
  EXPECT_FALSE(view.update(first.description, second.state));
  EXPECT_FALSE(view.update(second.description, first.state));
  EXPECT_EQ(view.description(), first.description.get());
  EXPECT_TRUE(view.update(second.description, second.state));
  EXPECT_FALSE(view.hit({Vec3::Zero(), Vec3::UnitX()}));
  EXPECT_TRUE(view.hit({Vec3::Zero(), Vec3::UnitY()}));
}

TEST(WorldView, RaysOfNothingMeetNothing) {
  BoxWorld world;
  world.add("box", {1, 1, 1}, {5, 0, 0});
  WorldView view({});
  EXPECT_FALSE(view.hit({Vec3::Zero(), Vec3::UnitX()}));
  view.update(world.description, world.state);
  EXPECT_FALSE(view.hit({Vec3::Zero(), Vec3::Constant(std::nan(""))}));
}

}  // namespace
}  // namespace protobeam::viewer
