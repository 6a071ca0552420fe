// Rays drawn over against rays traced: the same hits, but for rays that pass an outline.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iostream>
#include <utility>
#include <vector>

#include "beam_sensors.h"
#include "caster_comparison.h"
#include "random_rays.h"
#include "raycast/beam_tiles.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

using test::add_origins;
using test::camera;
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

/// A box with thin walls, as a Mesh, open where x is greatest.
Mesh hollow(double half) {
  Mesh mesh;
  for (const double size : {half, 0.9 * half}) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (int corner = 0; corner < 8; ++corner) {
      mesh.vertices.emplace_back(corner & 1 ? size : -size, corner & 2 ? size : -size,
                                 corner & 4 ? size : -size);
    }
    for (const auto& [a, b, c, d] : std::vector<std::array<std::uint32_t, 4>>{
             {0, 4, 6, 2}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
      mesh.triangles.push_back({first + a, first + b, first + c});
      mesh.triangles.push_back({first + a, first + c, first + d});
    }
  }
  return mesh;
}

TEST(BeamCaster, FindsWhatEmbreeTraces) {
  Difference all;
  for (unsigned seed = 0; seed < worlds_to_try(24); ++seed) {
    const bool curved = seed % 2 == 1;
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    fill(drawn, seed, curved), fill(traced, seed, curved);
    RandomRays random(100 + seed);
    const int tile_rows = 1 << seed % 4;
    const bool steep = seed % 5 == 0;
    Sensor spinning = sensor(random, 32, 803, tile_rows, steep ? -1.57 : -0.45, steep ? 1.57 : 0.3,
                             seed % 3 == 0, seed % 4 < 2);
    const Pose X_WS{seed % 3 == 2 ? random.rotation() : axis_angle(Vec3::UnitZ(), seed),
                    random.in_box(seed % 6 == 0 ? 30 : 2)};
    const Difference one = compare(spinning, drawn, traced, X_WS, seed % 2 == 0 ? 0.0f : 0.7f);
    EXPECT_GT(one.drawn, one.rays * 9 / 10) << seed;
    EXPECT_GT(one.hits, one.rays / 20) << seed;
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
  }
  EXPECT_LE(all.silhouettes, all.rays / 20'000);
  std::cout << all.rays << " rays, " << all.hits << " hits, " << all.silhouettes
            << " silhouettes that differ\n";
}

TEST(BeamCaster, FindsWhatCamerasSee) {
  Difference all;
  for (unsigned seed = 0; seed < 18; ++seed) {
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    fill(drawn, seed, seed % 2 == 1), fill(traced, seed, seed % 2 == 1);
    RandomRays random(200 + seed);
    const double half_width = seed % 3 == 0 ? 0.3 : seed % 3 == 1 ? 0.8 : 3;
    Sensor pixels = camera(192, 144, half_width, seed % 4 < 2 ? 0 : seed % 4 == 2 ? -0.1 : 0.2);
    // As of a plane: other pixels begin to see farther away.
    std::vector<float> near;
    for (const float x : pixels.scan.dx) near.push_back((seed % 2 == 0 ? 0.01f : 1.5f) / x);
    const Pose X_WS{random.rotation(), random.in_box(seed % 6 == 0 ? 30 : 2)};
    const Difference one =
        compare(pixels, drawn, traced, X_WS, 0, seed % 3 == 0 ? nullptr : near.data());
    EXPECT_EQ(one.drawn, one.rays) << seed;
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
  }
  EXPECT_GT(all.hits, all.rays / 4);
  EXPECT_LE(all.silhouettes, all.rays / 20'000);
}

TEST(BeamCaster, FindsWhatIsBeyondTheHousingThatASensorSitsIn) {
  Difference all;
  std::size_t doubtful = 0;
  for (unsigned seed = 0; seed < worlds_to_try(24); ++seed) {
    RandomRays random(400 + seed);
    const Geometry housings[] = {Box{{0.1, 0.08, 0.06}}, Box{{1.3, 0.9, 0.7}}, Cylinder{0.04, 0.06},
                                 hollow(0.3), hollow(0.1)};
    const auto housing = one(housings[seed % 5], {random.rotation(), random.in_box(0.01)});
    Sensor rays = seed % 2 == 0 ? camera(192, 144, 0.8, 0)
                                : sensor(random, 32, 803, 1 << seed % 4, -0.45, 0.3, true, true);
    // As Housing (render/near_limits.h) does it.
    EmbreeScene alone({.threads = 1, .beam_caster = false});
    alone.add(housing, {});
    rays.scan.cast_batch(alone, rays.scan.batch({}));
    std::vector<float> near;
    for (const float way : rays.scan.range) {
      near.push_back(std::isfinite(way) ? way * (1 + 2e-6f) + 1e-4f : 0);
    }
    // Far from its origin Embree would know an outline as near as that no better than to 1e-5 rad.
    const Pose X_WS{random.rotation(), random.in_box(1)};
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    for (EmbreeScene* scene : {&drawn, &traced}) {
      fill(*scene, seed, seed % 2 == 1);
      scene->add(housing, X_WS);
    }
    const Difference one = compare(rays, drawn, traced, X_WS, 0, near.data());
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
    doubtful += drawn.doubtful_rays();
  }
  expect_few_outlines(all);
  EXPECT_LT(doubtful, all.drawn / 50);
}

TEST(BeamCaster, FindsWhatRaysBesideTheMiddleMeet) {
  Difference all;
  for (unsigned seed = 0; seed < worlds_to_try(30); ++seed) {
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    fill(drawn, seed, seed % 2 == 1), fill(traced, seed, seed % 2 == 1);
    RandomRays random(300 + seed);
    const bool steep = seed % 5 == 0;
    Sensor spinning = sensor(random, 32, 803, 1 << seed % 4, steep ? -1.57 : -0.45,
                             steep ? 1.57 : 0.3, seed % 3 == 0, seed % 4 < 2);
    // From a hair to more than the distance of what is nearest.
    const double apart[] = {1e-4, 0.01, 0.05, 0.3, 2};
    add_origins(random, 0.5 * apart[seed % 5], apart[(seed + 1) % 5], spinning.scan);
    const Pose X_WS{seed % 3 == 2 ? random.rotation() : axis_angle(Vec3::UnitZ(), seed),
                    random.in_box(seed % 6 == 0 ? 30 : 2)};
    const Difference one = compare(spinning, drawn, traced, X_WS, seed % 2 == 0 ? 0.0f : 0.7f);
    EXPECT_GT(one.drawn, one.rays * 9 / 10) << seed;
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
  }
  expect_few_outlines(all);
}

TEST(BeamCaster, FindsWallsThatRaysBesideTheMiddlePassAlong) {
  EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
  for (EmbreeScene* scene : {&drawn, &traced}) {
    scene->add(one(Box{{60, 60, 0.1}}), Pose::translation({0, 0, -2}));
    for (int i = 0; i < 8; ++i) {
      // Their faces, some of them of one plane, lie to both sides of where the rays begin.
      const Pose X_WA{axis_angle(Vec3::UnitZ(), i * kPi / 4), Vec3::Zero()};
      for (const double far : {3.0, 9.0, 15.0}) {
        scene->add(one(Box{{5, 0.04, 3.9}}), X_WA * Pose::translation({far, 0.01 * i - 0.03, 0}));
      }
      scene->add(one(Box{{4, 4, 0.02}}), X_WA * Pose::translation({19, 3, 0.005 * i - 0.01}));
      scene->add(one(Box{{0.05, 0.04, 0.06}}), X_WA * Pose::translation({0.1, 0, -0.3}));
    }
  }
  Difference all;
  for (const double height : {0.0, 0.01, 0.9}) {
    RandomRays random(11);
    Sensor spinning = sensor(random, 32, 800, 1, -1.0, 0.4, true, true);
    add_origins(random, 0.03, 0.01, spinning.scan);
    const Difference one = compare(spinning, drawn, traced, Pose::translation({0, 0, height}), 0.1f);
    EXPECT_GT(one.drawn, one.rays * 9 / 10) << height;
    EXPECT_EQ(one.wrong, 0u) << height;
    all += one;
  }
  EXPECT_GT(all.hits, all.rays / 2);
  EXPECT_LE(all.silhouettes, all.rays / 2'000);
}

TEST(BeamCaster, FindsCurvedShapesAroundTheSensor) {
  Difference all;
  for (unsigned seed = 0; seed < worlds_to_try(30); ++seed) {
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    for (EmbreeScene* scene : {&drawn, &traced}) {
      RandomRays random(400 + seed);
      scene->add(one(Box{{60, 60, 1}}), Pose::translation({0, 0, -2}));
      // A flat body, a wheel, a housing, and what else is near.
      scene->add(one(Cylinder{0.5, 0.1}, Pose::translation({0.1, 0, 0})),
                 Pose::translation({0, 0, -random.uniform(0.02, 0.3)}));
      scene->add(one(Cylinder{0.3, 0.2}), {random.rotation(), {0, 0.3, -0.1}});
      scene->add(one(Sphere{random.uniform(0.05, 0.4)}), Pose::translation(random.in_box(0.05)));
      for (int i = 0; i < 3; ++i) {
        auto shapes = one(Capsule{0.2, 0.6}, {random.rotation(), random.in_box(0.5)});
        shapes.push_back(one(Cone{0.4, 0.3}, {random.rotation(), random.in_box(0.5)})[0]);
        scene->add(shapes, {random.rotation(), random.in_box(1)});
      }
    }
    RandomRays random(500 + seed);
    Sensor spinning = sensor(random, 32, 803, 1 << seed % 4, -1.57, 1.57, seed % 3 == 0, true);
    if (seed % 2 == 1) add_origins(random, 0.03, 0.01, spinning.scan);
    const float near[] = {0, 0.1f, 0.25f, 0.6f};
    const Pose X_WS{seed % 3 == 2 ? random.rotation() : axis_angle(Vec3::UnitZ(), seed),
                    random.in_box(0.02)};
    const Difference one = compare(spinning, drawn, traced, X_WS, near[seed % 4]);
    EXPECT_GT(one.drawn, one.rays * 9 / 10) << seed;
    EXPECT_EQ(one.wrong, 0u) << seed;
    all += one;
  }
  expect_few_outlines(all);
}

TEST(BeamCaster, GivesTheSameBytesOnAnyNumberOfThreadsAndForParts) {
  RandomRays random(5);
  Sensor spinning = sensor(random, 64, 1024, 4, -0.4, 0.3, true, true);
  const Pose X_WS{random.rotation(), {1, 2, 0.5}};
  std::vector<float> expected;
  for (const int threads : {1, 2, 4}) {
    EmbreeScene scene({.threads = threads});
    fill(scene, 9, true);
    // More than one thread looks through.
    RandomRays ground(7);
    scene.add(one(hills(ground, 120, 80)), Pose::translation({0, 0, -2.5}));
    RayBatch batch = spinning.scan.batch(X_WS);
    const auto tiles = scene.arrange(batch, spinning.rows);
    batch.tiles = tiles.get();
    spinning.scan.cast_batch(scene, batch);
    EXPECT_EQ(scene.drawn_rays(), spinning.scan.size());
    if (expected.empty()) expected = spinning.scan.range;
    ASSERT_EQ(std::memcmp(expected.data(), spinning.scan.range.data(), 4 * expected.size()), 0);
    // The same tiles, a part of the rays.
    const std::size_t first = 64 * 4 * 50, count = 64 * 4 * 100 + 30;
    std::vector<float> part(count);
    batch.dx += first, batch.dy += first, batch.dz += first;
    batch.tiles_first = first, batch.count = count;
    scene.cast(batch, [&](const RayBlock& b) { std::copy_n(b.range, b.count, &part[b.first]); });
    EXPECT_EQ(scene.drawn_rays(), count - 30);
    EXPECT_EQ(std::memcmp(expected.data() + first, part.data(), 4 * count), 0);
  }
}

TEST(BeamCaster, FindsInPartsOfASweepWhatItFindsInAllOfIt) {
  std::size_t hits = 0, parts = 0, drawn_parts = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    EmbreeScene scene({.threads = 1});
    fill(scene, seed, seed % 2 == 1);
    RandomRays random(400 + seed);
    const bool steep = seed % 5 == 0;
    Sensor spinning = sensor(random, 32, 800, 1 << seed % 4, steep ? -1.57 : -0.45,
                             steep ? 1.57 : 0.3, seed % 3 == 0, seed % 4 < 2);
    Scan& scan = spinning.scan;
    if (seed % 2 == 0) add_origins(random, 0.05, 0.1, scan);
    RayBatch batch = scan.batch({random.rotation(), random.in_box(seed % 6 == 0 ? 30 : 2)});
    batch.t_near = 0.3f, batch.t_far = seed % 4 == 0 ? 12 : 150;
    const auto tiles = scene.arrange(batch, spinning.rows);
    batch.tiles = tiles.get();
    scan.cast_batch(scene, batch);
    EXPECT_EQ(scene.drawn_rays(), scan.size());
    // A tenth of a turn, more or less: any first band, sectors of one, two or three kinds.
    const std::size_t band = tiles->band_rays(), bands = scan.size() / band;
    for (std::size_t first_band = 0; first_band < bands; ++first_band) {
      const std::size_t least = (2100 + band - 1) / band;
      const std::size_t count = std::min(least + first_band % 3, bands - first_band) * band;
      if (count < least * band) break;
      const std::size_t first = first_band * band;
      RayBatch part = batch;
      part.dx += first, part.dy += first, part.dz += first;
      if (part.ox) part.ox += first, part.oy += first, part.oz += first;
      part.tiles_first = first, part.count = count;
      std::vector<float> range(count);
      scene.cast(part, [&](const RayBlock& b) { std::copy_n(b.range, b.count, &range[b.first]); });
      ++parts;
      if (scene.drawn_rays() == 0) continue;  // too many triangles in view for so few rays
      ++drawn_parts;
      ASSERT_EQ(scene.drawn_rays(), count) << seed << ' ' << first_band;
      ASSERT_EQ(std::memcmp(&scan.range[first], range.data(), 4 * count), 0)
          << seed << ' ' << first_band;
      for (const float r : range) hits += std::isfinite(r) ? 1 : 0;
    }
  }
  EXPECT_GT(hits, 1'000'000u);
  EXPECT_GT(drawn_parts, parts * 3 / 4);
}

TEST(BeamCaster, PassesOverWhatIsFartherThanFloatsReach) {
  RandomRays random(12);
  Sensor spinning = sensor(random, 32, 800, 1, -0.45, 0.3, true, true);
  for (const bool beside : {false, true}) {
    if (beside) add_origins(random, 0.05, 0.01, spinning.scan);
    for (const double far : {1e10, 1e20, 1e30, 1e38, 1e40, 1e200, 1e308}) {
      EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
      for (EmbreeScene* scene : {&drawn, &traced}) {
        scene->add(one(Box{{60, 60, 0.1}}), Pose::translation({0, 0, -2}));
        scene->add(one(hills(random, 2, 3)), Pose::translation({far, 0, 1}));
        scene->add(one(Sphere{1}), Pose::translation({0, -far, far}));
      }
      const Difference one = compare(spinning, drawn, traced, {}, 0.1f);
      EXPECT_EQ(one.drawn, one.rays) << far;
      EXPECT_GT(one.hits, one.rays / 4) << far;
      EXPECT_EQ(one.wrong, 0u) << far;
    }
  }
}

TEST(BeamCaster, LeavesToEmbreeWhatIsLargerThanFloatsReach) {
  RandomRays random(13);
  Sensor spinning = sensor(random, 32, 800, 1, -0.45, 0.3, true, true);
  for (const double size : {1e12, 1e16, 1e25}) {
    EmbreeScene drawn({.threads = 1}), traced({.threads = 1, .beam_caster = false});
    for (EmbreeScene* scene : {&drawn, &traced}) {
      scene->add(one(Box{{60, 60, 0.1}}), Pose::translation({0, 0, -2}));
      scene->add(one(Box{{size, size, size}}), Pose::translation({-size / 3, 0, -3 - size / 2}));
    }
    const Difference one = compare(spinning, drawn, traced, {}, 0.1f);
    EXPECT_EQ(one.drawn, size < 1e15 ? one.rays : 0) << size;
    EXPECT_GT(one.hits, one.rays / 4) << size;
    EXPECT_EQ(one.wrong, 0u) << size;
  }
}

TEST(BeamCaster, LeavesToEmbreeRaysThatItsTilesDoNotKnow) {
  RandomRays random(9);
  EmbreeScene scene({.threads = 1});
  fill(scene, 4, true);
  Sensor plain = sensor(random, 16, 1600, 1, -0.3, 0.3, true, true), beside = plain;
  add_origins(random, 0.05, 0.01, beside.scan);
  for (const auto& [arranged, cast] : {std::pair{&plain, &beside}, std::pair{&beside, &plain}}) {
    const auto tiles = scene.arrange(arranged->scan.batch({}), arranged->rows);
    RayBatch batch = cast->scan.batch({});
    cast->scan.cast_batch(scene, batch);
    const std::vector<float> expected = cast->scan.range;
    batch.tiles = tiles.get();
    cast->scan.cast_batch(scene, batch);
    EXPECT_EQ(scene.drawn_rays(), 0u);
    EXPECT_EQ(cast->scan.range, expected);
  }
}

TEST(AngleTable, NamesAllIntervalsThatAnAngleTouches) {
  RandomRays random(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<AngleTable::Interval> of;
    for (int i = 0; i < 40; ++i) {
      const auto low = static_cast<float>(0.02 * i + random.uniform(-0.05, 0.05));
      of.push_back({low, low + static_cast<float>(random.uniform(0, 0.05))});
    }
    const AngleTable table(of.data(), of.size(), 64);
    int named = 0, touching = 0;
    for (int k = 0; k < 400; ++k) {
      const auto low = static_cast<float>(random.uniform(-0.3, 1.2));
      const float high = low + static_cast<float>(random.uniform(0, 0.1));
      const int first = table.first()[table.step(low)], end = table.end()[table.step(high)];
      named += std::max(end - first, 0);
      for (int i = 0; i < 40; ++i) {
        const auto& one = of[static_cast<std::size_t>(i)];
        if (one.high < low || one.low > high) continue;
        ++touching;
        ASSERT_TRUE(i >= first && i < end) << round << " " << low << " " << high;
      }
    }
    EXPECT_LT(named, 3 * touching);  // and not many more
  }
}

}  // namespace
}  // namespace protobeam
