#include <gtest/gtest.h>

#include "physics/bullet_rays.h"
#include "tests/unit/physics/scenes.h"

namespace protobeam::physics {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

BulletRays::Shape visible(const Geometry& geometry, const Pose& X_BS = {}) {
  return {std::make_shared<Geometry>(geometry), X_BS};
}

/// Distance to a sphere of radius 1 at the origin; the second crossing if `leaving`.
double sphere_distance(const Vec3& o, const Vec3& d, bool leaving) {
  const double b = o.dot(d), root = std::sqrt(b * b - o.squaredNorm() + 1);
  return leaving ? -b + root : -b - root;
}

TEST(BulletRays, MeetASphereFromOutsideAndInside) {
  BulletRays rays;
  rays.add({visible(Sphere{1})}, {});
  for (int i = 0; i < 200; ++i) {
    const Vec3 target(0.5 * std::sin(3.1 * i), 0.5 * std::sin(5.3 * i), 0.5 * std::cos(7.7 * i));
    const Vec3 d = Vec3(std::sin(1.3 * i), std::cos(2.9 * i), std::sin(0.7 * i + 1)).normalized();
    const Vec3 outside = target - 20 * d;
    const auto hit = rays.cast(outside, d, 0, 100);
    ASSERT_TRUE(hit) << i;
    EXPECT_NEAR(hit->distance, sphere_distance(outside, d, false), 1e-6);
    EXPECT_LT((hit->normal_W - (outside + d * hit->distance)).norm(), 1e-3);
    const auto inner = rays.cast(target, d, 0, kFar);
    ASSERT_TRUE(inner) << i;
    EXPECT_NEAR(inner->distance, sphere_distance(target, d, true), 1e-6);
    EXPECT_LT(inner->normal_W.dot(d), 0) << "faces the ray";
  }
}

TEST(BulletRays, DoNotSeeSurfacesNearerThanNear) {
  BulletRays rays;
  rays.add({visible(Sphere{1})}, {});
  const int wall = rays.add({visible(Box{{1, 4, 4}})}, Pose::translation({5, 0, 0}));
  const Vec3 o(-3, 0, 0), d = Vec3::UnitX();
  EXPECT_NEAR(rays.cast(o, d, 0, kFar)->distance, 2, 1e-6);
  EXPECT_NEAR(rays.cast(o, d, 2.5, kFar)->distance, 4, 1e-6);  // leaving the sphere
  EXPECT_NEAR(rays.cast(o, d, 4.5, kFar)->distance, 7.5, 1e-9);
  EXPECT_NEAR(rays.cast(o, d, 8, kFar)->distance, 8.5, 1e-9);
  EXPECT_FALSE(rays.cast(o, d, 4.5, 7));
  rays.set_visible(wall, false);
  EXPECT_FALSE(rays.cast(o, d, 4.5, kFar));
}

TEST(BulletRays, SeeWhatIsLeftOfAnOpenCylinder) {
  BulletRays rays;
  Cylinder tube{1, 2};
  tube.top = false;
  const int id = rays.add({visible(tube)}, {});
  const Vec3 down(0, 0, -1);
  EXPECT_NEAR(rays.cast({0.3, 0, 5}, down, 0, 100)->distance, 6, 1e-6);  // the bottom, from above
  EXPECT_NEAR(rays.cast({0.3, 0, 0}, Vec3::UnitX(), 0, 100)->distance, 0.7, 1e-6);
  EXPECT_FALSE(rays.cast({0.3, 0, 0}, Vec3::UnitZ(), 0, 100));
  rays.set_pose(id, Pose::translation({0, 0, -2}));
  EXPECT_NEAR(rays.cast({0.3, 0, 5}, down, 0, 100)->distance, 8, 1e-6);
}

TEST(BulletRays, MeetEachKindOfShapeWhereItIs) {
  BulletRays rays;
  const auto along_x = [&](const Geometry& geometry, double z) {
    const int id =
        rays.add({visible(Sphere{0.01}, Pose::translation({0, 50, 0})), visible(geometry)},
                 Pose::translation({10, 0, 0}));
    const auto hit = rays.cast({0, 0, z}, Vec3::UnitX(), 0, kFar);
    rays.set_visible(id, false);
    if (!hit) return -1.0;
    EXPECT_EQ(hit->instance, id);
    EXPECT_EQ(hit->shape, 1);
    return hit->distance;
  };
  EXPECT_NEAR(along_x(Cylinder{1, 2}, 0.5), 9, 1e-6);
  EXPECT_NEAR(along_x(Capsule{1, 2}, 1.6), 10 - 0.8, 1e-6);
  EXPECT_NEAR(along_x(Cone{1, 2}, 0), 9.5, 1e-6);
  EXPECT_NEAR(along_x(Box{{2, 3, 4}}, 1.9), 9, 1e-9);
  Mesh roof;
  roof.vertices = {{-1, -1, -1}, {-1, 1, -1}, {1, 0, 1}};
  roof.triangles = {{0, 1, 2}};
  EXPECT_NEAR(along_x(roof, 0), 10, 1e-9);
  EXPECT_EQ(along_x(Plane{{4, 4}}, 0.1), -1);
  const int floor = rays.add({visible(Plane{{4, 4}})}, Pose::translation({10, 0, -1}));
  EXPECT_EQ(rays.cast({11.9, 1.9, 0}, -Vec3::UnitZ(), 0, kFar)->instance, floor);
  EXPECT_FALSE(rays.cast({12.1, 0, 0}, -Vec3::UnitZ(), 0, kFar));
}

TEST(World, CastsRaysAtCollisionShapes) {
  World world(world_spec(0.016, Vec3::Zero()));
  world.add_body(ground());
  BodySpec robot = ball("robot", 1, 0.5, {0, 0, 2});
  robot.shapes.push_back(shape(Box{{0.2, 0.2, 0.2}}, Pose::translation({2, 0, 0}), 0, 5));
  const BodyId r = world.add_body(robot);
  const BodyId wall = world.add_body(box("wall", 1, {1, 2, 2}, {6, 0, 2}));
  auto hit = world.cast_ray({-3, 0, 2}, Vec3::UnitX(), kFar);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, r);
  EXPECT_EQ(hit->owner, -1);
  EXPECT_NEAR(hit->distance, 2.5, 1e-4);
  EXPECT_LT((hit->normal_W + Vec3::UnitX()).norm(), 1e-3);
  hit = world.cast_ray({1, 0, 2}, Vec3::UnitX(), kFar);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->owner, 5);
  EXPECT_NEAR(hit->distance, 0.9, 1e-4);
  hit = world.cast_ray({-3, 0, 2}, Vec3::UnitX(), kFar, r);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->body, wall);
  EXPECT_NEAR(hit->distance, 8.5, 1e-4);
  EXPECT_FALSE(world.cast_ray({-3, 0, 2}, Vec3::UnitX(), 2.4));
  hit = world.cast_ray({-3, 0, 2}, Vec3(1, 0, -1).normalized(), 100);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->owner, 1000);
  EXPECT_NEAR(hit->distance, 2 * std::numbers::sqrt2, 1e-9);
  EXPECT_LT((hit->normal_W - Vec3::UnitZ()).norm(), 1e-9);
  world.set_pose(wall, Pose::translation({6, 9, 2}));
  EXPECT_FALSE(world.cast_ray({3, 0, 2}, Vec3::UnitX(), kFar));
}

}  // namespace
}  // namespace protobeam::physics
