// Which rays are drawn over and which are traced: by what is in view, not by what there is.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "beam_sensors.h"
#include "random_rays.h"
#include "raycast/beam_tiles.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

using test::hills;
using test::one;
using test::RandomRays;
using test::Sensor;

/// Rays of a sensor at the origin that are not traced.
std::size_t drawn_by(Sensor of, EmbreeScene& scene) {
  RayBatch batch = of.scan.batch({});
  const auto tiles = scene.arrange(batch, of.rows);
  batch.tiles = tiles.get();
  of.scan.cast_batch(scene, batch);
  return scene.drawn_rays();
}

Sensor spinning(int layers, int columns) {
  RandomRays random(6);
  return test::sensor(random, layers, columns, 1, -0.3, 0.3, true, true);
}

/// Loose triangles, as leaves in a wood: each in a box around its own place.
Mesh leaves(RandomRays& random, std::uint32_t count, double half_space, double half_size) {
  Mesh mesh;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 place = random.in_box(half_space);
    for (int corner = 0; corner < 3; ++corner) {
      mesh.vertices.push_back(place + random.in_box(half_size));
    }
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

TEST(CasterChoice, LeavesToEmbreeWhatDoesNotPay) {
  RandomRays random(8);
  EmbreeScene scene({.threads = 1});
  scene.add(one(hills(random, 24, 60)), Pose::translation({0, 0, -1.9}));
  const Sensor few = spinning(16, 1600), many = spinning(32, 1600);
  EXPECT_GT(drawn_by(few, scene), 0u);
  EXPECT_EQ(drawn_by(spinning(4, 400), scene), 0u);  // few rays
  // So many that they are sampled first, but out of reach.
  const auto finest = scene.add(one(hills(random, 400, 60)), Pose::translation({0, 500, -1.8}));
  EXPECT_GT(drawn_by(many, scene), 0u);
  EXPECT_GT(drawn_by(few, scene), 0u);
  EXPECT_EQ(drawn_by(spinning(4, 800), scene), 0u);  // fewer rays than it takes to look
  scene.set_pose(finest, Pose::translation({0, 0, -1.8}));
  EXPECT_EQ(drawn_by(many, scene), 0u);
  EXPECT_EQ(drawn_by(few, scene), 0u);
  scene.remove(finest);
  EXPECT_GT(drawn_by(few, scene), 0u);
  scene.add(one(hills(random, 200, 60)), Pose::translation({0, 0, -1.8}));
  EXPECT_EQ(drawn_by(few, scene), 0u);  // many triangles
}

TEST(CasterChoice, DrawsMoreTrianglesWhereRaysPassManyOfThem) {
  const Sensor rays = spinning(32, 800);
  // About 2.2 triangles a ray each.
  RandomRays random(9);
  EmbreeScene ground({.threads = 1}), wood({.threads = 1});
  ground.add(one(hills(random, 168, 60)), Pose::translation({0, 0, -1.8}));
  wood.add(one(leaves(random, 56448, 15, 2)), {});
  EXPECT_EQ(drawn_by(rays, ground), 0u);
  EXPECT_GT(drawn_by(rays, wood), 0u);
}

TEST(CasterChoice, DoesNotDependOnThreads) {
  RandomRays random(11);
  const Sensor rays = test::camera(160, 160, 0.5, 0);
  constexpr std::size_t kBushes = 1200;
  std::vector<std::vector<VisibleShape>> bushes;
  for (std::size_t i = 0; i < kBushes; ++i) {
    const Vec3 place = Vec3(40, 0, 0) + random.in_box(20).cwiseProduct(Vec3(1, 0.5, 0.5));
    bushes.push_back(one(leaves(random, 64, 0.5, 0.3), Pose::translation(place)));
  }
  const auto visible = [](EmbreeScene& scene, std::size_t count) {
    for (std::size_t i = 0; i < kBushes; ++i) {
      scene.set_visible(static_cast<RayScene::Instance>(i), i < count);
    }
  };
  std::vector<std::unique_ptr<EmbreeScene>> scenes;
  for (const int threads : {1, 2, 3, 7}) {
    auto& scene = *scenes.emplace_back(std::make_unique<EmbreeScene>(RaySceneOptions{threads}));
    for (const auto& bush : bushes) scene.add(bush, {});
  }
  const auto drawn = [&](EmbreeScene& scene, std::size_t count) {
    visible(scene, count);
    return drawn_by(rays, scene) > 0;
  };
  // About the number at which tracing takes over.
  std::size_t few = 1, many = kBushes;
  ASSERT_TRUE(drawn(*scenes[0], few));
  ASSERT_FALSE(drawn(*scenes[0], many));
  while (many - few > 1) {
    const std::size_t middle = (few + many) / 2;
    (drawn(*scenes[0], middle) ? few : many) = middle;
  }
  for (std::size_t count = few - 12; count < few + 12; ++count) {
    for (auto& scene : scenes) {
      EXPECT_EQ(drawn(*scene, count), drawn(*scenes[0], count)) << count << " of " << few;
    }
  }
}

TEST(CasterChoice, CountsWhatIsBeforeACameraOnly) {
  RandomRays random(10);
  const Sensor image = test::camera(160, 160, 0.5, 0);
  EmbreeScene scene({.threads = 1});
  scene.add(one(hills(random, 200, 60)), Pose::translation({-40, 0, -1.8}));  // behind it
  EXPECT_GT(drawn_by(image, scene), 0u);
  scene.add(one(hills(random, 200, 60)), Pose::translation({40, 0, -1.8}));
  EXPECT_EQ(drawn_by(image, scene), 0u);
}

}  // namespace
}  // namespace protobeam
