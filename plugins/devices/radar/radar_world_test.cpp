// A radar in a world: which Solids it is told of, and where and how fast they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

struct Seen {
  double distance, power, speed, azimuth;
};

/// What the radar of a robot at 0 0 1 detects after `steps` steps of 8 ms.
std::vector<Seen> detect(const std::string& world_text, const std::string& fields, int steps = 1,
                         const std::string& robot = "controller \"<none>\"") {
  WorldText world;
  Simulation& simulation = world.load(world_text + " Robot { " + robot +
                                      " translation 0 0 1 children [ Radar { minRadialSpeed 0 "
                                      "maxRadialSpeed 0 verticalFieldOfView 0.3 " +
                                      fields + " } ] }");
  EXPECT_EQ(world.diagnostics().to_string(), "");
  Device& device = *simulation.find_device("radar");
  simulation.enable(device, 0.008);
  for (int i = 0; i < steps; ++i) simulation.step();
  std::int32_t count = 0;
  std::memcpy(&count, device.data.data() + device.model->layout().find("count")->offset,
              sizeof count);
  std::vector<Seen> out(static_cast<std::size_t>(count));
  if (!out.empty()) std::memcpy(out.data(), device.data.data(), out.size() * sizeof(Seen));
  return out;
}

TEST(RadarWorld, DetectsSolidsWithACrossSection) {
  const auto found = detect(
      "Solid { name \"a\" translation 10 0 1 radarCrossSection 2 } "
      "Solid { name \"b\" translation 20 2 1 } "
      "Pose { translation 0 0 1 children [ Solid { name \"c\" translation 30 0 0 radarCrossSection "
      "1 } ] }",
      "");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NEAR(found[0].distance, 10, 1e-12);
  EXPECT_NEAR(found[1].distance, 30, 1e-12);
  EXPECT_NEAR(found[0].power - found[1].power, 10 * std::log10(2 * 81.0), 1e-9);
}

TEST(RadarWorld, MeasuresHowFastBodiesMove) {
  // 1 s at 10 m/s.
  const std::string body =
      "Solid { name \"car\" translation 10 0 1 linearVelocity 10 0 0 radarCrossSection 1 "
      "physics Physics { mass 1 density -1 } boundingObject Box { size 1 1 1 } }";
  const auto found = detect(body, "", 125);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].distance, 20, 1e-9);
  EXPECT_NEAR(found[0].speed, 10, 1e-9);

  const std::string turning =
      "Solid { name \"mill\" translation 20 0 1 angularVelocity 0 0 2 "
      "physics Physics { mass 1 density -1 } boundingObject Box { size 1 1 1 } "
      "children [ Solid { name \"tip\" translation 0 3 0 radarCrossSection 1 } ] }";
  const auto tip = detect(turning, "", 1);
  ASSERT_EQ(tip.size(), 1u);
  // The tip is at 20 - 3 sin a, 3 cos a with a = 2 t; its velocity is -6 cos a, -6 sin a.
  const double a = 2 * 0.008, x = 20 - 3 * std::sin(a), y = 3 * std::cos(a), r = std::hypot(x, y);
  EXPECT_NEAR(tip[0].distance, r, 1e-6);
  EXPECT_NEAR(tip[0].speed, (-6 * std::cos(a) * x - 6 * std::sin(a) * y) / r, 1e-5);
  EXPECT_NEAR(tip[0].azimuth, -std::atan2(y, x), 1e-7);
}

TEST(RadarWorld, MeasuresHowFastSolidsWithoutPhysicsGlide) {
  const std::string fields = "radarCrossSection 1 boundingObject Box { size 1 1 1 }";
  const auto target = detect(
      "Solid { name \"car\" translation 10 0 1 linearVelocity 10 0 0 " + fields + " }", "", 125);
  ASSERT_EQ(target.size(), 1u);
  EXPECT_NEAR(target[0].distance, 20, 1e-9);
  EXPECT_NEAR(target[0].speed, 10, 1e-9);

  const auto own = detect("Solid { name \"wall\" translation 40 0 1 " + fields + " }", "", 125,
                          "controller \"<none>\" linearVelocity 8 0 0");
  ASSERT_EQ(own.size(), 1u);
  EXPECT_NEAR(own[0].distance, 32, 1e-9);
  EXPECT_NEAR(own[0].speed, -8, 1e-9);
}

TEST(RadarWorld, ItsOwnMotionCounts) {
  const auto found =
      detect("Solid { name \"wall\" translation 40 0 1 radarCrossSection 1 }", "", 125,
             "controller \"<none>\" linearVelocity 8 0 0 physics Physics { mass 1 density "
             "-1 } boundingObject Box { size 0.2 0.2 0.2 } radarCrossSection 1");
  ASSERT_EQ(found.size(), 1u);  // not the robot itself
  EXPECT_NEAR(found[0].distance, 32, 1e-9);
  EXPECT_NEAR(found[0].speed, -8, 1e-9);
}

TEST(RadarWorld, WallsHideTargetsAndTheirOwnPartsDoNot) {
  const std::string target =
      "Solid { name \"car\" translation 20 0 1 radarCrossSection 1 boundingObject Box { size 4 2 1 "
      "} "
      "children [ Solid { name \"bumper\" translation -3 0 0 boundingObject Box { size 1 2 1 } } ] "
      "} ";
  const std::string wall =
      "Solid { name \"wall\" translation 10 0 1 boundingObject Box { size 1 9 9 } } ";
  EXPECT_EQ(detect(target, "occlusion TRUE").size(), 1u);
  EXPECT_EQ(detect(target + wall, "occlusion TRUE").size(), 0u);
  EXPECT_EQ(detect(target + wall, "").size(), 1u);
}

TEST(RadarWorld, WhatIsFixedToATargetBelongsToItsBox) {
  // The load is a Solid 20 m behind the origin of a lorry, fixed to it or on a joint.
  const auto lorry = [](const std::string& children) {
    return "Solid { name \"lorry\" translation 60 0 1 radarCrossSection 1 "
           "boundingObject Box { size 2 2 2 } children [ " +
           children + " ] }";
  };
  const std::string load =
      "Solid { name \"load\" translation -20 0 0 boundingObject Box { size 2 2 2 } }";
  EXPECT_EQ(detect(lorry(""), "").size(), 0u);  // beyond 50 m
  const auto found = detect(lorry(load), "");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].distance, 50, 1e-9);  // the middle of 39 m to 61 m
  const auto trailer =
      "HingeJoint { jointParameters HingeJointParameters { } endPoint " + load + " }";
  const auto with_trailer = detect(lorry(trailer), "");
  ASSERT_EQ(with_trailer.size(), 1u);
  EXPECT_NEAR(with_trailer[0].distance, 50, 1e-9);
}

TEST(RadarWorld, WhatHangsOnATargetsJointsBelongsToItsBoxWhereItIs) {
  // The end of a boom of 20 m turns about the middle of a crane by 1 rad/s; on it stands a lamp.
  const std::string crane =
      "Solid { name \"crane\" translation 50 0 1 radarCrossSection 1 "
      "boundingObject Box { size 2 2 2 } children [ HingeJoint { "
      "jointParameters HingeJointParameters { axis 0 0 1 } endPoint Solid { name \"boom\" "
      "translation -20 0 0 linearVelocity 0 -20 0 angularVelocity 0 0 1 "
      "physics Physics { mass 1 density -1 } boundingObject Box { size 2 2 2 } "
      "children [ SliderJoint { jointParameters JointParameters { axis 0 0 1 } "
      "endPoint Solid { name \"lamp\" translation 0 0 2 linearVelocity 0 -20 0 "
      "angularVelocity 0 0 1 boundingObject Box { size 1 1 1 } "
      "physics Physics { mass 0.01 density -1 } } } ] } } ] }";
  for (const int steps : {1, 62}) {
    const double angle = 0.008 * steps;
    const auto found = detect(crane, "", steps);
    ASSERT_EQ(found.size(), 1u);
    const double half = std::cos(angle) + std::sin(angle);  // of the boom's end, across
    const double x = (50 - 20 * std::cos(angle) - half + 51) / 2;
    const double y = (-20 * std::sin(angle) - half + 1) / 2;
    EXPECT_NEAR(found[0].distance, std::hypot(x, y, 0.75), 0.01) << steps;
    EXPECT_NEAR(found[0].azimuth, 0, 1e-9) << "that of its origin";
  }
}

TEST(RadarWorld, ABoxFollowsSolidsThatRestAndAreMoved) {
  const std::string mast =
      "Solid { name \"mast\" translation 40 0 1 radarCrossSection 1 "
      "boundingObject Box { size 2 2 2 } children [ Solid { name \"cabin\" translation -10 0 0 "
      "linearVelocity 10 0 0 boundingObject Box { size 2 2 2 } } ] }";
  const auto found = detect(mast, "", 125);  // 1 s
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].distance, 40, 1e-9);
}

TEST(RadarWorld, TheGroundUnderATargetDoesNotHideIt) {
  const std::string car =
      "Solid { name \"floor\" boundingObject Plane { } } "
      "Solid { name \"car\" translation 20 0 -0.01 radarCrossSection 1 "
      "boundingObject Pose { translation 0 0 0.8 children [ Box { size 4 2 1.5 } ] } }";
  EXPECT_EQ(detect(car, "occlusion TRUE").size(), 1u);
}

TEST(RadarWorld, ACornerInTheFieldIsEnough) {
  // The middle is at 0.45 rad, outside of 0.78 / 2; the corner nearest to the axis at 0.16 rad.
  const std::string box = "boundingObject Box { size 4 6 1 } ";
  const std::string at = "Solid { name \"lorry\" translation 20 -9.6 1 radarCrossSection 1 ";
  EXPECT_EQ(detect(at + "}", "").size(), 0u);
  const auto found = detect(at + box + "}", "");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found[0].azimuth, 0.39, 1e-12);  // held at the border
}

}  // namespace
}  // namespace protobeam
