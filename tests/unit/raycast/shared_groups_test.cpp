#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "closed_form.h"
#include "random_rays.h"

namespace protobeam {
namespace {

using test::RandomRays;

std::vector<VisibleShape> shapes() {
  RandomRays random(5);
  Mesh rubble;
  for (int i = 0; i < 3000; ++i) {
    const auto first = static_cast<std::uint32_t>(rubble.vertices.size());
    const Vec3 at = random.in_box(8);
    for (int k = 0; k < 3; ++k) rubble.vertices.push_back(at + random.in_box(0.4));
    rubble.triangles.push_back({first, first + 1, first + 2});
  }
  return {{std::make_shared<const Geometry>(std::move(rubble)), {}},
          {std::make_shared<const Geometry>(Sphere{1}), Pose::translation({5, 0, 0})}};
}

/// Ranges of a scene that moves; enough rays for the beam caster.
std::vector<float> ranges(const std::vector<VisibleShape>& shapes) {
  constexpr int kColumns = 2048, kTileRows = 1, kLayers = 16;
  std::vector<float> dx, dy, dz;
  for (int column = 0; column < kColumns; ++column) {
    for (int layer = 0; layer < kLayers; ++layer) {
      const double azimuth = -2 * kPi * column / kColumns, elevation = (layer - 8) * 0.03;
      dx.push_back(static_cast<float>(std::cos(azimuth) * std::cos(elevation)));
      dy.push_back(static_cast<float>(std::sin(azimuth) * std::cos(elevation)));
      dz.push_back(static_cast<float>(std::sin(elevation)));
    }
  }
  const auto scene = make_embree_scene({1});
  const RayScene::Instance there = scene->add(shapes, Pose{});
  RayBatch batch;
  batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
  batch.count = dx.size();
  const auto tiles = scene->arrange(batch, kTileRows);
  batch.tiles = tiles.get();
  std::vector<float> all;
  for (int step = 0; step < 4; ++step) {
    const Pose X{axis_angle(Vec3::UnitZ(), 0.3 * step), Vec3(0.1 * step, 0, 0)};
    scene->set_pose(there, X);
    std::vector<float> range(batch.count);
    scene->cast(batch, [&](const RayBlock& block) {
      std::copy_n(block.range, block.count, range.begin() + static_cast<long>(block.first));
    });
    all.insert(all.end(), range.begin(), range.end());
  }
  return all;
}

TEST(SharedGroups, ScenesOnThreadsSeeWhatOneAloneSees) {
  const std::vector<float> alone = ranges(shapes());
  for (int round = 0; round < 10; ++round) {
    const auto shared = shapes();
    std::vector<std::vector<float>> seen(4);
    std::vector<std::thread> threads;
    for (auto& mine : seen) threads.emplace_back([&] { mine = ranges(shared); });
    for (std::thread& thread : threads) thread.join();
    for (const auto& one : seen) ASSERT_EQ(one, alone);
  }
}

TEST(SharedGroups, GiveUpTheirShapesWithTheLastScene) {
  const auto shared = shapes();
  const std::weak_ptr<const Geometry> mesh = shared.front().geometry;
  auto first = make_embree_scene({1}), second = make_embree_scene({1});
  first->add(shared, Pose{});
  const long once = mesh.use_count();
  second->add(shared, Pose{});
  EXPECT_EQ(mesh.use_count(), once);  // there is but one group
  first.reset();
  EXPECT_EQ(mesh.use_count(), once);
  second.reset();
  EXPECT_EQ(mesh.use_count(), 1);
}

/// A terrain of that many triangles comes and goes.
std::weak_ptr<const Geometry> pass(RayScene& scene, std::uint32_t triangles) {
  Mesh strip;
  for (std::uint32_t i = 0; i < triangles + 2; ++i)
    strip.vertices.emplace_back(0.01 * i, i % 2, 0.001 * triangles);
  for (std::uint32_t i = 0; i < triangles; ++i) strip.triangles.push_back({i, i + 1, i + 2});
  const auto shape = std::make_shared<const Geometry>(std::move(strip));
  scene.remove(scene.add({{shape, {}}}, Pose{}));
  return shape;
}

TEST(SharedGroups, WithoutAnInstanceAreBoundedBySize) {
  const auto scene = make_embree_scene({1});
  const auto small = pass(*scene, 1000), large = pass(*scene, 300'000);
  EXPECT_FALSE(small.expired());  // for who comes again
  EXPECT_FALSE(large.expired());
  const auto other = pass(*scene, 200'000);
  EXPECT_TRUE(small.expired());
  EXPECT_TRUE(large.expired());
  EXPECT_TRUE(other.expired());
}

}  // namespace
}  // namespace protobeam
