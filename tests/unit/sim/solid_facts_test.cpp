#include "sim/scene/solid_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/support/box_world.h"

namespace protobeam::scene {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::Pair;

TEST(FindSolid, FindsTheSameOneInAnEditedWorld) {
  BoxWorld before;
  before.add("arm", Vec3::Ones(), Vec3::Zero());
  const int robot = before.add("robot", Vec3::Ones(), Vec3::Zero());
  const int arm = before.add("arm", Vec3::Ones(), Vec3::Zero(), robot);
  const SolidPath path = path_of(*before.description, arm);
  EXPECT_THAT(path, ElementsAre("arm", "robot"));

  BoxWorld after;
  after.add("new", Vec3::Ones(), Vec3::Zero());
  after.add("arm", Vec3::Ones(), Vec3::Zero());
  const int new_robot = after.add("robot", Vec3::Ones(), Vec3::Zero());
  const int new_arm = after.add("arm", Vec3::Ones(), Vec3::Zero(), new_robot);
  EXPECT_EQ(find_solid(*after.description, path), new_arm);
}

TEST(FindSolid, TakesOneOfTheSameNameWhenItsPlaceInTheTreeIsAnother) {
  BoxWorld world;
  world.add("box", Vec3::Ones(), Vec3::Zero());
  const int arm = world.add("arm", Vec3::Ones(), Vec3::Zero());
  EXPECT_EQ(find_solid(*world.description, SolidPath{"arm", "robot"}), arm);
  EXPECT_EQ(find_solid(*world.description, SolidPath{"leg"}), -1);
  EXPECT_EQ(find_solid(*world.description, SolidPath{}), -1);
}

TEST(FindSolid, PrefersRobots) {
  BoxWorld world;
  world.add("rover", Vec3::Ones(), Vec3::Zero());
  const int robot = world.add("rover", Vec3::Ones(), Vec3::Zero());
  world.description->robot_solids.push_back(robot);
  EXPECT_EQ(find_solid(*world.description, std::string("rover")), robot);
}

TEST(RollPitchYaw, AreTheAnglesOfTheTurnsInThisOrder) {
  const Quat R = axis_angle(Vec3::UnitZ(), 0.7) * axis_angle(Vec3::UnitY(), -0.4) *
                 axis_angle(Vec3::UnitX(), 0.2);
  EXPECT_LT((roll_pitch_yaw(R) - Vec3(0.2, -0.4, 0.7)).norm(), 1e-12);
  const Vec3 steep = roll_pitch_yaw(axis_angle(Vec3::UnitY(), kPi / 2));
  EXPECT_NEAR(steep.y(), kPi / 2, 1e-6);
}

TEST(SolidFacts, SayWhereAMovingThingIsAndHowFast) {
  BoxWorld world;
  const int solid = world.add("rover", Vec3::Ones(), {1.23456, -2, 0}, -1, true);
  world.description->solids[0].type = "Robot";
  world.description->solids[0].proto = "Rover";
  world.description->solids[0].robot = 0;
  world.description->robots.push_back("rover");
  const auto text = std::make_shared<SourceText>("worlds/a.wbt", "#VRML\n\nRover {}\n");
  world.description->solids[0].place = {text, 7, 5};
  SolidState& state = world.state->solids[0];
  state.X_WS.R = axis_angle(Vec3::UnitZ(), kPi / 2);
  state.v_WS = {3, 4, 0};
  state.w_WS = {0, 0, -0.5};
  EXPECT_THAT(facts_of(*world.description, *world.state, solid),
              ElementsAre(Pair("type", "Rover (Robot)"), Pair("robot", "rover"),
                          Pair("position", "1.235  -2.000  0.000 m"),
                          Pair("roll, pitch, yaw", "0.0  0.0  90.0 deg"),
                          Pair("speed", "5.000 m/s"), Pair("angular speed", "0.500 rad/s"),
                          Pair("body mass", "12.5 kg"), Pair("written at", "worlds/a.wbt:3")));
}

TEST(SolidFacts, OfWhatNeverMovesHaveNoSpeed) {
  BoxWorld world;
  const int solid = world.add("wall", Vec3::Ones(), {-0.0001, 0, 0});
  const Facts rows = facts_of(*world.description, *world.state, solid);
  EXPECT_THAT(rows, Not(Contains(testing::Key("speed"))));
  EXPECT_THAT(rows, Contains(Pair("position", "0.000  0.000  0.000 m")));
  EXPECT_THAT(rows, Contains(Pair("mass", "none, it never moves")));
}

}  // namespace
}  // namespace protobeam::scene
