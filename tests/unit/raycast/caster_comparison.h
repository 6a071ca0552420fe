// What the beam caster finds against what Embree traces.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>

#include "beam_sensors.h"
#include "random_rays.h"
#include "raycast/beam_tiles.h"
#include "raycast/embree_scene.h"

namespace protobeam::test {

inline void fill(RayScene& scene, unsigned seed, bool curved) {
  RandomRays random(seed);
  scene.add(one(Box{{400, 300, 1}}), Pose::translation({3, 2, -2.5}));
  scene.add(one(hills(random, 24, 60)), Pose::translation({0, 0, -1.9}));
  for (int i = 0; i < 50; ++i) {
    auto shapes =
        one(Box{{random.uniform(0.1, 6), random.uniform(0.1, 6), random.uniform(0.1, 9)}});
    shapes.push_back(one(hills(random, 6, 3), {random.rotation(), random.in_box(1)})[0]);
    if (curved && i % 3 == 0) {
      shapes.push_back(one(Cylinder{0.4, 5}, {random.rotation(), random.in_box(1)})[0]);
      shapes.push_back(one(Sphere{0.7}, {random.rotation(), random.in_box(3)})[0]);
    }
    scene.add(shapes, {random.rotation(), random.in_box(i % 4 == 0 ? 4 : 40)});
  }
}

/// How many worlds of a kind a test tries; more on demand: a thousand are 2.6e7 rays.
inline unsigned worlds_to_try(unsigned usual) {
  const char* more = std::getenv("PROTOBEAM_CASTER_SEEDS");
  return more ? static_cast<unsigned>(std::atoi(more)) : usual;
}

struct Difference {
  std::size_t rays = 0, drawn = 0, hits = 0, silhouettes = 0, wrong = 0;

  void operator+=(const Difference& other) {
    rays += other.rays, drawn += other.drawn, hits += other.hits;
    silhouettes += other.silhouettes, wrong += other.wrong;
  }
};

/// Casts by both engines. `X_WS_before`: of rays that have times.
inline Difference compare(Sensor& of, EmbreeScene& drawn, EmbreeScene& traced, const Pose& X_WS,
                          float near, const float* nears = nullptr,
                          const std::optional<Pose>& X_WS_before = {}) {
  Scan& scan = of.scan;
  RayBatch batch = scan.batch(X_WS);
  batch.X_WS_before = X_WS_before;
  batch.t_near = near, batch.t_far = 150;
  batch.near = nears;
  batch.hits = batch.normals = true;
  Scan reference = scan;
  reference.cast_batch(traced, batch);
  EXPECT_EQ(traced.drawn_rays(), 0u);
  const auto tiles = drawn.arrange(batch, of.rows);
  batch.tiles = tiles.get();
  scan.cast_batch(drawn, batch);
  Difference difference{scan.size(), drawn.drawn_rays()};
  for (std::size_t i = 0; i < scan.size(); ++i) {
    difference.hits += std::isfinite(scan.range[i]) ? 1 : 0;
    const bool same = std::memcmp(&scan.range[i], &reference.range[i], 4) == 0 &&
                      scan.instance[i] == reference.instance[i] &&
                      scan.shape[i] == reference.shape[i] &&
                      (std::isinf(scan.range[i]) || scan.nx[i] == reference.nx[i]);
    if (same) continue;
    // Rays a hair aside, traced: one of them sees what the drawn one saw.
    Scan aside;
    RandomRays random(7);
    const Vec3 d(scan.dx[i], scan.dy[i], scan.dz[i]);
    for (int k = 0; k < 256; ++k) aside.add((d + random.in_box(4e-6)).normalized());
    if (!scan.ox.empty()) {
      aside.ox.assign(256, scan.ox[i]), aside.oy.assign(256, scan.oy[i]);
      aside.oz.assign(256, scan.oz[i]);
    }
    if (!scan.time.empty()) aside.time.assign(256, scan.time[i]);
    RayBatch around = aside.batch(X_WS);
    around.X_WS_before = X_WS_before;
    around.t_near = nears ? nears[i] : near, around.t_far = 150;
    aside.cast_batch(traced, around);
    // One that begins on a surface may begin before it or behind it.
    bool seen = std::min(scan.range[i], reference.range[i]) < 1e-5f;
    for (std::size_t k = 0; k < aside.size(); ++k) {
      seen = seen || (std::isinf(scan.range[i])
                          ? std::isinf(aside.range[k])
                          : std::abs(aside.range[k] - scan.range[i]) < 1e-3f * scan.range[i]);
    }
    ++(seen ? difference.silhouettes : difference.wrong);
  }
  return difference;
}

/// Of all scenes of a test: they were not empty, and few rays passed an outline.
inline void expect_few_outlines(const Difference& all) {
  EXPECT_GT(all.hits, all.rays / 4);
  EXPECT_LE(all.silhouettes, all.rays / 20'000);
  std::cout << all.rays << " rays, " << all.hits << " hits, " << all.silhouettes
            << " silhouettes that differ\n";
}

/// Lasers of a head that turns: beside its axis, at heights of their own, and some at random.
inline void add_origins(RandomRays& random, double radius, double scatter, Scan& scan) {
  for (std::size_t i = 0; i < scan.size(); ++i) {
    const Vec3 flat(scan.dx[i], scan.dy[i], 0);
    const Vec3 o = radius * flat.normalized() + random.in_box(scatter);
    scan.ox.push_back(static_cast<float>(o.x()));
    scan.oy.push_back(static_cast<float>(o.y()));
    scan.oz.push_back(static_cast<float>(o.z()));
  }
}

}  // namespace protobeam::test
