// Height fields against the same triangles as a mesh, for which Embree builds its own tree.
#include "raycast/height_field.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "random_rays.h"

namespace protobeam {
namespace {

using test::one;
using test::RandomRays;
using test::Scan;

HeightField hills(int columns, int rows, double height) {
  RandomRays random(5);
  HeightField field;
  field.columns = columns;
  field.rows = rows;
  field.origin = {-11, 3};
  field.spacing = {0.7, 1.1};
  for (int i = 0; i < columns * rows; ++i) field.heights.push_back(random.uniform(0, height));
  field.uv << 0.1, 0, 1.1, 0, 0.2, 0.3;
  return field;
}

struct Pair {
  std::unique_ptr<RayScene> fields = make_embree_scene({1, 0}), meshes = make_embree_scene({1});

  void add(const HeightField& field, const Pose& X_WB, const Pose& X_BS = {}) {
    fields->add(one(field, X_BS), X_WB);
    meshes->add(one(triangulated(field), X_BS), X_WB);
  }
};

void compare(Scan& scan, const Pair& scenes, const RayBatch& batch, std::size_t at_least) {
  Scan other = scan;
  scan.cast_batch(*scenes.fields, batch);
  other.cast_batch(*scenes.meshes, batch);
  std::size_t returns = 0, apart = 0;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    if (std::isinf(scan.range[i]) && std::isinf(other.range[i])) continue;
    ++returns;
    // Rays that pass an edge of the rim or of a ridge may do so on either side.
    if (!(std::abs(scan.range[i] - other.range[i]) < 1e-5)) {
      ++apart;
      continue;
    }
    EXPECT_EQ(scan.instance[i], other.instance[i]);
    if (scan.primitive[i] != other.primitive[i]) continue;  // on a shared edge
    EXPECT_NEAR(scan.u[i], other.u[i], 1e-4);
    EXPECT_NEAR(scan.v[i], other.v[i], 1e-4);
    EXPECT_NEAR(scan.nx[i], other.nx[i], 1e-6);
    EXPECT_NEAR(scan.ny[i], other.ny[i], 1e-6);
    EXPECT_NEAR(scan.nz[i], other.nz[i], 1e-6);
  }
  EXPECT_GT(returns, at_least);
  EXPECT_LE(apart, returns / 2000);
}

class HeightFieldRays : public testing::TestWithParam<int> {};

TEST_P(HeightFieldRays, AreThoseOfItsTriangles) {
  RandomRays random(8);
  for (int round = 0; round < 8; ++round) {
    Pair scenes;
    const HeightField field = hills(round == 0 ? 2 : 31, round == 1 ? 2 : 26, round < 4 ? 0.2 : 3);
    const Pose X_WB{random.rotation(), random.in_box(50)},
        X_BS{random.rotation(), random.in_box(9)};
    scenes.add(field, X_WB, X_BS);
    const Vec3 size = bounds(field).max - bounds(field).min;
    const Pose X_WF = X_WB * X_BS;
    Scan scan;
    // From low above the ground, from inside it, from far above.
    const Vec3 start(field.origin.x() + 0.4 * size.x(), field.origin.y() + 0.6 * size.y(),
                     round % 3 == 0   ? 2.0
                     : round % 3 == 1 ? 0.1
                                      : 60.0);
    const Pose X_WS{random.rotation(), X_WF * start};
    for (int i = 0; i < 4000; ++i) {
      const Vec3 target(field.origin.x() + random.uniform(-0.05, 1.05) * size.x(),
                        field.origin.y() + random.uniform(-0.05, 1.05) * size.y(),
                        random.uniform(-0.5, 1));
      scan.add((X_WS.R.conjugate() * (X_WF * target - X_WS.p)).normalized());
    }
    RayBatch batch = scan.batch(X_WS);
    batch.packet = GetParam();
    batch.hits = batch.normals = true;
    compare(scan, scenes, batch, 1500);
  }
}
INSTANTIATE_TEST_SUITE_P(Packets, HeightFieldRays, testing::Values(16, 8, 1));

TEST(HeightField, IsSeenByMovingSensorsAndMovesItself) {
  RandomRays random(2);
  Pair scenes;
  const HeightField field = hills(30, 30, 1);
  const Pose before{random.rotation(), random.in_box(1)};
  const Pose after{before.R * axis_angle(random.direction(), 0.2), before.p + random.in_box(0.5)};
  scenes.add(field, after);
  scenes.fields->set_motion(0, before, after);
  scenes.meshes->set_motion(0, before, after);
  const Pose X_WS = after * Pose{Quat::Identity(), Vec3(-3, 15, 2)};
  Scan scan;
  for (int i = 0; i < 6000; ++i) {
    scan.add(random.direction(), random.uniform(0, 1), random.in_box(0.2));
  }
  RayBatch batch = scan.batch(X_WS);
  batch.X_WS_before = Pose{X_WS.R, X_WS.p + random.in_box(0.3)};
  batch.hits = batch.normals = true;
  compare(scan, scenes, batch, 1500);
}

TEST(HeightField, HasNoLeaksAlongSharedEdgesAndAtVertices) {
  HeightField field;
  field.columns = field.rows = 65;
  field.origin = {-32 * 1.7, -32 * 1.7};
  field.spacing = {1.7, 1.7};
  field.heights.assign(65 * 65, 0);
  const auto scene = make_embree_scene({1, 0});
  scene->add(one(field), {});
  const double height = 1.5;
  for (const Vec3& over : {Vec3(0, 0, height), Vec3(1.7, 3.4, height), Vec3(0.85, 0, height)}) {
    Scan scan;
    for (int k = 0; k < 8; ++k) {  // along edges and diagonals
      for (int i = 0; i < 3000; ++i) {
        const double away = i * 0.015;
        scan.add(
            Vec3(away * std::cos(k * kPi / 4), away * std::sin(k * kPi / 4), -height).normalized());
      }
    }
    for (int i = -25; i <= 25; ++i) {
      for (int j = -25; j <= 25; ++j) scan.add((Vec3(i * 1.7, j * 1.7, 0) - over).normalized());
    }
    for (const int packet : {16, 8, 1}) {
      scan.cast(*scene, Pose::translation(over), packet);
      for (std::size_t i = 0; i < scan.size(); ++i) {
        ASSERT_NEAR(scan.range[i], -height / scan.direction(i).z(), 1e-5) << packet << ' ' << i;
      }
    }
  }
}

TEST(HeightField, MeetsVerticalRaysAndRaysWithinItsPlanesAsTrianglesDo) {
  HeightField field;
  field.columns = field.rows = 12;
  field.heights.assign(144, 2);
  const TiledField tiles(field);
  FieldHit hit;
  const double far = std::numeric_limits<double>::infinity();
  const std::uint32_t far_tile =
      9 / TiledField::kTile * ((12 - 2) / TiledField::kTile + 1) + 9 / TiledField::kTile;
  const auto meets = [&](std::uint32_t tile, const Vec3& o, const Vec3& d, double from, double to) {
    return tiles.intersect(tile, tiles.in_cells(o, d), from, to, hit);
  };
  EXPECT_TRUE(meets(0, {3, 4, 5}, {0, 0, -2}, 0, far));
  EXPECT_EQ(hit.t, 1.5);
  EXPECT_TRUE(meets(0, {3, 4, -5}, {0, 0, 1}, 0, far));
  EXPECT_EQ(hit.t, 7);
  EXPECT_FALSE(meets(0, {3, 4, 5}, {0, 0, 1}, 0, far));
  EXPECT_FALSE(meets(0, {3, 4, 5}, {0, 0, -2}, 0, 1.4));
  EXPECT_FALSE(meets(0, {3, 4, 5}, {0, 0, -2}, 1.6, far));
  EXPECT_FALSE(meets(0, {-3, 4, 2}, {1, 0, 0}, 0, far));  // within it
  EXPECT_FALSE(meets(0, {9, 9, 5}, {0, 0, -1}, 0, far));  // another tile's
  EXPECT_TRUE(meets(far_tile, {9, 9, 5}, {0, 0, -1}, 0, far));
  EXPECT_EQ(hit.t, 3);
  EXPECT_FALSE(meets(far_tile, {12, 9, 5}, {0, 0, -1}, 0, far));  // beyond the rim
}

}  // namespace
}  // namespace protobeam
