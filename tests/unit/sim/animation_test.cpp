// Keyframes against closed forms: where a body is, how fast, and what that does to others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class AnimationTest : public testing::Test {
 protected:
  Simulation& load(const std::string& text, const std::string& info = "gravity 0") {
    simulation_ = &world_.load(text, info);
    return *simulation_;
  }
  std::string error(const std::string& text) {
    return message_of<std::runtime_error>([&] { world_.load(text); });
  }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }
  Pose pose(const std::string& name) { return physics().pose(body(name)); }
  physics::World& physics() { return *simulation_->model().physics; }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) simulation_->step();
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

// Steps of 8 ms; keyframes at whole numbers of steps.
TEST_F(AnimationTest, MovesOnStraightLinesBetweenItsKeyframes) {
  load(R"(Pose { translation 5 0 1 rotation 0 0 1 1.5707963267948966 children [
    KeyframeAnimation { times [ 0 0.8 1.6 ] translations [ 0 0 0, 2 0 0, 2 4 0 ] loop FALSE
      endPoint Solid { name "s" boundingObject Sphere { radius 0.1 } } } ] })");
  const Vec3 start(5, 0, 1);  // x of the keyframes is the world's y
  for (int step = 1; step <= 300; ++step) {
    run(1);
    const double t = step * 0.008;
    const Vec3 p_A(std::min(t, 0.8) / 0.8 * 2, std::clamp(t - 0.8, 0.0, 0.8) / 0.8 * 4, 0);
    const Vec3 expected = start + Vec3(-p_A.y(), p_A.x(), 0);
    ASSERT_NEAR((pose("s").p - expected).norm(), 0, 1e-9) << t;
    const Vec3 v = t < 0.8004 ? Vec3(0, 2.5, 0) : t < 1.6004 ? Vec3(-5, 0, 0) : Vec3(0, 0, 0);
    ASSERT_NEAR((physics().velocity(body("s")) - v).norm(), 0, 1e-6) << t;
  }
}

TEST_F(AnimationTest, TurnsEvenlyTheShorterWayRound) {
  load(R"(KeyframeAnimation { times [ 0 0.8 ] rotations [ 0 0 1 3, 0 0 1 -3 ] loop FALSE
      endPoint Solid { name "s" translation 1 2 3 } })");
  const double turn = 2 * kPi - 6;  // from 3 rad on to -3 rad, through pi
  run(50);
  EXPECT_NEAR(pose("s").R.angularDistance(axis_angle(Vec3::UnitZ(), 3 + turn / 2)), 0, 1e-9);
  EXPECT_NEAR((physics().angular_velocity(body("s")) - Vec3(0, 0, turn / 0.8)).norm(), 0, 1e-7);
  run(100);
  EXPECT_NEAR(pose("s").R.angularDistance(axis_angle(Vec3::UnitZ(), -3)), 0, 1e-9);
  EXPECT_EQ(physics().angular_velocity(body("s")).norm(), 0);
  EXPECT_EQ(pose("s").p, Vec3(1, 2, 3));
}

TEST_F(AnimationTest, LoopsAndJumpsBackWhereTheEndIsNotTheStart) {
  load(R"(KeyframeAnimation { times [ 0 0.8 ] translations [ 0 0 0, 4 0 0 ]
      endPoint Solid { name "s" } })");
  for (int step = 1; step <= 400; ++step) {
    run(1);
    const double share = (step % 100) / 100.0;
    ASSERT_NEAR(pose("s").p.x(), 4 * share, 1e-9) << step;
    ASSERT_NEAR(physics().velocity(body("s")).x(), step % 100 == 0 ? 0 : 5, 1e-6) << step;
  }
}

TEST_F(AnimationTest, CarriesOtherAnimations) {
  load(R"(KeyframeAnimation { times [ 0 2 ] translations [ 0 0 0, 2 0 0 ] loop FALSE
    endPoint Solid { name "trunk" children [
      KeyframeAnimation { times [ 0 2 ] rotations [ 0 0 1 0, 0 0 1 1 ] loop FALSE
        endPoint Solid { name "arm" translation 0 1 0 children [
          Solid { name "hand" translation 1 0 0 boundingObject Sphere { radius 0.1 } } ] } } ] } })");
  run(125);  // 1 s
  const Pose arm = pose("arm");
  EXPECT_NEAR((arm.p - Vec3(1, 1, 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((arm * Vec3(1, 0, 0) - Vec3(1 + std::cos(0.5), 1 + std::sin(0.5), 0)).norm(), 0, 1e-9);
  EXPECT_NEAR((physics().velocity(body("arm")) - Vec3(1, 0, 0)).norm(), 0, 1e-6);
  EXPECT_NEAR(physics().angular_velocity(body("arm")).z(), 0.5, 1e-7);
}

TEST_F(AnimationTest, PushesWhatIsInItsWay) {
  load(R"(Solid { name "floor" boundingObject Plane { } }
    Solid { name "box" translation 1 0 0.2 boundingObject Box { size 0.4 0.4 0.4 }
            physics Physics { density -1 mass 5 } }
    KeyframeAnimation { times [ 0 4 ] translations [ 0 0 0, 2 0 0 ] loop FALSE
      endPoint Solid { name "ram" translation 0 0 0.2 boundingObject Box { size 0.4 0.4 0.2 } } })",
       "gravity 9.81");
  run(500);  // 4 s: the ram's front stands at 2.2
  EXPECT_NEAR(pose("box").p.x(), 2.4, 0.01);
  EXPECT_NEAR((pose("ram").p - Vec3(2, 0, 0.2)).norm(), 0, 1e-9);
  run(1);
  EXPECT_EQ(physics().velocity(body("ram")).norm(), 0);
}

TEST_F(AnimationTest, CarriesARobotWithItsDevices) {
  load(R"(KeyframeAnimation { times [ 0 1 ] translations [ 0 0 0, 3 0 0 ] loop FALSE
    endPoint Robot { name "r" controller "<none>" translation 0 0 2 children [ GPS { } ] } })");
  Device& device = device_named(*simulation_, "gps");
  simulation_->enable(device, 0.008);
  run(50);
  double values[7];
  std::memcpy(values, device.data.data(), sizeof values);
  EXPECT_NEAR(values[0], 3 * 0.4, 1e-9);
  EXPECT_NEAR(values[2], 2, 1e-9);
  EXPECT_NEAR(values[3], 3, 1e-6);  // speed
}

TEST_F(AnimationTest, MistakesAreNamed) {
  const std::string end = " endPoint Solid { } }";
  EXPECT_THAT(error("KeyframeAnimation { times [ 0 1 1 ]" + end),
              HasSubstr("field 'times' of KeyframeAnimation must rise, got 1 and then 1 (number 3)"));
  EXPECT_THAT(error("KeyframeAnimation {" + end), HasSubstr("needs a time or more"));
  EXPECT_THAT(error("KeyframeAnimation { times [ -1 1 ]" + end), HasSubstr("must be >= 0"));
  EXPECT_THAT(error("KeyframeAnimation { times [ 0 1 ] translations [ 0 0 0 ]" + end),
              HasSubstr("field 'translations' of KeyframeAnimation needs one for each of the 2 "
                        "times, got 1"));
  EXPECT_THAT(error("KeyframeAnimation { times [ 0 nan ]" + end), HasSubstr("nan"));
  EXPECT_THAT(error("KeyframeAnimation { times [ 0 ] endPoint Solid { boundingObject Sphere { } "
                    "physics Physics { } } }"),
              HasSubstr("remove its Physics"));
  EXPECT_THAT(error("Solid { boundingObject Sphere { } physics Physics { } children [ "
                    "KeyframeAnimation { times [ 0 ]" + end + " ] }"),
              HasSubstr("hangs on the world or on another KeyframeAnimation"));
}

}  // namespace
}  // namespace protobeam
