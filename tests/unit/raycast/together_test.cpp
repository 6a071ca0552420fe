// Casts of several threads at once against the same casts one after another.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "random_rays.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

using test::one;
using test::RandomRays;
using test::Scan;

/// Things at rest and in motion, and triangles enough for the beam caster.
void furnish(RayScene& scene) {
  RandomRays random(21);
  Mesh hill;
  for (int i = 0; i < 60; ++i) {
    for (int k = 0; k < 60; ++k) {
      hill.vertices.emplace_back(0.5f * static_cast<float>(i - 30),
                                 0.5f * static_cast<float>(k - 30),
                                 std::sin(0.3f * static_cast<float>(i * k % 17)) - 2);
    }
  }
  for (std::uint32_t i = 0; i + 1 < 60; ++i) {
    for (std::uint32_t k = 0; k + 1 < 60; ++k) {
      const std::uint32_t at = 60 * i + k;
      hill.triangles.push_back({at, at + 60, at + 1});
      hill.triangles.push_back({at + 1, at + 60, at + 61});
    }
  }
  scene.add(one(hill), {});
  for (int i = 0; i < 30; ++i) {
    const Pose X_WB{random.rotation(), random.in_box(12)};
    const auto instance =
        scene.add(one(i % 2 ? Geometry(Box{{1, 2, 1}}) : Geometry(Sphere{0.7})), X_WB);
    const Pose before{X_WB.R, X_WB.p + random.in_box(0.4)};
    if (i % 3 == 0) scene.set_motion(instance, before, X_WB);
  }
}

/// A sensor: rays around it, with times or without, known to the scene or not, and lines from where
/// they end.
struct Looker {
  Scan scan;
  Pose X_WS;
  std::shared_ptr<const BeamTiles> tiles;
  std::vector<float> range;
  std::vector<std::uint8_t> blocked;

  Looker(RayScene& scene, unsigned seed, const Vec3& place) {
    RandomRays random(seed);
    X_WS = {axis_angle(Vec3::UnitZ(), random.uniform(-3, 3)), place + random.in_box(1)};
    const bool timed = seed % 3 == 0;
    for (int column = 0; column < 512; ++column) {
      for (int row = 0; row < 16; ++row) {
        const double azimuth = 2 * kPi * column / 512, elevation = 0.04 * (row - 8);
        const Vec3 d(std::cos(elevation) * std::cos(azimuth),
                     std::cos(elevation) * std::sin(azimuth), std::sin(elevation));
        timed ? scan.add(d, column / 512.0) : scan.add(d);
      }
    }
    if (!timed) tiles = scene.arrange(scan.batch(X_WS), 1);
  }

  void cast(RayScene& scene) {
    range.assign(scan.size(), -1);
    blocked.assign(scan.size(), 2);
    RayBatch batch = scan.batch(X_WS);
    batch.tiles = tiles.get();
    scene.cast(batch, [&](const RayBlock& block) {
      std::copy_n(block.range, block.count, &range[block.first]);
      // Upwards from the middle of each ray.
      std::vector<float> numbers(7 * block.count);
      std::array<float*, 7> of;
      for (std::size_t i = 0; i < 7; ++i) of[i] = &numbers[i * block.count];
      SightLines lines;
      lines.count = block.count;
      lines.origin_W = X_WS.p;
      lines.ox = of[0], lines.oy = of[1], lines.oz = of[2];
      lines.dx = of[3], lines.dy = of[4], lines.dz = of[5], lines.far = of[6];
      if (batch.time) lines.time = batch.time + block.first;
      for (std::size_t i = 0; i < block.count; ++i) {
        const Vec3 half =
            X_WS.R * scan.direction(block.first + i) * (0.5 * std::min(block.range[i], 20.0f));
        for (int axis = 0; axis < 3; ++axis) of[axis][i] = static_cast<float>(half[axis]);
        of[5][i] = 1, of[6][i] = 30;
      }
      scene.find_blocked(lines, &blocked[block.first]);
    });
    // As the noise of an image.
    scene.share(4, [&](std::size_t piece) {
      for (std::size_t i = piece; i < range.size(); i += 4) range[i] *= 2;
    });
  }
};

TEST(Together, EachCastFindsWhatItFindsAlone) {
  std::vector<Looker> alone;
  {
    EmbreeScene scene({.threads = 1});
    furnish(scene);
    for (unsigned i = 0; i < 11; ++i) alone.emplace_back(scene, i, Vec3(0, 0, 1)).cast(scene);
    EXPECT_EQ(scene.drawn_rays(), alone.back().scan.size());
  }
  std::size_t lit = 0, dark = 0;
  for (const Looker& looker : alone) {
    for (const std::uint8_t blocked : looker.blocked) ++(blocked ? dark : lit);
  }
  EXPECT_GT(lit, 1000u);
  EXPECT_GT(dark, 1000u);
  for (const int threads : {1, 2, 4}) {
    EmbreeScene scene({.threads = threads});
    furnish(scene);
    std::vector<Looker> lookers;
    for (unsigned i = 0; i < 11; ++i) lookers.emplace_back(scene, i, Vec3(0, 0, 1));
    const std::vector<Vec3> places(lookers.size(), Vec3(0, 0, 1));
    for (int step = 0; step < 3; ++step) {
      scene.together(places, [&](std::size_t i) { lookers[i].cast(scene); });
      for (std::size_t i = 0; i < lookers.size(); ++i) {
        ASSERT_EQ(lookers[i].range, alone[i].range) << threads << " threads, looker " << i;
        ASSERT_EQ(lookers[i].blocked, alone[i].blocked) << threads << " threads, looker " << i;
      }
    }
  }
}

TEST(Together, PlacesMayBeFarApartOrNowhere) {
  const double nan = std::nan("");
  const std::vector<Vec3> places = {{0, 0, 1},   {500, 0, 1},  {2, 0, 1},     {nan, nan, nan},
                                    {510, 0, 1}, {0, -9e5, 1}, {1e300, 0, 0}, {HUGE_VAL, 0, 0},
                                    {1, 1, 1},   {600, 0, 1}};
  std::vector<std::vector<float>> expected;
  for (const int threads : {1, 2, 4}) {
    EmbreeScene scene({.threads = threads});
    furnish(scene);
    scene.add(one(Box{{4, 4, 4}}), Pose::translation({500, 8, 1}));
    std::vector<Looker> lookers;
    for (unsigned i = 0; i < places.size(); ++i) lookers.emplace_back(scene, i, places[i]);
    std::vector<std::atomic<int>> times(places.size());
    for (int step = 0; step < 2; ++step) {
      scene.together(places, [&](std::size_t i) {
        ++times[i];
        lookers[i].cast(scene);
      });
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_EQ(times[i], 2) << i;
      if (threads == 1) expected.push_back(lookers[i].range);
      ASSERT_EQ(lookers[i].range, expected[i]) << threads << " threads, looker " << i;
    }
  }
  const auto hits = [&](std::size_t i) {
    return std::count_if(expected[i].begin(), expected[i].end(),
                         [](float r) { return std::isfinite(r); });
  };
  EXPECT_GT(hits(0), 1000);
  EXPECT_GT(hits(1), 100);
  EXPECT_EQ(hits(3), 0);
}

}  // namespace
}  // namespace protobeam
