// Which rays are drawn over and which are traced: by what is in view, not by what there is.
#include <gtest/gtest.h>

#include <cstdint>

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
