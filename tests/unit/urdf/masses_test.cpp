// What weighs how much, against the parallel axis theorem by hand.
#include <gmock/gmock.h>

#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

TEST_F(RobotTest, AnInertiaIsTurnedByItsOrigin) {
  const auto world =
      read(robot("<link name=\"a\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 "
                 "1.5707963267948966\"/><mass value=\"4\"/>"
                 "<inertia ixx=\"1\" iyy=\"2\" izz=\"2.5\" ixy=\"0.1\" ixz=\"0.2\" "
                 "iyz=\"0.3\"/></inertial></link>"));
  const wbt::Node& physics = node(*world, "Physics");
  EXPECT_THAT(numbers(physics, "mass"), ElementsAre(4));
  EXPECT_THAT(numbers(physics, "density"), ElementsAre(-1));
  EXPECT_THAT(numbers(physics, "centerOfMass"), ElementsAre(1, 2, 3));
  // A quarter turn about z: x' = -y, y' = x.
  EXPECT_THAT(numbers(physics, "inertiaMatrix"),
              Pointwise(DoubleNear(1e-12), {2.0, 1.0, 2.5, -0.1, -0.3, 0.2}));
}

TEST_F(RobotTest, ARootWithoutMassTakesThatOfWhatIsFixedToIt) {
  const auto world =
      read(robot("<link name=\"base_footprint\"/>" + link("base", 3) + link("top", 1) +
                 joint("1", "fixed", "base_footprint", "base", "<origin xyz=\"0 0 1\"/>") +
                 joint("2", "fixed", "base", "top", "<origin xyz=\"0 2 0\"/>")));
  EXPECT_EQ(diagnostics_.all().size(), 0u) << diagnostics_.to_string();
  const wbt::Node& physics = *node(*world, "Robot").find("physics")->value.nodes.at(0);
  EXPECT_THAT(numbers(physics, "mass"), ElementsAre(4));
  EXPECT_THAT(numbers(physics, "centerOfMass"), Pointwise(DoubleNear(1e-12), {0.0, 0.5, 1.0}));
  // 3 kg at y = -0.5 and 1 kg at y = 1.5 from the common centre.
  const double far = 3 * 0.25 + 1 * 2.25;
  EXPECT_THAT(numbers(physics, "inertiaMatrix"),
              Pointwise(DoubleNear(1e-12), {0.02 + far, 0.04, 0.05 + far, 0.0, 0.0, 0.0}));
  EXPECT_EQ(node(*world, "Solid", "base").find("physics"), nullptr);
}

TEST_F(RobotTest, LinksThatAreFixedTogetherAreOneBody) {
  load(robot(link("a", 3) + link("b", 1) +
             joint("1", "fixed", "a", "b", "<origin xyz=\"0 0 1\"/>")));
  EXPECT_DOUBLE_EQ(mass("r"), 4);
}

TEST_F(RobotTest, ARobotWithoutMassAtItsRootStandsFixed) {
  load(robot("<link name=\"base\"/>" + link("a", 3) +
             joint("1", "continuous", "base", "a", "<origin xyz=\"0 0 5\"/>")));
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("2:2: warning: root link 'base' has no mass: the robot stands fixed in the world"));
  run(1);
  EXPECT_NEAR(pose("a").p.z(), 0.1, 1e-3);  // its box touches the ground
  load(robot("<link name=\"world\"/>" + link("a", 3) +
             joint("1", "fixed", "world", "a", "<origin xyz=\"0 0 5\"/>")));
  EXPECT_EQ(diagnostics_.all().size(), 0u);
  run(1);
  EXPECT_EQ(pose("a").p.z(), 5);
}

TEST_F(RobotTest, WhatMovesWithoutAMassGetsAHundredthOfWhatItCarries) {
  load(robot(link("a", 3) + "<link name=\"cross\"/>" + link("b", 2) +
             joint("1", "continuous", "a", "cross") +
             joint("2", "continuous", "cross", "b", "<axis xyz=\"0 1 0\"/>")));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: link 'cross' moves but has no mass: it gets 0.02 kg"));
  EXPECT_DOUBLE_EQ(mass("cross"), 0.02);
}

TEST_F(RobotTest, StandsOnTheGroundWithItsLowestPoint) {
  struct Case {
    const char *shape, *origin;
    double height;
  };
  for (const Case& c :
       {Case{"<box size=\"0.2 0.4 0.6\"/>", "xyz=\"0 0 1\"", -0.7},
        // A box on its edge.
        Case{"<box size=\"1 2 2\"/>", "xyz=\"0 0 0\" rpy=\"0.7853981633974483 0 0\"",
             1.4142135623730951},
        Case{"<sphere radius=\"0.25\"/>", "xyz=\"0 0 0\"", 0.25},
        // A wheel on its rim, and one that leans by 30 degrees.
        Case{"<cylinder radius=\"0.3\" length=\"0.1\"/>", "rpy=\"1.5707963267948966 0 0\"", 0.3},
        Case{"<cylinder radius=\"0.3\" length=\"0.1\"/>", "rpy=\"0.5235987755982988 0 0\"",
             0.3 * 0.5 + 0.05 * 0.8660254037844386},
        Case{"<capsule radius=\"0.1\" length=\"0.4\"/>", "rpy=\"0 0 0\"", 0.3}}) {
    const auto world = read(robot(fmt::format(
        "<link name=\"a\"><collision><origin {}/><geometry>{}</geometry></collision></link>",
        c.origin, c.shape)));
    ASSERT_TRUE(world) << diagnostics_.to_string();
    EXPECT_NEAR(numbers(node(*world, "Robot"), "translation").at(2), c.height, 1e-12) << c.shape;
  }
}

TEST_F(RobotTest, ARobotThatNothingHoldsUpIsAWarning) {
  const std::string ball =
      "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>"
      "<visual><geometry><sphere radius=\"1\"/></geometry></visual></link>";
  read(robot("<link name=\"a\">" + ball));
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("1:2: warning: the robot has no collision shape: it falls through the ground"));
}

TEST_F(RobotTest, StaysWhereItIsPutOnTheGround) {
  load(robot(link("a", 3)));
  run(2);
  EXPECT_NEAR(pose("r").p.z(), 0.1, 1e-3);
  EXPECT_DOUBLE_EQ(mass("r"), 3);
}

}  // namespace
}  // namespace protobeam::urdf
