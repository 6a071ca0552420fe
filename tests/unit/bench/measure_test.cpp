#include "app/bench/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/bench/agreement.h"
#include "app/bench/bare_trace.h"
#include "app/bench/city.h"
#include "app/bench/statues.h"
#include "tests/unit/support/plugin.h"

namespace protobeam::bench {
namespace {

std::unique_ptr<RayScene> ball_scene(int threads) {
  auto scene = make_embree_scene({threads});
  scene->add({{std::make_shared<Geometry>(Sphere{10}), {}}}, {});
  return scene;
}

std::unique_ptr<DeviceModel> small_lidar() {
  return make_sensor("Lidar", {{"maxRange", "50"},
                               {"numberOfLayers", "32"},
                               {"horizontalResolution", "200"},
                               {"fieldOfView", "6.28"}});
}

TEST(Bench, CountsTheRaysAndTakesTime) {
  const auto lidar = small_lidar();
  SampleInput input;
  input.X_WS = Pose::translation({1, 2, 3});
  for (const int threads : {1, 2}) {
    const Comparison c = compare_with_bare_trace(*lidar, input, ball_scene, threads, 3);
    EXPECT_EQ(c.rays, 6400u);
    EXPECT_EQ(c.threads, threads);
    EXPECT_GT(c.median_ms, 0);
    EXPECT_GT(c.baseline_ms, 0);
    EXPECT_GT(c.ratio, 0.1);
  }
  EXPECT_EQ(compare_threads(*lidar, input, ball_scene, 2, 3).rays, 6400u);
}

TEST(Bench, FindsWhereAnotherEngineDiffers) {
  const auto lidar = small_lidar();
  SampleInput input;
  input.X_WS = {axis_angle({1, 2, 3}, 0.4), {1, 2, 3}};
  const auto inside_of_ball = [](const Vec3& o, const Vec3& d, double, double) {
    const double b = o.dot(d);
    return -b + std::sqrt(b * b - o.squaredNorm() + 100);
  };
  EXPECT_EQ(compare_with_engine(*lidar, input, ball_scene, inside_of_ball, 1).differ, 0u);
  int calls = 0;
  const auto every_second = [&](const Vec3& o, const Vec3& d, double near, double far) {
    return inside_of_ball(o, d, near, far) + (calls++ % 2 == 0 ? 0.02 : 0.005);
  };
  EXPECT_EQ(compare_with_engine(*lidar, input, ball_scene, every_second, 1).differ, 3200u);
}

TEST(Bench, AFieldOfStatuesHasAMillionTrianglesAroundTheOrigin) {
  const auto field = statue_field(25, 40'000);
  ASSERT_EQ(field.size(), 26u);
  const auto scene = make_embree_scene({1});
  for (const PlacedMesh& one : field)
    scene->add({{std::make_shared<Geometry>(one.mesh), {}}}, one.X_WM);
  EXPECT_NEAR(static_cast<double>(scene->triangle_count()), 1e6, 2e4);
  // A ring of rays from amid them, 1.2 m above the ground: all that meet something meet a statue,
  // which is thinner than 0.5 m, and nothing stands where the rays begin.
  std::vector<float> dx, dy, dz;
  for (int i = 0; i < 3600; ++i) {
    dx.push_back(static_cast<float>(std::cos(i * kPi / 1800)));
    dy.push_back(static_cast<float>(std::sin(i * kPi / 1800)));
    dz.push_back(0);
  }
  RayBatch batch;
  batch.X_WS = Pose::translation({0, 0, 1.2});
  batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
  batch.count = dx.size();
  std::size_t hits = 0;
  double nearest = 1e9;
  scene->cast(batch, [&](const RayBlock& block) {
    for (std::size_t i = 0; i < block.count; ++i) {
      if (!std::isfinite(block.range[i])) continue;
      ++hits;
      nearest = std::min(nearest, static_cast<double>(block.range[i]));
    }
  });
  // Eight neighbours of 0.15 m at 2 to 5.7 m are 36 degrees of the ring, the others at most 30.
  EXPECT_GT(hits, 360u);
  EXPECT_LT(hits, 660u);
  EXPECT_NEAR(nearest, 2 - 0.15, 0.1);
}

TEST(Bench, FindsRaysThatAreDrawnOtherThanTraced) {
  int scenes = 0;
  const auto fill = [&](RayScene& scene) {
    add_city(scene);
    // In one of the two, a post that the other one does not have.
    if (++scenes == 4) {
      scene.add({{std::make_shared<Geometry>(Box{{0.5, 0.5, 9}}), {}}},
                Pose::translation({9, 5, 4}));
    }
  };
  const Agreement same = compare_with_embree(fill, City::viewpoint(), 1'000'000);
  EXPECT_GE(same.rays, 1'000'000u);
  EXPECT_GT(same.hits, same.rays / 2);
  EXPECT_EQ(same.wrong, 0u);
  EXPECT_LT(same.outlines, 20u);
  const Agreement other = compare_with_embree(fill, City::viewpoint(), 1'000'000);
  EXPECT_GT(other.wrong, 100u);
  EXPECT_EQ(other.hits, same.hits);
}

TEST(Bench, BareTraceSeesTheSameCity) {
  const auto scene = make_embree_scene({1});
  add_city(*scene);
  EXPECT_GT(scene->triangle_count(), 100'000u);
  std::vector<float> dx, dy, dz;
  for (int i = 0; i < 5000; ++i) {
    const double azimuth = i * 0.01, elevation = -0.3 + 0.0001 * i;
    dx.push_back(static_cast<float>(std::cos(azimuth) * std::cos(elevation)));
    dy.push_back(static_cast<float>(std::sin(azimuth) * std::cos(elevation)));
    dz.push_back(static_cast<float>(std::sin(elevation)));
  }
  RayBatch batch;
  batch.X_WS = City::viewpoint();
  batch.dx = dx.data(), batch.dy = dy.data(), batch.dz = dz.data();
  batch.count = dx.size();
  for (const int packet : {16, 8, 1}) {
    batch.packet = packet;
    std::vector<float> exact(batch.count), bare(batch.count);
    scene->cast(batch, [&](const RayBlock& block) {
      std::copy_n(block.range, block.count, exact.begin() + std::ptrdiff_t(block.first));
    });
    BareTrace(*scene, batch).run(bare);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < bare.size(); ++i) {
      if (std::isinf(exact[i])) {
        ASSERT_EQ(bare[i], exact[i]);
      } else {
        ++hits;
        ASSERT_NEAR(bare[i], exact[i], 2e-3);
      }
    }
    EXPECT_GT(hits, 3000u);
  }
}

}  // namespace
}  // namespace protobeam::bench
