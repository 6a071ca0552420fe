#include "geometry/immersion.h"

#include <gtest/gtest.h>

#include <cmath>

namespace protobeam {
namespace {

const HalfSpace kWater{Vec3::UnitZ(), 0};

TEST(Immersion, OfABoxThatFloatsUpright) {
  const Immersion part = immersion(Box{{2, 3, 4}}, Pose::translation({5, 6, 1}), kWater);
  EXPECT_NEAR(part.volume, 2 * 3 * 1, 1e-12);  // its bottom is 1 m deep
  EXPECT_NEAR((part.centre - Vec3(5, 6, -0.5)).norm(), 0, 1e-12);
  EXPECT_NEAR(part.area, 2 * 3 + 2 * (2 + 3) * 1, 1e-12);
  EXPECT_NEAR(part.full_area, 2 * (2 * 3 + 2 * 4 + 3 * 4), 1e-12);
  EXPECT_NEAR(part.projected_area.x(), 3 * 1, 1e-12);
  EXPECT_NEAR(part.projected_area.y(), 2 * 1, 1e-12);
  EXPECT_NEAR(part.projected_area.z(), 2 * 3, 1e-12);
}

TEST(Immersion, OfABoxOnItsEdge) {
  // A square prism, cut along its diagonal: half of it, whose centre is a third of the height deep.
  const Pose X{axis_angle(Vec3::UnitX(), kPi / 4), Vec3::Zero()};
  const Immersion part = immersion(Box{{2, 1, 1}}, X, kWater);
  EXPECT_NEAR(part.volume, 1, 1e-12);
  EXPECT_NEAR((part.centre - Vec3(0, 0, -std::sqrt(0.5) / 3)).norm(), 0, 1e-12);
}

TEST(Immersion, OfASphereIsACap) {
  for (const double depth : {0.1, 0.7, 1.0, 1.9}) {
    const Immersion part = immersion(Sphere{1}, Pose::translation({0, 0, 1 - depth}), kWater);
    EXPECT_NEAR(part.volume, kPi * depth * depth * (3 - depth) / 3, 1e-12);
    EXPECT_NEAR(part.area, 2 * kPi * depth, 1e-12);
  }
  // A half sphere seen from its side and from below; a half sphere's centre is 3/8 of the radius
  // from its flat side.
  EXPECT_NEAR(immersion(Sphere{2}, Pose{}, kWater).centre.z(), -0.75, 1e-12);
  const Vec3 half = immersion(Sphere{2}, Pose{}, kWater).projected_area;
  EXPECT_NEAR((half - kPi * Vec3(2, 2, 4)).norm(), 0, 1e-12);
}

TEST(Immersion, AgreesWithASlicedMesh) {
  // The same sphere as triangles.
  const Mesh ball = triangulated(Sphere{1}, 96);
  const Pose X = Pose::translation({0.3, 0, 0.4});
  const Immersion exact = immersion(Sphere{1}, X, kWater), cut = immersion(ball, X, kWater);
  EXPECT_NEAR(cut.volume, exact.volume, 3e-3 * exact.volume);
  EXPECT_NEAR(cut.area, exact.area, 3e-3 * exact.area);
  EXPECT_NEAR((cut.centre - exact.centre).norm(), 0, 1e-3);
}

TEST(Immersion, IsExactForWhatIsWhollyUnderWater) {
  const Pose deep{axis_angle(Vec3(1, 2, 3).normalized(), 1), {0, 0, -20}};
  const auto volume = [&](const Geometry& g) { return immersion(g, deep, kWater).volume; };
  EXPECT_NEAR(volume(Cylinder{0.5, 2}), kPi * 0.25 * 2, 1e-12);
  EXPECT_NEAR(volume(Capsule{0.5, 2}), kPi * (0.25 * 2 + 4.0 / 3 * 0.125), 1e-12);
  EXPECT_NEAR(volume(Sphere{0.5}), kPi * 4.0 / 3 * 0.125, 1e-12);
  EXPECT_NEAR(volume(Box{{1, 2, 3}}), 6, 1e-12);
  const Immersion cylinder = immersion(Cylinder{0.5, 2}, deep, kWater);
  EXPECT_NEAR(cylinder.area, 2 * kPi * 0.5 * 2.5, 1e-12);
  EXPECT_NEAR((cylinder.centre - deep.p).norm(), 0, 1e-9);
  EXPECT_EQ(volume(Plane{}), 0);
}

TEST(Immersion, IsNothingAboveTheSurface) {
  for (const Geometry& g : {Geometry(Sphere{1}), Geometry(Box{}), Geometry(Cylinder{})}) {
    const Immersion none = immersion(g, Pose::translation({0, 0, 2}), kWater);
    EXPECT_EQ(none.volume, 0);
    EXPECT_EQ(none.area, 0);
    EXPECT_GT(none.full_area, 0);
  }
}

TEST(Immersion, LooksAlongTheNormalOfTheSurface) {
  // y is up, and the surface at 3.
  const Immersion part =
      immersion(Box{{2, 2, 2}}, Pose::translation({0, 3.5, 0}), {Vec3::UnitY(), 3});
  EXPECT_NEAR(part.volume, 2 * 2 * 0.5, 1e-12);
  EXPECT_NEAR(part.centre.y(), 2.75, 1e-12);
}

// Water that is everywhere has its surface far above.
TEST(Immersion, IsExactHoweverDeep) {
  const Pose X{axis_angle({1, 2, 3}, 0.7), {-0.6, 0.3, 0.1}};
  for (const Geometry& g : {Geometry(Box{{0.08, 0.08, 0.08}}), Geometry(Cylinder{0.05, 0.1}),
                            Geometry(Capsule{0.05, 0.1})}) {
    const Immersion near = immersion(g, X, {Vec3::UnitZ(), 1});
    const Immersion deep = immersion(g, X, {Vec3::UnitZ(), 1e6});
    EXPECT_LT((near.centre - X.p).norm(), 1e-12);
    EXPECT_LT((deep.centre - X.p).norm(), 1e-12);
    EXPECT_NEAR(deep.volume, near.volume, 1e-12);
  }
}

}  // namespace
}  // namespace protobeam
