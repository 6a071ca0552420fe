#include "sim/collision_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::IsEmpty;

constexpr double kStep = 0.008;

/// A box of 0.2 m that belongs to a robot, or a crate: `type` is Robot or Solid.
std::string box(const std::string& type, const std::string& name, const std::string& more) {
  return type + " { name \"" + name + "\" boundingObject Box { size 0.2 0.2 0.2 } " +
         "physics Physics { density -1 mass 1 } " + more + " }\n";
}
const std::string kWall =
    "Solid { name \"wall\" translation 1.1 0 0 boundingObject Box { size 0.2 4 4 } }\n";
const std::string kFloor =
    "Solid { name \"floor\" translation 0 0 -0.6 boundingObject Box { size 9 9 1 } }\n";
const std::string kFalling = "gravity 9.81";

class Collisions : public testing::Test {
 protected:
  std::vector<Collision> after(double seconds, const std::string& text,
                               const std::string& info = "gravity 0") {
    Simulation& simulation = world_.load(text, info);
    CollisionLog log(simulation);
    for (int i = 0; i < seconds / kStep; ++i) {
      simulation.step();
      log.after_step();
    }
    hash_ = simulation.state_hash();
    return log.collisions();
  }

  WorldText world_;
  std::uint64_t hash_ = 0;
};

TEST_F(Collisions, SayWhoTouchedWhatWhen) {
  // 0.9 m at 0.5 m/s: the faces meet at 1.8 s. It bounces off, with half its speed.
  const auto all = after(4, kWall + box("Robot", "rover", "linearVelocity 0.5 0 0"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].robot, "rover");
  EXPECT_EQ(all[0].touched, "wall");
  EXPECT_EQ(all[0].of_robot, "");
  EXPECT_NEAR(all[0].first, 1.8, 2 * kStep);
  EXPECT_EQ(all[0].times, 1);
  EXPECT_GT(all[0].duration, 0);
  EXPECT_LT(all[0].duration, 0.1);
  Collision rounded = all[0];
  rounded.first = 5.6249;
  rounded.duration = 0.38;
  EXPECT_EQ(describe(rounded), "rover touched 'wall' at 5.62 s (once, 0.38 s)");
  rounded.of_robot = "building";
  rounded.times = 3;
  EXPECT_EQ(describe(rounded), "rover touched 'wall' of building at 5.62 s (3 times, 0.38 s)");
}

TEST_F(Collisions, CountTouchesThatArePartedByMore) {
  // To and fro between two walls that are 0.4 m apart: 0.2 m of play. Without loss it touches at
  // 0.1 m / (0.5 m/s) = 0.2 s, and then every 0.4 s, in turns.
  const auto all =
      after(2.1,
            "Solid { name \"east\" translation 0.3 0 0 boundingObject Box { size 0.2 4 4 } }\n"
            "Solid { name \"west\" translation -0.3 0 0 boundingObject Box { size 0.2 4 4 } }\n" +
                box("Robot", "rover", "linearVelocity 0.5 0 0"),
            "gravity 0 contactProperties ContactProperties { bounce 1 bounceVelocity 0 }");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].touched, "east");
  EXPECT_NEAR(all[0].first, 0.2, 2 * kStep);
  EXPECT_EQ(all[0].times, 3);  // 0.2, 1.0, 1.8 s
  EXPECT_EQ(all[1].touched, "west");
  EXPECT_NEAR(all[1].first, 0.6, 3 * kStep);
  EXPECT_EQ(all[1].times, 2);  // 0.6, 1.4 s
}

TEST_F(Collisions, OfTwoRobotsAreReportedOnce) {
  const auto all = after(
      2, box("Robot", "a", "") + box("Robot", "b", "translation 1 0 0 linearVelocity -1 0 0"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].robot, "a");
  EXPECT_EQ(all[0].touched, "b");
  EXPECT_EQ(all[0].of_robot, "");
}

TEST_F(Collisions, WithAPartOfARobotThatStandsNameThePart) {
  // As Traffic: a robot without Physics whose Solids are moved by joints.
  const std::string traffic =
      "Robot { name \"traffic\" children [ SliderJoint { endPoint Solid { name \"car 2\" "
      "translation 1 0 0 boundingObject Box { size 0.2 0.2 0.2 } } } ] }\n";
  const auto all = after(2, traffic + box("Robot", "car", "linearVelocity 1 0 0"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].robot, "car");
  EXPECT_EQ(all[0].touched, "car 2");
  EXPECT_EQ(all[0].of_robot, "traffic");
}

TEST_F(Collisions, AreNotWhatRobotsStandOnOrCarry) {
  const std::string slope =
      "Solid { name \"slope\" translation 5 0 -0.4 rotation 0 1 0 0.5 boundingObject "
      "Box { size 4 4 0.2 } }\n";
  const auto all =
      after(1.5,
            kFloor + slope + box("Robot", "falls on the floor", "translation 0 0 0.3") +
                box("Robot", "falls on a robot", "translation 0 0 0.6") +
                box("Robot", "slides down", "translation 5 0 0 rotation 0 1 0 0.5") +
                box("Solid", "load", "translation 0 0 0.9"),
            kFalling);
  EXPECT_THAT(all, IsEmpty());
}

TEST_F(Collisions, AreNotOfThingsThatAreNoRobots) {
  EXPECT_THAT(after(3, kWall + box("Solid", "crate", "linearVelocity 0.5 0 0")), IsEmpty());
}

TEST_F(Collisions, AreThereWhenARobotPushesACrate) {
  const auto all = after(2, box("Robot", "rover", "linearVelocity 0.5 0 0") +
                                box("Solid", "crate", "translation 0.5 0 0"));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].touched, "crate");
}

/// A robot with a box at the end of a joint, which flies to something at x = 1.
std::string reaching(const std::string& joint, const std::string& device) {
  return "Robot { name \"arm\" translation -0.5 0 0 linearVelocity 0.5 0 0 "
         "physics Physics { density -1 mass 1 } boundingObject Box { size 0.2 0.2 0.2 } "
         "children [ " +
         joint + " { device [ " + device +
         " ] endPoint Solid { name \"part\" "
         "translation 0.5 0 0 physics Physics { density -1 mass 1 } "
         "boundingObject Sphere { radius 0.1 } } } ] }\n";
}
const std::string kCrate = box("Solid", "crate", "translation 0.6 0 0");

TEST_F(Collisions, AreNotWhatFingersHandle) {
  const std::string finger =
      reaching("SliderJoint", "LinearMotor { minPosition -0.1 maxPosition 0.1 }");
  EXPECT_THAT(after(4, finger + kCrate), IsEmpty());
  const std::string turning =
      reaching("HingeJoint", "RotationalMotor { minPosition -1 maxPosition 1 }");
  EXPECT_THAT(after(4, turning + kCrate), IsEmpty());
  // A wall is not handled.
  EXPECT_EQ(after(6, finger + kWall).size(), 1u);
}

TEST_F(Collisions, AreWhatWheelsRunInto) {
  const std::string wheel = reaching("HingeJoint", "RotationalMotor { }");
  EXPECT_EQ(after(4, wheel + kCrate).size(), 1u);
  EXPECT_EQ(after(6, wheel + kWall).size(), 1u);
}

TEST_F(Collisions, AreNotKerbsThatWheelsClimb) {
  // A monocycle whose wheel (radius 0.1) meets a kerb of 0.06: the normal there is 66 deg from the
  // vertical. One of 0.3 is a wall.
  const auto rolls = [](const std::string& height) {
    return "Robot { name \"wheel\" translation 0 0 0 linearVelocity 1 0 0 "
           "physics Physics { density -1 mass 0.1 } "
           "children [ HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 } "
           "device RotationalMotor { } endPoint Solid { name \"tyre\" linearVelocity 1 0 0 "
           "rotation 1 0 0 -1.5707963 physics Physics { density -1 mass 1 } "
           "boundingObject Cylinder { radius 0.1 height 0.2 } } } ] }\n"
           "Solid { name \"kerb\" translation 1 0 0 boundingObject Pose { translation 0 0 -0.1 "
           "children [ Pose { translation 0 0 " +
           std::to_string(std::stod(height) / 2) + " children [ Box { size 1 4 " + height +
           " } ] } ] } }\n";
  };
  EXPECT_THAT(after(1, kFloor + rolls("0.06"), kFalling), IsEmpty());
  EXPECT_EQ(after(1, kFloor + rolls("0.3"), kFalling).size(), 1u);
}

TEST_F(Collisions, AreNotWhatTouchesFromTheStart) {
  // 1 mm in the wall, which pushes it out; what comes back is a collision.
  const std::string wall_behind =
      "Solid { name \"west\" translation -0.2 0 0 boundingObject Box { size 0.2 4 4 } }\n";
  const std::string docked = box("Robot", "rover", "translation 0.901 0 0");
  EXPECT_THAT(after(1, kWall + docked), IsEmpty());
  const auto all = after(4, wall_behind +
                                box("Robot", "rover",
                                    "translation -0.001 0 0 "
                                    "linearVelocity 0.5 0 0") +
                                kWall);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].touched, "wall");
  EXPECT_NEAR(all[0].first, 1.8, 0.05);
}

TEST_F(Collisions, AreOnlyWatched) {
  const std::string text = kWall + box("Robot", "rover", "linearVelocity 0.5 0 0");
  after(3, text);
  const std::uint64_t watched = hash_;
  Simulation& simulation = world_.load(text);
  for (int i = 0; i < 3 / kStep; ++i) simulation.step();
  EXPECT_EQ(simulation.state_hash(), watched);
}

TEST_F(Collisions, OutliveTheNumbersOfSolids) {
  Simulation& simulation = world_.load(kWall + box("Robot", "rover", "linearVelocity 0.5 0 0"));
  CollisionLog log(simulation);
  const auto run = [&](double until) {
    while (simulation.time() < until) {
      simulation.step();
      log.after_step();
    }
  };
  run(2.5);  // it has touched the wall at 1.8 s, and goes back at -0.25 m/s
  ASSERT_EQ(log.collisions().size(), 1u);
  ASSERT_EQ(simulation.remove_solid(0), "");
  Diagnostics diagnostics;
  ASSERT_GE(simulation.add_solid("Solid { boundingObject Box { size 0.2 4 4 } }", "other",
                                 Pose::translation({0.3, 0, 0}), diagnostics),
            0);
  run(7);
  const auto all = log.collisions();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].touched, "wall");
  EXPECT_EQ(all[1].touched, "other");
}

}  // namespace
}  // namespace protobeam
