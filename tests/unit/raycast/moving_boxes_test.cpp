// Bodies that move within the step are met by every ray that would meet them.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <vector>

#include "beam_sensors.h"
#include "random_rays.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

using test::one;
using test::RandomRays;
using test::Scan;

/// By at most so much within the step.
struct StepSize {
  double shift;  ///< m
  double turn;   ///< rad
};
constexpr StepSize kSteps[] = {{0.02, 0}, {0.3, 0.05}, {0, 0.4}, {3, 1}, {15, 3}};

Pose pose_before(RandomRays& random, const Pose& X, const StepSize& by) {
  return {X.R * random.rotation(by.turn), X.p + random.in_box(by.shift / 2)};
}

Mesh heap_of_triangles(RandomRays& random, int count) {
  Mesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3 middle = random.in_box(1.5);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(middle + random.in_box(0.4));
    const auto first = static_cast<std::uint32_t>(3 * i);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

std::vector<VisibleShape> body(RandomRays& random, int kind) {
  const double size = std::exp(random.uniform(-2, 1.5));
  const auto somewhere = [&] { return Pose{random.rotation(), random.in_box(size)}; };
  std::vector<VisibleShape> shapes = one(Box{size * Vec3(1, 0.6, 0.3)}, somewhere());
  const auto add = [&](const Geometry& geometry) {
    shapes.push_back(one(geometry, somewhere())[0]);
  };
  if (kind % 5 == 1) add(Sphere{0.4 * size});
  if (kind % 5 == 2) add(Cylinder{0.2 * size, 2 * size}), add(Cone{0.3 * size, size});
  if (kind % 5 == 3) add(heap_of_triangles(random, 40));
  if (kind % 5 == 4) {
    for (int i = 0; i < 60; ++i) add(Sphere{0.1 * size});
  }
  return shapes;
}

/// Neighbours along a row, row after row.
Scan rows_of_rays(RandomRays& random, bool origins) {
  Scan scan;
  for (int row = 0; row < 16; ++row) {
    const double elevation = random.uniform(-1.5, 1.5), start = random.uniform(-4, 4);
    const double step = random.uniform(0.001, 0.05), time = random.uniform(0, 1);
    for (int i = 0; i < 96; ++i) {
      const double azimuth = start + i * step, across = std::cos(elevation);
      const Vec3 d(across * std::cos(azimuth), across * std::sin(azimuth), std::sin(elevation));
      const double at = std::min(time + i * 0.003, 1.0);
      if (origins) {
        scan.add(d, at, 0.05 * d + random.in_box(0.02));
      } else {
        scan.add(d, at);
      }
    }
  }
  return scan;
}

TEST(MovingBoxes, NoRayMissesABodyThatItWouldMeetAlone) {
  std::size_t rays = 0, met = 0, missed = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    RandomRays random(900 + seed);
    const StepSize &of_sensor = kSteps[seed % 5], &of_bodies = kSteps[seed / 5 % 5];
    EmbreeScene scene({.threads = 1});
    const Pose X_WS{random.rotation(), random.in_box(seed % 3 == 0 ? 300 : 3)};
    const Pose X_WS_before = pose_before(random, X_WS, of_sensor);
    for (int i = 0; i < 8; ++i) {
      // Some ride with the sensor, which may be within them.
      const Pose X_SB{random.rotation(), random.in_box(i < 4 ? 2 : 20)}, X_WB = X_WS * X_SB;
      const bool rides = i % 2 == 0;
      const Pose before = rides ? X_WS_before * X_SB : pose_before(random, X_WB, of_bodies);
      scene.set_motion(scene.add(body(random, i), X_WB), before, X_WB);
    }
    scene.add(one(Box{{6, 6, 0.1}}), X_WS * Pose{random.rotation(), random.in_box(4)});

    Scan scan = rows_of_rays(random, seed % 2 == 1);
    RayBatch batch = scan.batch(X_WS);
    batch.X_WS_before = X_WS_before;
    batch.t_near = seed % 4 == 0 ? 0.5f : 0.0f;
    batch.packet = seed % 5 == 3 ? 8 : 16;
    batch.hits = batch.normals = true;
    Scan together = scan;
    together.cast_batch(scene, batch);
    for (std::size_t i = 0; i < scan.size(); ++i) {
      RayBatch alone = batch;
      alone.dx += i, alone.dy += i, alone.dz += i, alone.time += i;
      if (alone.ox) alone.ox += i, alone.oy += i, alone.oz += i;
      alone.count = 1;
      float range = 0;
      std::uint32_t instance = 0;
      scene.cast(alone, [&](const RayBlock& b) { range = b.range[0], instance = b.instance[0]; });
      ++rays;
      met += instance < 8 ? 1 : 0;
      missed += range != together.range[i] || instance != together.instance[i] ? 1 : 0;
    }
  }
  std::cout << rays << " rays, " << met << " at what moves, " << missed << " other than alone\n";
  EXPECT_GT(met, rays / 5);
  EXPECT_LE(missed, rays / 20'000);  // along outlines Embree depends on the rays beside them
}

}  // namespace
}  // namespace protobeam
