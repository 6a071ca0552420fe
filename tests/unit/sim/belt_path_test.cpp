#include "sim/belt_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/temporary_folder.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

TEST(BeltPath, AroundTwoWheelsIsAStadium) {
  const BeltPath path({{{-1, 0.5}, 0.25, true}, {{1, 0.5}, 0.25, true}});
  EXPECT_NEAR(path.length(), 2 * 2 + 2 * kPi * 0.25, 1e-12);
  // On top to +x, around the front wheel, and back below.
  const auto at = [&](double s) { return path.pose_T(s); };
  EXPECT_NEAR((at(0).p - Vec3(-1, 0, 0.75)).norm(), 0, 1e-12);
  EXPECT_NEAR((at(1).p - Vec3(0, 0, 0.75)).norm(), 0, 1e-12);
  EXPECT_NEAR((at(2 + kPi * 0.125).p - Vec3(1.25, 0, 0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR((at(2 + kPi * 0.25 + 1).p - Vec3(0, 0, 0.25)).norm(), 0, 1e-12);
  EXPECT_NEAR((at(1).R * Vec3::UnitX() - Vec3::UnitX()).norm(), 0, 1e-12);
  EXPECT_NEAR((at(2 + kPi * 0.125).R * Vec3::UnitX() + Vec3::UnitZ()).norm(), 0, 1e-9);  // down
  EXPECT_NEAR((at(2 + kPi * 0.25 + 1).R * Vec3::UnitX() + Vec3::UnitX()).norm(), 0, 1e-9);
  EXPECT_NEAR((at(1 - 3 * path.length()).p - at(1).p).norm(), 0, 1e-9);
}

TEST(BeltPath, HasNoGapsAndMovesAsFarAsItSays) {
  // The concave belt of Webots' reference of Track, and a convex one of three sizes.
  for (const std::vector<BeltWheel>& wheels :
       {std::vector<BeltWheel>{
            {{-0.4, 0}, 0.2, true}, {{0, 0.14}, 0.1, false}, {{0.4, 0}, 0.2, true}},
        std::vector<BeltWheel>{
            {{-0.4, 0.4}, 0.2, true}, {{0.4, 0.4}, 0.15, true}, {{0, 0.1}, 0.05, true}}}) {
    const BeltPath path(wheels);
    const int count = 4000;
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      const Pose a = path.pose_T(path.length() * i / count),
                 b = path.pose_T(path.length() * (i + 1) / count);
      const double step = (b.p - a.p).norm();
      EXPECT_LT(step, 1.001 * path.length() / count);
      EXPECT_LT(a.R.angularDistance(b.R), 0.05);
      // Along the belt's own direction.
      EXPECT_NEAR((a.R * Vec3::UnitX()).dot((b.p - a.p) / step), 1, 1e-3);
      sum += step;
      // Never inside a wheel.
      for (const BeltWheel& wheel : wheels) {
        EXPECT_GE((Vec2(a.p.x(), a.p.z()) - wheel.centre).norm(), wheel.radius - 1e-9);
      }
    }
    EXPECT_NEAR(sum, path.length(), 1e-5 * path.length());
  }
}

/// Webots allows it.
TEST(BeltPath, AroundOneWheelIsACircleFromItsTop) {
  for (const bool inner : {true, false}) {
    const BeltPath path({{{1, 2}, 0.5, inner}});
    EXPECT_NEAR(path.length(), kPi, 1e-12);
    EXPECT_NEAR((path.pose_T(0).p - Vec3(1, 0, 2.5)).norm(), 0, 1e-12);
    EXPECT_NEAR((path.pose_T(kPi / 4).p - Vec3(1.5, 0, 2)).norm(), 0, 1e-12);  // to +x on top
    EXPECT_NEAR((path.pose_T(kPi / 4).R * Vec3::UnitX() + Vec3::UnitZ()).norm(), 0, 1e-9);
    EXPECT_NEAR((path.pose_T(-kPi / 4).p - Vec3(0.5, 0, 2)).norm(), 0, 1e-12);
  }
}

TEST(BeltPath, NeedsRoomBetweenItsWheels) {
  EXPECT_THAT(message_of<std::invalid_argument>([] { BeltPath({}); }),
              testing::HasSubstr("needs TrackWheels"));
  EXPECT_THAT(message_of<std::invalid_argument>([] {
                BeltPath({{{0, 0}, 1, true}, {{0.5, 0}, 0.1, true}});
              }),
              testing::HasSubstr("TrackWheels 1 and 2 are too near"));
}

TEST(TrackWheels, HaveTheirAxisAcrossTheTrack) {
  WorldText world;
  Simulation& simulation = world.load(
      "Robot { children [ Track { children [\n"
      "  TrackWheel { position -1 0 radius 0.1 children [ Shape { geometry Cylinder { radius 0.1 "
      "height 0.04 } } ] }\n"
      "  TrackWheel { position 1 0 radius 0.1 children [ Shape { geometry Cylinder { radius 0.1 "
      "height 0.04 } } ] }\n"
      "] } ] }");
  const auto range = [&](const Vec3& from, const Eigen::Vector3f& d) {
    RayBatch batch;
    batch.X_WS = Pose::translation(from);
    batch.dx = &d.x(), batch.dy = &d.y(), batch.dz = &d.z();
    batch.count = batch.packet = 1;
    float out = 0;
    simulation.model().visible->cast(batch, [&](const RayBlock& block) { out = block.range[0]; });
    return out;
  };
  for (const double x : {-1.0, 1.0}) {
    EXPECT_NEAR(range({x + 0.05, 1, 0.05}, {0, -1, 0}), 0.98, 1e-6);
    EXPECT_NEAR(range({x, 0.01, 1}, {0, 0, -1}), 0.9, 1e-6);
    EXPECT_TRUE(std::isinf(range({x, 0.05, 1}, {0, 0, -1})));
  }
}

}  // namespace
}  // namespace protobeam
