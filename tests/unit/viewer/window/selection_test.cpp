#include "viewer/window/selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/viewer/window/worlds.h"
#include "viewer/offscreen/osg_util.h"

namespace protobeam::viewer {
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

TEST(PanelRows, SayWhereAMovingThingIsAndHowFast) {
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
  EXPECT_THAT(panel_rows(*world.description, *world.state, solid),
              ElementsAre(Pair("type", "Rover (Robot)"), Pair("robot", "rover"),
                          Pair("position", "1.235  -2.000  0.000 m"),
                          Pair("roll, pitch, yaw", "0.0  0.0  90.0 deg"),
                          Pair("speed", "5.000 m/s"), Pair("angular speed", "0.500 rad/s"),
                          Pair("body mass", "12.5 kg"), Pair("written at", "worlds/a.wbt:3")));
}

TEST(PanelRows, OfWhatNeverMovesHaveNoSpeed) {
  BoxWorld world;
  const int solid = world.add("wall", Vec3::Ones(), {-0.0001, 0, 0});
  const PanelRows rows = panel_rows(*world.description, *world.state, solid);
  EXPECT_THAT(rows, Not(Contains(testing::Key("speed"))));
  EXPECT_THAT(rows, Contains(Pair("position", "0.000  0.000  0.000 m")));
  EXPECT_THAT(rows, Contains(Pair("mass", "none, it never moves")));
}

class PixelsOf : public ::testing::Test {
 protected:
  /// 90 degrees across and up; 200 x 200 pixels; the camera at the origin looks along x.
  std::optional<PixelBox> pixels(int solid, int width = 200, int height = 200) const {
    return pixels_of(*world_.description, *world_.state, solid,
                     view_matrix(Pose{}) * osg::Matrixd::perspective(90, 1, 0.1, 100), width,
                     height);
  }
  BoxWorld world_;
};

TEST_F(PixelsOf, ABoxAheadAreThoseOfItsNearSide) {
  const int solid = world_.add("box", {2, 2, 1}, {11, 0, 0});
  // The near side is 10 m away, where 200 pixels span 20 m: 2 m across and 1 m up in the middle.
  EXPECT_EQ(pixels(solid), (PixelBox{90, 95, 110, 105}));
}

TEST_F(PixelsOf, WhatIsUpAndToTheLeftHasSmallNumbers) {
  const int solid = world_.add("box", {0.2, 1, 1}, {10.1, 5, 7});
  const auto box = pixels(solid);
  ASSERT_TRUE(box);
  EXPECT_NEAR((*box)[0], 100 - 55, 1);
  EXPECT_NEAR((*box)[1], 100 - 75, 1);
}

TEST_F(PixelsOf, PartsInsideASolidBelongToIt) {
  const int robot = world_.add("robot", {0.2, 1, 1}, {10.1, 0, 0});
  world_.add("mast", {0.2, 1, 1}, {10.1, 0, 3}, robot);
  const auto box = pixels(robot);
  ASSERT_TRUE(box);
  EXPECT_EQ((*box)[1], 65);
  EXPECT_EQ((*box)[3], 105);
}

TEST_F(PixelsOf, NothingBehindTheEyeOrBesideThePicture) {
  EXPECT_EQ(pixels(world_.add("behind", {1, 1, 1}, {-5, 0, 0})), std::nullopt);
  EXPECT_EQ(pixels(world_.add("beside", {1, 1, 1}, {5, 20, 0})), std::nullopt);
}

TEST_F(PixelsOf, WhatSurroundsTheEyeFillsThePicture) {
  const int solid = world_.add("hall", {30, 30, 30}, {2, 0, 0});
  EXPECT_EQ(pixels(solid), (PixelBox{0, 0, 200, 200}));
}

TEST_F(PixelsOf, WhatReachesPastTheEyeIsCutAtTheEdges) {
  const int solid = world_.add("wall", {20, 0.1, 1}, {0, -2, 0});
  const auto box = pixels(solid);
  ASSERT_TRUE(box);
  EXPECT_GT((*box)[0], 100);
  EXPECT_EQ((*box)[2], 200);
  EXPECT_LT((*box)[1], 90);
  EXPECT_GT((*box)[3], 110);
}

}  // namespace
}  // namespace protobeam::viewer
