// A body whose state is no longer finite must not spoil the world.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

physics::BodyId body_named(const Simulation& simulation, const std::string& name) {
  const auto& physics = *simulation.model().physics;
  for (physics::BodyId body = 0; body < physics.body_count(); ++body) {
    if (physics.body_name(body) == name) return body;
  }
  throw std::runtime_error("no body " + name);
}

TEST(BrokenBody, StandsStillAndTheOthersGoOn) {
  // Each stands on the ball below, and the arm hangs on the upper one.
  WorldText world;
  Simulation& simulation = world.load(R"(
Solid { name "lower" translation 0 0 1 boundingObject Sphere { radius 0.5 } physics Physics { } }
Robot { name "upper" translation 0 0 2 boundingObject Sphere { radius 0.5 } physics Physics { }
  children [ HingeJoint {
    jointParameters HingeJointParameters { axis 1 0 0 }
    endPoint Solid { name "arm" translation 1 0 0 boundingObject Box { size 1 0.1 0.1 }
      physics Physics { } } } ] }
Solid { name "other" translation 9 0 5 boundingObject Sphere { radius 0.5 } physics Physics { } }
)",
                                      "gravity 9.81");
  auto& physics = *simulation.model().physics;
  const auto upper = body_named(simulation, "upper"), other = body_named(simulation, "other");
  const auto arm = body_named(simulation, "arm");
  for (int i = 0; i < 3; ++i) simulation.step();
  EXPECT_THAT(simulation.broken_bodies(), testing::IsEmpty());
  const Vec3 before = physics.pose(upper).p;
  physics.set_velocity(upper, Vec3::Constant(std::numeric_limits<double>::infinity()),
                       Vec3::Zero());
  const double start = simulation.time();
  while (simulation.time() < start + 0.5) simulation.step();
  EXPECT_THAT(simulation.broken_bodies(), testing::Contains("upper"));
  EXPECT_LT((physics.pose(upper).p - before).norm(), 1e-9);
  for (physics::BodyId body = 0; body < physics.body_count(); ++body) {
    EXPECT_TRUE(physics.pose(body).p.allFinite()) << physics.body_name(body);
    EXPECT_TRUE(physics.velocity(body).allFinite()) << physics.body_name(body);
  }
  EXPECT_TRUE(physics.pose(arm).p.allFinite());
  // Free fall for all the time: 5 m - g t^2 / 2.
  const double t = simulation.time();
  EXPECT_NEAR(physics.pose(other).p.z(), 5 - 9.81 * t * t / 2, 0.1);
}

}  // namespace
}  // namespace protobeam
