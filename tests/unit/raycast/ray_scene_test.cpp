#include "raycast/ray_scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "closed_form.h"
#include "random_rays.h"

namespace protobeam {
namespace {

using test::closed_form;
using test::kInf;
using test::one;
using test::RandomRays;
using test::Scan;

/// Rays from around and inside a shape at any pose, `world` away from the origin of coordinates.
void compare_with_closed_form(const Geometry& geometry, int packet, const Vec3& world) {
  RandomRays random(3);
  const Pose X_WB{random.rotation(), world + random.in_box(5)};
  const Pose X_BS{random.rotation(), random.in_box(0.5)};
  const auto scene = make_embree_scene({1});
  scene->add(one(geometry, X_BS), X_WB);
  const Pose X_GW = (X_WB * X_BS).inverse();
  int hits = 0, silhouettes = 0;
  for (int round = 0; round < 12; ++round) {
    // Inside, near, far.
    const double away = round % 3 == 0 ? 0.3 : round % 3 == 1 ? 4 : 90;
    const Vec3 center_W = X_WB * X_BS.p;
    const Pose X_WS{random.rotation(), center_W + random.in_box(away)};
    Scan scan;
    for (int i = 0; i < 1003; ++i) {
      const Vec3 target = center_W + random.in_box(1.6);
      scan.add((X_WS.R.conjugate() * (target - X_WS.p)).normalized());
    }
    scan.cast(*scene, X_WS, packet);
    const Vec3 o = X_GW * X_WS.p;
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const Vec3 d = X_GW.R * (X_WS.R * scan.direction(i));
      const double expected = closed_form(geometry, o, d);
      const double off = std::abs(scan.range[i] - expected);
      if (std::isinf(expected) != std::isinf(scan.range[i])) {
        ++silhouettes;  // a ray along the outline may fall on either side of it
      } else if (!std::isinf(expected)) {
        ++hits;
        // Half a unit in the last place of a float at 150 m, and the pose arithmetic far away.
        ASSERT_LT(off, 8e-6 + 2e-9 * world.norm()) << "round " << round << " ray " << i;
      }
    }
  }
  EXPECT_GT(hits, 4000);
  EXPECT_LE(silhouettes, 3);
}

class Primitive : public testing::TestWithParam<int> {};
TEST_P(Primitive, BoxEqualsClosedForm) {
  compare_with_closed_form(Box{{1.5, 2, 2.5}}, GetParam(), Vec3::Zero());
}
TEST_P(Primitive, SphereEqualsClosedForm) {
  compare_with_closed_form(Sphere{1.2}, GetParam(), Vec3::Zero());
}
TEST_P(Primitive, CylinderEqualsClosedForm) {
  compare_with_closed_form(Cylinder{1, 2.2}, GetParam(), Vec3::Zero());
}
TEST_P(Primitive, CapsuleEqualsClosedForm) {
  compare_with_closed_form(Capsule{0.8, 1.2}, GetParam(), Vec3::Zero());
}
TEST_P(Primitive, ConeEqualsClosedForm) {
  compare_with_closed_form(Cone{1.6, 2.4}, GetParam(), Vec3::Zero());
}
TEST_P(Primitive, PlaneEqualsClosedForm) {
  compare_with_closed_form(Plane{{3, 4}}, GetParam(), Vec3::Zero());
}
INSTANTIATE_TEST_SUITE_P(Packets, Primitive, testing::Values(16, 8, 1));

TEST(RayScene, IsAsExactAtUtmCoordinates) {
  const Vec3 utm(500'000.125, 4'500'000.75, 321.5);
  compare_with_closed_form(Box{{1.5, 2, 2.5}}, 16, utm);
  compare_with_closed_form(Sphere{1.2}, 16, utm);
  compare_with_closed_form(Cylinder{1, 2.2}, 16, utm);
}

TEST(RayScene, IsExactForMeshesWhoseVerticesAreFarFromTheirBody) {
  Mesh wall;  // x = 4'500'010 in the body's frame
  const double x = 4'500'010.1;
  wall.vertices = {{x, -50, -50}, {x, 50, -50}, {x, 50, 50}, {x, -50, 50}};
  wall.triangles = {{0, 1, 2}, {0, 2, 3}};
  const auto scene = make_embree_scene({1});
  scene->add(one(wall), {});
  Scan scan;
  RandomRays random(5);
  for (int i = 0; i < 2000; ++i) {
    scan.add(Vec3(1, random.uniform(-2, 2), random.uniform(-2, 2)).normalized());
  }
  scan.cast(*scene, Pose::translation({4'500'000.3, 0, 0}));
  for (std::size_t i = 0; i < scan.size(); ++i) {
    ASSERT_NEAR(scan.range[i], 9.8 / scan.direction(i).x(), 5e-6);
  }
}

TEST(RayScene, IsExactWhereRaysGrazeTheGround) {
  // 1.8 m above a floor, hits from 5 to 120 m away, sensor tilted and turned in any way.
  RandomRays random(11);
  const auto scene = make_embree_scene({1});
  scene->add(one(Plane{{400, 400}}), {});
  for (int round = 0; round < 20; ++round) {
    const Pose X_WS{random.rotation(), {random.uniform(-9, 9), random.uniform(-9, 9), 1.8123}};
    Scan scan;
    for (int i = 0; i < 1000; ++i) {
      const double azimuth = random.uniform(-kPi, kPi), away = random.uniform(5, 120);
      const Vec3 d_W(away * std::cos(azimuth), away * std::sin(azimuth), -X_WS.p.z());
      scan.add((X_WS.R.conjugate() * d_W).normalized());
    }
    scan.cast(*scene, X_WS);
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const double expected = -X_WS.p.z() / (X_WS.R * scan.direction(i)).z();
      ASSERT_NEAR(scan.range[i], expected, 8e-6) << round << ' ' << i;
    }
  }
}

/// A square floor of n x n cells, two triangles each, in z = 0.
Mesh grid(int n, double cell) {
  Mesh mesh;
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j <= n; ++j)
      mesh.vertices.push_back({(i - n / 2) * cell, (j - n / 2) * cell, 0});
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto a = static_cast<std::uint32_t>(i * (n + 1) + j), b = a + n + 1;
      mesh.triangles.push_back({a, b, b + 1});
      mesh.triangles.push_back({a, b + 1, a + 1});
    }
  }
  return mesh;
}

TEST(RayScene, HasNoLeaksAlongSharedEdges) {
  const auto scene = make_embree_scene({1});
  scene->add(one(grid(64, 1.7)), {});
  const double height = 1.5;
  for (const Vec3& over : {Vec3(0, 0, height), Vec3(1.7, 3.4, height), Vec3(0.85, 0, height)}) {
    Scan scan;
    for (int k = 0; k < 8; ++k) {  // along edges and diagonals
      for (int i = 1; i < 3000; ++i) {
        const double away = i * 0.015;
        scan.add(
            Vec3(away * std::cos(k * kPi / 4), away * std::sin(k * kPi / 4), -height).normalized());
      }
    }
    for (const int packet : {16, 8, 1}) {
      scan.cast(*scene, Pose::translation(over), packet);
      for (std::size_t i = 0; i < scan.size(); ++i) {
        ASSERT_NEAR(scan.range[i], -height / scan.direction(i).z(), 1e-5) << packet << ' ' << i;
      }
    }
  }
}

TEST(RayScene, LosesAtMostHalfAPercentOfGrazingRaysAimedAtVertices) {
  // Within micrometres of a vertex no test of edges in float is watertight.
  const auto scene = make_embree_scene({1});
  scene->add(one(grid(64, 1.7)), {});
  for (const Vec3& over : {Vec3(0, 0, 1.5), Vec3(1.7, 3.4, 1.5), Vec3(0.3, 0.8, 1.5)}) {
    Scan scan;
    for (int i = -25; i <= 25; ++i) {
      for (int j = -25; j <= 25; ++j) scan.add((Vec3(i * 1.7, j * 1.7, 0) - over).normalized());
    }
    scan.cast(*scene, Pose::translation(over));
    EXPECT_LE(std::count(scan.range.begin(), scan.range.end(), kInf), 13);
  }
}

TEST(RayScene, PlacesInstancesOfTheSameShapeMovesAndHidesThem) {
  const auto scene = make_embree_scene({1});
  const auto ball = one(Sphere{0.5});
  const auto left = scene->add(ball, Pose::translation({0, 5, 0}));
  const auto front = scene->add(ball, Pose::translation({7, 0, 0}));
  Scan scan;
  scan.add({1, 0, 0});
  scan.add({0, 1, 0});
  scan.add({0, 0, 1});
  const auto ranges = [&] {
    scan.cast(*scene, {}, 16, true);
    return scan.range;
  };
  using Ranges = std::vector<float>;
  EXPECT_EQ(ranges(), (Ranges{6.5f, 4.5f, kInf}));
  EXPECT_EQ(scan.instance, (std::vector<std::uint32_t>{front, left, kNoHit}));
  scene->set_pose(front, Pose::translation({0, 0, 3}));
  EXPECT_EQ(ranges(), (Ranges{kInf, 4.5f, 2.5f}));
  scene->set_visible(left, false);
  EXPECT_EQ(ranges(), (Ranges{kInf, kInf, 2.5f}));
  scene->set_pose(left, Pose::translation({0, 9, 0}));
  EXPECT_EQ(ranges(), (Ranges{kInf, kInf, 2.5f}));
  scene->set_visible(left, true);
  EXPECT_EQ(ranges(), (Ranges{kInf, 8.5f, 2.5f}));
}

TEST(RayScene, SurvivesPosesThatAreNotNumbers) {
  const auto scene = make_embree_scene({1});
  const auto ball = scene->add(one(Sphere{0.5}), Pose::translation({0, 5, 0}));
  scene->add(one(Box{{1, 1, 1}}), Pose::translation({5, 0, 0}));
  scene->set_pose(ball, Pose::translation({NAN, 5, 0}));
  Scan scan;
  scan.add({1, 0, 0});
  scan.add({0, 1, 0});
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range, (std::vector<float>{4.5f, kInf}));
  scan.cast(*scene, Pose::translation({NAN, 0, 0}));
  EXPECT_EQ(scan.range, (std::vector<float>{kInf, kInf}));
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range, (std::vector<float>{4.5f, kInf}));
}

TEST(RayScene, FollowsASensorOnALongWay) {
  // The float coordinates move along; the walls are where they are.
  const auto scene = make_embree_scene({1});
  for (int i = 0; i < 20; ++i) {
    scene->add(one(Box{{1, 1, 1}}), Pose::translation({i * 1000.0 + 0.1, 3.3, 0}));
  }
  Scan scan;
  scan.add({0, 1, 0});
  for (int i = 0; i < 20; ++i) {
    scan.cast(*scene, Pose::translation({i * 1000.0 + 0.2, 0, 0}));
    ASSERT_NEAR(scan.range[0], 2.8, 1e-6) << i;
  }
}

TEST(RayScene, RespectsNearAndFar) {
  const auto scene = make_embree_scene({1});
  scene->add(one(Box{{2, 2, 2}}), Pose::translation({5, 0, 0}));
  scene->add(one(Sphere{1}), Pose::translation({0, 5, 0}));
  for (const int packet : {16, 8, 1}) {
    Scan scan;
    scan.add({1, 0, 0});
    scan.add({0, 1, 0});
    scan.cast(*scene, {}, packet, false, 4.5f);
    EXPECT_EQ(scan.range, (std::vector<float>{6, 6})) << packet;
    scan.cast(*scene, {}, packet, false, 0, 3.9f);
    EXPECT_EQ(scan.range, (std::vector<float>{kInf, kInf})) << packet;
  }
}

// Embree ends the program over directions that are not finite.
TEST(RayScene, ShowsNothingFromWhereNobodyCanBe) {
  const auto scene = make_embree_scene({1});
  scene->add(one(Sphere{1}), Pose::translation({5, 0, 0}));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const int packet : {16, 8, 1}) {
    for (const double wrong : {nan, 1e300, -1e30, HUGE_VAL}) {
      for (const Pose& X_WS :
           {Pose::translation({wrong, 0, 0}), Pose{Quat(1, 0, 0, wrong), Vec3::Zero()}}) {
        Scan scan;
        scan.add({1, 0, 0});
        scan.add({0, 1, 0});
        scan.cast(*scene, X_WS, packet);
        EXPECT_EQ(scan.range, (std::vector<float>{kInf, kInf})) << packet << " " << wrong;
      }
    }
  }
}

TEST(RayScene, SaysWhatWasHit) {
  const auto scene = make_embree_scene({1});
  const Pose X_WB{axis_angle({0, 0, 1}, kPi / 2), {0, 0, 0}};
  Mesh wall;  // two triangles in x = 3 of the body, which the body turns to y = 3
  wall.vertices = {{3, -1, -1}, {3, 1, -1}, {3, 1, 1}, {3, -1, 1}};
  wall.triangles = {{0, 2, 1}, {0, 3, 2}};
  wall.uvs.resize(2);
  auto shapes = one(Sphere{1}, Pose::translation({-4, 0, 0}));
  shapes.push_back(one(wall)[0]);
  shapes.push_back(one(Plane{{2, 2}}, Pose::translation({0, 0, -2}))[0]);
  scene->add(one(Box{{1, 1, 1}}), Pose::translation({50, 0, 0}));
  const auto body = scene->add(shapes, X_WB);
  Scan scan;
  scan.add(Vec3(-0.1, 3, 0.2).normalized());  // body (3, 0.1, 0.2): triangle 1
  scan.add({0, -1, 0});
  scan.add({0, 0, -1});
  scan.add({0, 0, 1});
  for (const int packet : {16, 1}) {
    scan.cast(*scene, {}, packet, true);
    EXPECT_EQ(scan.instance, (std::vector<std::uint32_t>{body, body, body, kNoHit}));
    EXPECT_EQ(scan.shape, (std::vector<std::uint32_t>{1, 0, 2, kNoHit}));
    EXPECT_EQ(scan.primitive[0], 1u);
    EXPECT_EQ(scan.primitive[3], kNoHit);
    // p = (1 - u - v) v0 + u v1 + v v2 with v0 = (-1, -1), v1 = (-1, 1), v2 = (1, 1) in (y, z).
    EXPECT_NEAR(scan.v[0], 0.55, 1e-5);
    EXPECT_NEAR(scan.u[0], 0.05, 1e-5);
    const Vec3 normals[] = {{0, -1, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR((Vec3(scan.nx[i], scan.ny[i], scan.nz[i]) - normals[i]).norm(), 0, 1e-6) << i;
    }
  }
}

/// Many shapes of all kinds, and rays into all directions.
std::unique_ptr<RayScene> cluttered_scene(int threads) {
  RandomRays random(1);
  auto scene = make_embree_scene({threads});
  for (int i = 0; i < 40; ++i) {
    auto shapes = one(Box{{1, 2, 1}});
    shapes.push_back(one(Cylinder{0.4, 2}, {random.rotation(), random.in_box(1)})[0]);
    shapes.push_back(one(grid(8, 0.3), {random.rotation(), random.in_box(1)})[0]);
    scene->add(shapes, {random.rotation(), random.in_box(20)});
  }
  return scene;
}

TEST(RayScene, GivesTheSameBytesOnAnyNumberOfThreads) {
  Scan scan;
  RandomRays random(2);
  for (int i = 0; i < 50'007; ++i) scan.add(random.direction());
  const Pose X_WS{random.rotation(), {1, 2, 3}};
  std::vector<float> expected;
  for (const int threads : {1, 2, 4}) {
    const auto scene = cluttered_scene(threads);
    for (int repeat = 0; repeat < 2; ++repeat) {
      scan.cast(*scene, X_WS);
      if (expected.empty()) expected = scan.range;
      ASSERT_EQ(std::memcmp(expected.data(), scan.range.data(), 4 * scan.size()), 0) << threads;
    }
  }
  const auto finite =
      std::count_if(expected.begin(), expected.end(), [](float r) { return r < kInf; });
  EXPECT_GT(finite, 3000);
}

TEST(RayScene, PacketsOfAllWidthsAgree) {
  Scan scan;
  RandomRays random(2);
  for (int i = 0; i < 20'001; ++i) scan.add(random.direction());
  const auto scene = cluttered_scene(1);
  scan.cast(*scene, {}, 16);
  const std::vector<float> wide = scan.range;
  for (const int packet : {8, 1}) {
    scan.cast(*scene, {}, packet);
    int different = 0;
    for (std::size_t i = 0; i < scan.size(); ++i) different += scan.range[i] != wide[i];
    EXPECT_LE(different, 2) << packet;  // rays that pass an outline within rounding
  }
}

TEST(RayScene, ReadsNoRaysBeyondTheBatch) {
  // The address sanitizer sees it.
  for (const char* instructions : {"sse2", ""}) {
    setenv("PROTOBEAM_EMBREE_ISA", instructions, 1);
    if (*instructions == 0) unsetenv("PROTOBEAM_EMBREE_ISA");
    const auto scene = make_embree_scene({1, 0});
    HeightField field;
    field.columns = field.rows = 9;
    field.origin = {-4, -4};
    field.heights.assign(81, -1.0);
    scene->add({{std::make_shared<const Geometry>(field), {}},
                {std::make_shared<const Geometry>(Sphere{0.5}), Pose::translation({0, 0, 3})}},
               {});
    constexpr std::size_t kRays = 19;
    const auto x = std::make_unique<float[]>(kRays), y = std::make_unique<float[]>(kRays),
               z = std::make_unique<float[]>(kRays);
    for (std::size_t i = 0; i < kRays; ++i) z[i] = i % 2 == 0 ? 1.0f : -1.0f;
    RayBatch batch;
    batch.dx = x.get(), batch.dy = y.get(), batch.dz = z.get();
    batch.count = kRays;
    for (const int packet : {16, 8, 1}) {
      batch.packet = packet;
      scene->cast(batch, [&](const RayBlock& block) {
        for (std::size_t i = 0; i < block.count; ++i) {
          EXPECT_EQ(block.range[i], (block.first + i) % 2 == 0 ? 2.5f : 1.0f);
        }
      });
    }
  }
}

TEST(RayScene, TakesNoRaysAndNoShapes) {
  const auto scene = make_embree_scene({2});
  Scan scan;
  scan.cast(*scene, {});
  scan.add({1, 0, 0});
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range[0], kInf);
  scene->add({}, {});
  scene->add(one(Mesh{}), {});
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range[0], kInf);
  EXPECT_EQ(scene->triangle_count(), 0u);
}

TEST(RayScene, RefusesTrianglesWithoutVertices) {
  const auto scene = make_embree_scene({1});
  Mesh broken;
  broken.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  broken.triangles = {{0, 1, 3}};
  EXPECT_THROW(scene->add(one(broken), {}), std::invalid_argument);
  Scan scan;
  scan.add({1, 0, 0});
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range[0], kInf);
}

TEST(RayScene, CountsTheTrianglesOfAllInstances) {
  const auto scene = make_embree_scene({1});
  const auto shapes = one(grid(10, 1));
  scene->add(shapes, {});
  scene->add(shapes, Pose::translation({0, 0, 5}));
  scene->add(one(Box{}), {});
  scene->add(one(Sphere{}), {});
  EXPECT_EQ(scene->triangle_count(), 412u);
}

TEST(RayScene, GivesTheNumberOfWhatWasRemovedToTheNext) {
  const auto scene = make_embree_scene({1});
  const auto range = [&] {
    Scan scan;
    scan.add(Vec3::UnitX());
    scan.cast(*scene, Pose{}, 1);
    return scan.range[0];
  };
  const auto near = scene->add(one(Box{{1, 1, 1}}, Pose{}), Pose::translation({3, 0, 0}));
  const auto far = scene->add(one(Box{{1, 1, 1}}, Pose{}), Pose::translation({8, 0, 0}));
  EXPECT_FLOAT_EQ(range(), 2.5f);
  scene->remove(near);
  EXPECT_FLOAT_EQ(range(), 7.5f);
  // Another shape under the same number.
  EXPECT_EQ(scene->add(one(Sphere{1}, Pose{}), Pose::translation({5, 0, 0})), near);
  EXPECT_FLOAT_EQ(range(), 4.f);
  scene->remove(near);
  scene->remove(far);
  EXPECT_EQ(range(), kInf);
  EXPECT_EQ(scene->triangle_count(), 0u);
}

/// A wall of many triangles in the plane x = 5, so that packets walk down a tree.
Mesh wall() {
  constexpr int kSide = 40;
  Mesh mesh;
  for (int i = 0; i <= kSide; ++i) {
    for (int k = 0; k <= kSide; ++k) mesh.vertices.push_back({5, 0.5 * i - 10, 0.5 * k - 10});
  }
  for (int i = 0; i < kSide; ++i) {
    for (int k = 0; k < kSide; ++k) {
      const auto a = static_cast<std::uint32_t>(i * (kSide + 1) + k), b = a + kSide + 1;
      mesh.triangles.push_back({a, b, a + 1});
      mesh.triangles.push_back({b, b + 1, a + 1});
    }
  }
  return mesh;
}

/// Rays of a fan of which one or more have a trace in place of 0, as a sensor has them that is
/// rotated by a quarter: none misses.
TEST(Packets, HitWhereAComponentOfADirectionIsATraceOfEitherSign) {
  const auto scene = make_embree_scene({1});
  scene->add(one(wall()), {});
  scene->add(one(Box{{1, 1, 1}}), Pose::translation({-20, 0, 0}));
  for (const double trace : {-0.0, -1e-25, -1e-19, -6e-17, 1e-19}) {
    for (const double sign : {-1.0, 1.0}) {
      Scan scan;
      for (int i = 0; i < 256; ++i) {
        const double away = sign * 0.06 * (i % 16), up = sign * (0.01 + 0.06 * (i / 16));
        scan.add(Vec3(1, i % 16 == 0 ? trace : away, i % 5 == 0 ? trace : up).normalized());
      }
      scan.cast(*scene, {}, 16);
      for (std::size_t i = 0; i < scan.size(); ++i) {
        ASSERT_NEAR(scan.range[i], 5 / static_cast<double>(scan.dx[i]), 1e-5)
            << "ray " << i << ", trace " << trace << ", sign " << sign;
      }
    }
  }
}

TEST(Threads, DoEachPieceOfSharedWorkOnce) {
  for (const int threads : {1, 2, 4}) {
    const auto scene = make_embree_scene({threads});
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> times(count);
      scene->share(count, [&](std::size_t number) { ++times.at(number); });
      for (const auto& of : times) ASSERT_EQ(of, 1) << threads;
    }
  }
}

}  // namespace
}  // namespace protobeam
