// Joints between bodies that stand apart in the text, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

const std::string kBall = R"(Solid { name "ball" boundingObject Sphere { radius 0.1 }
  physics Physics { density -1 mass 2 damping Damping { linear 0 angular 0 } } )";

class LinkTest : public testing::Test {
 protected:
  Simulation& load(const std::string& text, double gravity = kGravity) {
    simulation_ = &world_.load(text, "gravity " + std::to_string(gravity));
    return *simulation_;
  }
  std::string error(const std::string& text) {
    return message_of<std::runtime_error>([&] { world_.load(text); });
  }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }
  Vec3 position(const std::string& name) { return physics().pose(body(name)).p; }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(LinkTest, ARodKeepsItsLengthAndSwingsLikeAPendulum) {
  const double length = 2, angle = 0.05;
  load(kBall + "translation " + std::to_string(length * std::sin(angle)) + " 0 " +
       std::to_string(3 - length * std::cos(angle)) +
       " } DistanceJoint { bodyA \"ball\" anchorB 0 0 3 minLength 2 maxLength 2 }");
  // A rod that starts at rest at a small angle comes back after 2 pi sqrt(L / g) = 2.837 s. The
  // ball hangs by its centre, so it does not turn.
  const double period = 2 * kPi * std::sqrt(length / kGravity) * (1 + angle * angle / 16);
  double last = -1, crossed = 0;
  for (int step = 1; crossed == 0 && step < 1000; ++step) {
    simulation_->step();
    const Vec3 p = position("ball");
    ASSERT_NEAR((p - Vec3(0, 0, 3)).norm(), length, 2e-4);
    const double v = physics().velocity(body("ball")).x();
    if (step > 50 && last < 0 && v > 0) last = v;  // half a period: it turns round at the far side
    if (last > 0 && v <= 0) crossed = step * 0.008;
  }
  EXPECT_NEAR(crossed, period, 0.012);
}

TEST_F(LinkTest, ARopeOnlyPulls) {
  load(kBall + "translation 0 0 3 } DistanceJoint { bodyA \"ball\" anchorB 0 0 3 maxLength 1.5 }");
  for (int i = 0; i < 40; ++i) simulation_->step();  // 0.32 s of free fall: 0.5 m
  const double t = 40 * 0.008;
  EXPECT_NEAR(position("ball").z(), 3 - kGravity * t * t / 2, 0.005);
  for (int i = 0; i < 500; ++i) simulation_->step();
  EXPECT_NEAR(position("ball").z(), 1.5, 1e-3);
}

TEST_F(LinkTest, ASpringStretchesByForceOverConstant) {
  load("Solid { name \"floor\" boundingObject Box { size 1 1 0.1 } }\n" + kBall +
       "translation 0 0 1.5 } DistanceJoint { bodyA \"floor\" anchorA 0 0 0.05 bodyB \"ball\" "
       "maxLength 2 springConstant 100 dampingConstant 20 }");
  for (int i = 0; i < 2000; ++i) simulation_->step();
  // Compressed from 2 m above the floor's top by m g / k.
  EXPECT_NEAR(position("ball").z(), 0.05 + 2 - 2 * kGravity / 100, 1e-3);
}

TEST_F(LinkTest, ATrailerFollowsOnACircleAboutItsHitch) {
  load("Solid { name \"car\" boundingObject Box { size 2 1 1 } physics Physics { density -1 mass 1000 "
       "damping Damping { linear 0 angular 0 } } }\n"
       "Solid { name \"trailer\" translation -3 0 0 boundingObject Box { size 2 1 1 } "
       "physics Physics { density -1 mass 100 damping Damping { linear 0 angular 0 } } "
       "linearVelocity 0 1 0 }\n"
       "RevoluteJoint { bodyA \"car\" anchorA -1.5 0 0 bodyB \"trailer\" anchorB 1.5 0 0 "
       "minStop -0.5 maxStop 0.5 }",
       0);
  double widest = 0;
  for (int i = 0; i < 400; ++i) {
    simulation_->step();
    const Pose car = physics().pose(body("car")), trailer = physics().pose(body("trailer"));
    ASSERT_NEAR((car * Vec3(-1.5, 0, 0) - trailer * Vec3(1.5, 0, 0)).norm(), 0, 1e-3);
    widest = std::max(widest, car.R.angularDistance(trailer.R));
  }
  EXPECT_NEAR(widest, 0.5, 0.01);
}

TEST_F(LinkTest, MistakesAreNamed) {
  const std::string two = kBall + "}\n";
  EXPECT_THAT(error(two + "DistanceJoint { bodyA \"bal\" }"), HasSubstr("no Solid has the name 'bal'"));
  EXPECT_THAT(error(two + "DistanceJoint { bodyA \"ball\" bodyB \"ball\" }"),
              HasSubstr("its ends belong to the same one"));
  EXPECT_THAT(error("Solid { name \"a\" } DistanceJoint { bodyA \"a\" bodyB \"a\" }"),
              HasSubstr("its ends belong to the same one"));
  EXPECT_THAT(error(two + two + "RevoluteJoint { bodyA \"ball\" }"),
              HasSubstr("two Solids have the name 'ball'"));
  EXPECT_THAT(error(two + "RevoluteJoint { bodyA \"ball\" axis 0 0 0 }"), HasSubstr("must not be 0 0 0"));
  EXPECT_THAT(error(two + "DistanceJoint { bodyA \"ball\" minLength 3 maxLength 2 }"),
              HasSubstr("must be at most 'maxLength'"));
  EXPECT_THAT(error("KeyframeAnimation { times [ 0 ] endPoint Solid { name \"k\" } } "
                    "DistanceJoint { bodyA \"k\" }"),
              HasSubstr("needs a body with Physics"));
}

}  // namespace
}  // namespace protobeam
