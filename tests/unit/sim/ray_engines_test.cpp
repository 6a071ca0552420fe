// Embree and Bullet see the same, also where everything moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/bullet_scene.h"
#include "tests/unit/raycast/random_rays.h"

namespace protobeam {
namespace {

using test::one;
using test::RandomRays;
using test::Scan;

Mesh tetrahedron() {
  Mesh mesh;
  mesh.vertices = {{-1, -0.8, -0.6}, {1.2, -0.6, -0.7}, {0.1, 1.1, -0.5}, {0, 0.1, 1.3}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  return mesh;
}

TEST(RayEngines, AgreeOnRandomMotion) {
  const auto embree = make_embree_scene({1}), bullet = make_bullet_scene();
  RandomRays random(11);
  // No capsules: Bullet's ray test of convex shapes does not converge on long ones.
  const Geometry kinds[] = {Box{{1, 2, 1.5}}, Sphere{0.9},   Cylinder{0.7, 2},
                            Cone{0.9, 1.8},   Plane{{3, 2}}, tetrahedron()};
  std::vector<Pose> poses;
  for (int i = 0; i < 42; ++i) {
    const auto shapes = one(kinds[i % 6], {random.rotation(), random.in_box(0.8)});
    poses.push_back({random.rotation(), random.in_box(10)});
    for (RayScene* scene : {embree.get(), bullet.get()}) scene->add(shapes, poses.back());
  }
  Pose X_WS{random.rotation(), random.in_box(2)};
  std::size_t rays = 0, returns = 0, apart = 0;
  for (int step = 0; step < 8; ++step) {
    for (std::uint32_t i = 0; i < poses.size(); ++i) {
      const Pose before = poses[i];
      // Some rest, some come to rest, some start.
      if ((i + static_cast<std::uint32_t>(step)) % 4 != 0) {
        poses[i].p += random.in_box(0.5);
        const double angle = random.uniform(0, 0.5);
        poses[i].R = before.R * axis_angle(random.direction(), angle);
      }
      for (RayScene* scene : {embree.get(), bullet.get()}) scene->set_motion(i, before, poses[i]);
    }
    const Pose before = X_WS;
    X_WS = {before.R * axis_angle(random.direction(), 0.2), before.p + random.in_box(0.3)};
    Scan ours;
    for (int i = 0; i < 1500; ++i) {
      // The order of arguments would be the compiler's.
      const Vec3 origin = random.in_box(0.3);
      const double time = random.uniform(0, 1);
      ours.add(random.direction(), time, origin);
    }
    Scan theirs = ours;
    RayBatch batch = ours.batch(X_WS);
    batch.X_WS_before = before;
    batch.t_near = 0.2f, batch.t_far = 25;
    batch.packet = step % 2 == 0 ? 16 : 1;
    batch.hits = batch.normals = true;
    ours.cast_batch(*embree, batch);
    theirs.cast_batch(*bullet, batch);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      ++rays;
      if (std::isinf(ours.range[i]) && std::isinf(theirs.range[i])) continue;
      ++returns;
      // On outlines the last bits decide.
      if (ours.instance[i] != theirs.instance[i] ||
          !(std::abs(ours.range[i] - theirs.range[i]) < 1e-4f)) {
        ++apart;
        continue;
      }
      const Vec3 n(ours.nx[i], ours.ny[i], ours.nz[i]);
      const Vec3 m(theirs.nx[i], theirs.ny[i], theirs.nz[i]);
      apart += std::abs(n.dot(m)) < 0.999 ? 1 : 0;
    }
  }
  EXPECT_GT(returns, rays / 4);
  EXPECT_LE(apart, rays / 1000);
}

TEST(RayEngines, AgreeOnRaysWithOriginsAndNoTimes) {
  const auto embree = make_embree_scene({1}), bullet = make_bullet_scene();
  for (RayScene* scene : {embree.get(), bullet.get()}) {
    const auto wall = scene->add(one(Box{{1, 40, 40}}), {});
    scene->set_motion(wall, Pose::translation({5.5, 0, 0}), Pose::translation({10.5, 0, 0}));
  }
  Scan ours;
  ours.add({1, 0, 0}, 0, {0.5, 0, 0});
  ours.add({0.6, 0.8, 0}, 0, {-2, 0, 0});
  ours.time.clear();
  Scan theirs = ours;
  RayBatch batch = ours.batch({});
  batch.X_WS_before = Pose::translation({-7, 0, 0});  // of no effect
  ours.cast_batch(*embree, batch);
  theirs.cast_batch(*bullet, batch);
  for (const Scan* scan : {&ours, &theirs}) {
    EXPECT_NEAR(scan->range[0], 9.5, 1e-5);
    EXPECT_NEAR(scan->range[1], 20, 1e-5);
  }
}

}  // namespace
}  // namespace protobeam
