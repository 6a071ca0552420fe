// Frames, bounds and tags of entities, as clients of simulation_interfaces ask for them.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/unit/publish/controlled_simulation.h"

namespace protobeam {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class EntitiesTest : public SimulationControlTest {
 protected:
  sim::Result set(const sim::EntityState& state, const std::string& entity = "ball") {
    sim::SetEntityState::Request move;
    move.entity = entity;
    move.state = state;
    move.set_pose = move.set_twist = true;
    return call<sim::SetEntityState>("/set_entity_state", move).result;
  }
  sim::EntityState state(const std::string& entity = "ball") {
    return call<sim::GetEntityState>("/get_entity_state", {entity}).state;
  }
  sim::GetEntities::Response within(std::uint8_t type, std::vector<message::Vector3> points) {
    sim::GetEntities::Request request;
    request.filters.bounds = {type, std::move(points)};
    return call<sim::GetEntities>("/get_entities", request);
  }
};

void expect_near(const message::Vector3& is, double x, double y, double z) {
  EXPECT_NEAR(is.x, x, 1e-9);
  EXPECT_NEAR(is.y, y, 1e-9);
  EXPECT_NEAR(is.z, z, 1e-9);
}

// By hand: the cart stands at (10, 20, 1), turned by a quarter to the left, so that its x is the
// world's y. It drives at 2 m/s along the world's y and turns with 0.5 rad/s about z.
TEST_F(EntitiesTest, AreSetInTheFrameOfAnotherEntity) {
  begin(R"(
Solid { name "cart" translation 10 20 1 rotation 0 0 1 1.5707963267948966 physics Physics { density -1 mass 1 }
  boundingObject Sphere { radius 0.1 } }
Solid { name "ball" translation 0 0 5 physics Physics { density -1 mass 1 } boundingObject Sphere { radius 0.1 } })");
  sim::EntityState cart = state("cart");
  cart.twist.linear = {0, 2, 0};
  cart.twist.angular = {0, 0, 0.5};
  ASSERT_EQ(set(cart, "cart").result, sim::Result::kOk);
  sim::EntityState ball;
  ball.header.frame_id = "cart";
  ball.pose.position = {3, 1, 0};
  ball.twist.linear = {1, 0, 0};
  ball.twist.angular = {0.25, 0, 0};
  const auto result = set(ball);
  ASSERT_EQ(result.result, sim::Result::kOk) << result.error_message;
  const sim::EntityState now = state();
  EXPECT_EQ(now.header.frame_id, "world");
  EXPECT_NEAR(now.pose.position.x, 10 - 1, 1e-9);
  EXPECT_NEAR(now.pose.position.y, 20 + 3, 1e-9);
  EXPECT_NEAR(now.pose.position.z, 1, 1e-9);
  EXPECT_NEAR(now.pose.orientation.z, std::sqrt(0.5), 1e-9);
  EXPECT_NEAR(now.pose.orientation.w, std::sqrt(0.5), 1e-9);
  // 2 m/s of the cart, 0.5 rad/s x (-1, 3, 0) m of its turn, 1 m/s along its x.
  expect_near(now.twist.linear, -0.5 * 3, 2 - 0.5 * 1 + 1, 0);
  expect_near(now.twist.angular, 0, 0.25, 0.5);
}

TEST_F(EntitiesTest, AreNotSetInFramesThatAreNone) {
  sim::EntityState ball;
  ball.header.frame_id = "rovr";
  EXPECT_EQ(set(ball).result, 101);
  EXPECT_EQ(set(ball).error_message, "'ball': there is no frame 'rovr'; did you mean 'rover'?");
  ball.header.frame_id = "base_link";
  EXPECT_EQ(set(ball).error_message,
            "'ball': there is no frame 'base_link'; there are world, map and those of entities");
  for (const char* frame : {"", "world", "map"}) {
    ball.header.frame_id = frame;
    EXPECT_EQ(set(ball).result, sim::Result::kOk) << frame;
  }
  EXPECT_THAT(set(ball, "bal").error_message, "there is no entity 'bal'; did you mean 'ball'?");
}

TEST_F(EntitiesTest, StayInTheWorldInTheFrameOfAnother) {
  sim::EntityState ball;
  ball.pose.position = {9e7, 0, 0};
  ASSERT_EQ(set(ball).result, sim::Result::kOk);
  ball.header.frame_id = "ball";
  EXPECT_EQ(set(ball).result, 101);
  EXPECT_NEAR(state().pose.position.x, 9e7, 1e-6);
}

// Clients of ROS 2 Humble, Jazzy and Kilted: simulation_interfaces 1.x has no flags.
TEST_F(EntitiesTest, AreSetByRequestsWithoutFlags) {
  sim::SetEntityState::Older::Request older;
  older.entity = "ball";
  older.state.pose.position = {1, 2, 3};
  older.state.twist.linear = {0, 1, 0};
  served_.requests.push_back({"/set_entity_state", ++id_, message::to_cdr(older)});
  const auto asked = id_;
  call<sim::GetEntities>("/get_entities");
  ASSERT_TRUE(served_.answers.contains(asked));
  EXPECT_EQ(answer<sim::SetEntityState>(asked).result.result, sim::Result::kOk);
  EXPECT_NEAR(state().pose.position.z, 3, 1e-9);
  expect_near(state().twist.linear, 0, 1, 0);
}

// Bounds.msg: relative to the entity's own frame.
TEST_F(EntitiesTest, HaveBoundsInTheirOwnFrame) {
  begin(R"(
Solid { name "box" translation 5 0 0 rotation 0 0 1 1.5707963267948966 physics Physics { density -1 mass 1 }
  boundingObject Sphere { radius 0.1 }
  children [ Pose { translation 1 0 0 children [ Shape { geometry Box { size 4 2 1 } } ] } ] }
Solid { name "nothing" })");
  const auto bounds = call<sim::GetEntityBounds>("/get_entity_bounds", {"box"}).bounds;
  EXPECT_EQ(bounds.type, sim::Bounds::kBox);
  ASSERT_EQ(bounds.points.size(), 2u);
  expect_near(bounds.points[0], 3, 1, 0.5);
  expect_near(bounds.points[1], -1, -1, -0.5);
  const auto none = call<sim::GetEntityBounds>("/get_entity_bounds", {"nothing"});
  EXPECT_EQ(none.result.result, sim::Result::kOk);
  EXPECT_EQ(none.bounds.type, sim::Bounds::kEmpty);
  EXPECT_THAT(none.bounds.points, IsEmpty());
}

// The ball, of 0.1 m, is at (0, 0, 5); the floor of 50 x 50 m is at z = 0.
TEST_F(EntitiesTest, AreFoundByTheSpaceThatTheyTake) {
  EXPECT_THAT(within(sim::Bounds::kBox, {{1, 1, 6}, {0, 0, 4}}).entities, ElementsAre("ball"));
  EXPECT_THAT(within(sim::Bounds::kBox, {{1, 1, 6}, {0, 0, -1}}).entities,
              UnorderedElementsAre("floor", "ball"));
  EXPECT_THAT(within(sim::Bounds::kBox, {{1, 1, 8}, {0, 0, 7}}).entities, IsEmpty());
  EXPECT_THAT(within(sim::Bounds::kSphere, {{0, 0, 7}, {1.91, 0, 0}}).entities,
              ElementsAre("ball"));
  EXPECT_THAT(within(sim::Bounds::kSphere, {{0, 0, 7}, {1.89, 0, 0}}).entities, IsEmpty());
  // Its box reaches along x to 0.1, the corner of the sphere's box does not count.
  EXPECT_THAT(within(sim::Bounds::kSphere, {{1, 1, 6}, {1.4, 0, 0}}).entities, IsEmpty());
}

TEST_F(EntitiesTest, AreNotFoundByBoundsThatAreNone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(within(sim::Bounds::kConvexHull, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).result.result,
            sim::Result::kUnsupported);
  EXPECT_EQ(within(7, {}).result.result, sim::Result::kUnsupported);
  EXPECT_EQ(within(sim::Bounds::kBox, {{0, 0, 0}}).result.result, sim::Result::kFailed);
  EXPECT_THAT(within(sim::Bounds::kSphere, {}).result.error_message,
              HasSubstr("the bounds have 0 points"));
  EXPECT_EQ(within(sim::Bounds::kBox, {{nan, 0, 0}, {1, 1, 1}}).result.result,
            sim::Result::kFailed);
  EXPECT_EQ(within(sim::Bounds::kSphere, {{0, 0, 0}, {-1, 0, 0}}).result.result,
            sim::Result::kFailed);
}

TEST_F(EntitiesTest, HaveTheTagsThatTheyAreGiven) {
  sim::SetEntityInfo::Request set;
  set.entity = "ball";
  set.info = {{sim::EntityCategory::kHuman}, "a football", {"toy", "round"}};
  EXPECT_EQ(call<sim::SetEntityInfo>("/set_entity_info", set).result.result, sim::Result::kOk);
  const auto info = call<sim::GetEntityInfo>("/get_entity_info", {"ball"}).info;
  EXPECT_EQ(info.category.category, sim::EntityCategory::kHuman);
  EXPECT_EQ(info.description, "a football");
  EXPECT_THAT(info.tags, ElementsAre("toy", "round"));
  const auto tagged = [this](std::vector<std::string> tags, std::uint8_t mode) {
    sim::GetEntities::Request request;
    request.filters.tags = {std::move(tags), mode};
    return call<sim::GetEntities>("/get_entities", request);
  };
  EXPECT_THAT(tagged({"toy", "square"}, sim::TagsFilter::kAny).entities, ElementsAre("ball"));
  EXPECT_THAT(tagged({"toy", "square"}, sim::TagsFilter::kAll).entities, IsEmpty());
  EXPECT_THAT(tagged({"toy", "round"}, sim::TagsFilter::kAll).entities, ElementsAre("ball"));
  EXPECT_EQ(tagged({"toy"}, 2).result.result, sim::Result::kFailed);
  set.info.category.category = 3;
  EXPECT_EQ(call<sim::SetEntityInfo>("/set_entity_info", set).result.result, sim::Result::kFailed);
  set.entity = "bull";
  EXPECT_EQ(call<sim::SetEntityInfo>("/set_entity_info", set).result.result,
            sim::Result::kNotFound);
}

}  // namespace
}  // namespace protobeam
