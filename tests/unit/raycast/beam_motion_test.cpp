// What the beam caster finds where the sensor or bodies move within the step.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "beam_sensors.h"
#include "caster_comparison.h"
#include "random_rays.h"
#include "raycast/beam_tiles.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

using test::add_origins;
using test::compare;
using test::Difference;
using test::expect_few_outlines;
using test::fill;
using test::hills;
using test::one;
using test::RandomRays;
using test::Scan;
using test::Sensor;
using test::sensor;
using test::worlds_to_try;

/// Column after column, or, of a strange head, band after band in any order; some are wrong.
void add_times(RandomRays& random, const Sensor& of, bool in_order, Scan& scan) {
  const std::size_t band = static_cast<std::size_t>(of.rows) * 16;
  const std::size_t bands = (scan.size() + band - 1) / band;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    const auto number = static_cast<double>(i / band);
    const double along = in_order ? number : std::fmod(number * 7, static_cast<double>(bands));
    scan.time.push_back(
        static_cast<float>((along + random.uniform(0, 1)) / static_cast<double>(bands)));
  }
  scan.time[5] = -1, scan.time[17] = 2, scan.time[40] = std::numeric_limits<float>::quiet_NaN();
}

/// By at most so much within the step.
struct Motion {
  double shift;  ///< m
  double turn;   ///< rad
};

Pose before(RandomRays& random, const Pose& X, const Motion& by) {
  return {X.R * random.rotation(by.turn), X.p + random.in_box(by.shift / 2)};
}

/// Bodies around the sensor, some of which it may be within.
void add_traffic(RayScene& scene, unsigned seed, const Motion& motion, bool curved) {
  RandomRays random(600 + seed);
  for (int i = 0; i < 6; ++i) {
    const Vec3 size(random.uniform(0.2, 3), random.uniform(0.2, 2), random.uniform(0.2, 2));
    auto shapes = one(Box{size});
    if (curved) shapes.push_back(one(Cylinder{0.4, 3}, {random.rotation(), random.in_box(1)})[0]);
    const Pose X_WB{random.rotation(), random.in_box(i < 2 ? 2 : 25)};
    scene.set_motion(scene.add(shapes, X_WB), before(random, X_WB, motion), X_WB);
  }
}

constexpr Motion kMotions[] = {{1e-3, 0}, {0.05, 0.01}, {0.6, 0}, {0.03, 0.08}, {8, 2.5}};

TEST(BeamMotion, FindsWhatASensorOnItsWaySees) {
  Difference all;
  for (unsigned seed = 0; seed < worlds_to_try(30); ++seed) {
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    const Motion& motion = kMotions[seed % 5];
    for (EmbreeScene* scene : {&drawn, &traced}) {
      fill(*scene, seed, seed % 2 == 1);
      if (seed % 4 < 2) add_traffic(*scene, seed, kMotions[(seed + 2) % 5], seed % 2 == 1);
    }
    RandomRays random(700 + seed);
    const bool steep = seed % 7 == 0;
    Sensor spinning = sensor(random, 32, 803, 1 << seed % 4, steep ? -1.57 : -0.45,
                             steep ? 1.57 : 0.3, seed % 3 == 0, seed % 4 < 2);
    if (seed % 3 == 1) add_origins(random, 0.03, 0.01, spinning.scan);
    add_times(random, spinning, seed % 5 != 4, spinning.scan);
    const Pose X_WS{seed % 3 == 2 ? random.rotation() : axis_angle(Vec3::UnitZ(), seed),
                    random.in_box(seed % 6 == 0 ? 30 : 2)};
    const Difference one = compare(spinning, drawn, traced, X_WS, seed % 2 == 0 ? 0.0f : 0.7f,
                                   nullptr, before(random, X_WS, motion));
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
  }
  EXPECT_GT(all.drawn, all.rays / 2);
  std::cout << all.drawn << " of them drawn: ";
  expect_few_outlines(all);
}

TEST(BeamMotion, FindsBodiesThatPassASensorAtRest) {
  Difference all;
  for (unsigned seed = 0; seed < 20; ++seed) {
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    for (EmbreeScene* scene : {&drawn, &traced}) {
      fill(*scene, seed, seed % 2 == 1);
      add_traffic(*scene, seed, kMotions[seed % 5], seed % 2 == 0);
    }
    RandomRays random(800 + seed);
    Sensor spinning = sensor(random, 32, 803, 1 << seed % 4, -0.6, 0.3, seed % 3 == 0, true);
    if (seed % 4 >= 2) add_origins(random, 0.03, 0.01, spinning.scan);
    add_times(random, spinning, true, spinning.scan);
    const Pose X_WS{random.rotation(), random.in_box(2)};
    const Difference one = compare(spinning, drawn, traced, X_WS, seed % 2 == 0 ? 0.0f : 0.7f);
    EXPECT_GT(one.drawn, one.rays * 9 / 10) << seed;
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
  }
  expect_few_outlines(all);
}

TEST(BeamMotion, GivesTheSameBytesOnAnyNumberOfThreads) {
  RandomRays random(5);
  Sensor spinning = sensor(random, 64, 1024, 4, -0.4, 0.3, true, true);
  add_times(random, spinning, true, spinning.scan);
  const Pose X_WS{random.rotation(), {1, 2, 0.5}};
  HeightField terrain;
  terrain.columns = terrain.rows = 30;
  terrain.origin = {-30, -30}, terrain.spacing = {2, 2};
  for (int i = 0; i < 900; ++i) terrain.heights.push_back(random.uniform(-2, 0));
  std::vector<float> expected;
  for (const int threads : {1, 2, 4}) {
    EmbreeScene scene({.threads = threads, .points_as_triangles = 0});
    fill(scene, 9, true);
    add_traffic(scene, 9, {2, 0.5}, true);
    scene.add(one(terrain), {});
    RayBatch batch = spinning.scan.batch(X_WS);
    batch.X_WS_before = X_WS * Pose{axis_angle(Vec3::UnitZ(), 0.02), {-0.3, 0, 0}};
    const auto tiles = scene.arrange(batch, spinning.rows);
    batch.tiles = tiles.get();
    spinning.scan.cast_batch(scene, batch);
    EXPECT_GT(scene.drawn_rays(), spinning.scan.size() * 9 / 10);
    if (expected.empty()) expected = spinning.scan.range;
    ASSERT_EQ(std::memcmp(expected.data(), spinning.scan.range.data(), 4 * expected.size()), 0);
  }
}

TEST(BeamMotion, LeavesTerrainThatMovesToEmbree) {
  RandomRays random(6);
  Sensor spinning = sensor(random, 32, 800, 1, -0.6, 0.3, true, true);
  add_times(random, spinning, true, spinning.scan);
  HeightField terrain;
  terrain.columns = terrain.rows = 30;
  terrain.origin = {-30, -30}, terrain.spacing = {2, 2};
  for (int i = 0; i < 900; ++i) terrain.heights.push_back(random.uniform(-2, 0));
  EmbreeScene drawn({.threads = 1, .points_as_triangles = 0}),
      traced({.threads = 1, .points_as_triangles = 0, .beam_caster = false});
  for (EmbreeScene* scene : {&drawn, &traced}) {
    const auto ground = scene->add(one(terrain), {});
    scene->set_motion(ground, Pose::translation({0, 0, -0.5}), {});
  }
  const Difference one = compare(spinning, drawn, traced, Pose::translation({0, 0, 2}), 0.1f);
  EXPECT_EQ(one.drawn, 0u);
  EXPECT_GT(one.hits, one.rays / 4);
  EXPECT_EQ(one.wrong + one.silhouettes, 0u);
}

}  // namespace
}  // namespace protobeam
