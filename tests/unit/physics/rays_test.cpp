#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

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

/// How far points in its own frame are from a shape; less than 0 in it.
double away_from(const Geometry& geometry, const Vec3& p) {
  const auto outside = [](const Vec3& beyond) {
    return beyond.cwiseMax(0).norm() + std::min(beyond.maxCoeff(), 0.0);
  };
  if (const auto* box = std::get_if<Box>(&geometry)) return outside(p.cwiseAbs() - box->size / 2);
  if (const auto* ball = std::get_if<Sphere>(&geometry)) return p.norm() - ball->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&geometry)) {
    return outside(
        {p.head<2>().norm() - cylinder->radius, std::abs(p.z()) - cylinder->height / 2, -1e9});
  }
  if (const auto* cone = std::get_if<Cone>(&geometry)) {
    // A lower bound, exact where it matters, on the surface.
    const Vec2 across = Vec2(cone->height, cone->radius).normalized();
    const double side = across.dot(Vec2(p.head<2>().norm(), p.z() - cone->height / 2));
    return std::max(side, -cone->height / 2 - p.z());
  }
  const auto& capsule = std::get<Capsule>(geometry);
  const double z = std::clamp(p.z(), -capsule.height / 2, capsule.height / 2);
  return (p - Vec3(0, 0, z)).norm() - capsule.radius;
}

/// Where a line first meets a shape, by going on as far as nothing can be.
std::optional<double> march(const Geometry& geometry, const Vec3& o, const Vec3& d) {
  for (double t = 0; t < 100;) {
    const double away = away_from(geometry, o + t * d);
    if (away < 1e-12) return t;
    t += away;
  }
  return std::nullopt;
}

/// Casts rays from all around at a shape that stands somewhere, by both kinds of rays;
/// expected(o_S, d_S) is the right distance.
template <typename Expected>
void expect_rays_to_meet(const Geometry& geometry, const Expected& expected) {
  const Pose X_WB{axis_angle(Vec3(1, 2, 0.5).normalized(), 0.7), {3, -1, 2}};
  World world(world_spec(0.016, Vec3::Zero()));
  BodySpec spec = box("it", 1, {1, 1, 1}, X_WB.p);
  spec.X_WB = X_WB;
  spec.shapes = {shape(geometry)};
  world.add_body(spec);
  BulletRays rays;
  rays.add({visible(geometry)}, X_WB);
  int hits = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 target =
        X_WB.p + Vec3(1.2 * std::sin(3.1 * i), 1.2 * std::sin(5.3 * i), 1.2 * std::cos(7.7 * i));
    const Vec3 d = Vec3(std::sin(1.3 * i), std::cos(2.9 * i), std::sin(0.7 * i + 1)).normalized();
    const Vec3 o = target - 30 * d;
    const auto distance = expected(X_WB.inverse() * o, X_WB.R.conjugate() * d);
    const auto solid = world.cast_ray(o, d, kFar);
    const auto seen = rays.cast(o, d, 0, kFar);
    ASSERT_EQ(solid.has_value(), distance.has_value()) << i;
    ASSERT_EQ(seen.has_value(), distance.has_value()) << i;
    if (!distance) continue;
    EXPECT_NEAR(solid->distance, *distance, 1e-9) << i;
    EXPECT_LT(solid->normal_W.dot(d), 0) << i;
    EXPECT_NEAR(seen->distance, *distance, 1e-9) << i;
    ++hits;
  }
  EXPECT_GT(hits, 50);
  EXPECT_LT(hits, 1950);
}

TEST(World, RaysMeetShapesWhereTheyAre) {
  const Geometry shapes[] = {Box{{1, 2, 3}},    Sphere{1.2},      Cylinder{0.8, 3}, Capsule{0.6, 2},
                             Cylinder{2, 0.01}, Capsule{0.05, 3}, Cone{1, 2},       Cone{0.5, 3}};
  for (const Geometry& geometry : shapes) {
    SCOPED_TRACE(geometry.index());
    expect_rays_to_meet(
        geometry, [&](const Vec3& o_S, const Vec3& d_S) { return march(geometry, o_S, d_S); });
  }
}

/// Where a line first meets one of the triangles.
std::optional<double> meet_triangles(const Mesh& mesh, const Vec3& o, const Vec3& d) {
  std::optional<double> nearest;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]], u = mesh.vertices[t[1]] - a, v = mesh.vertices[t[2]] - a;
    const Vec3 h = d.cross(v), s = o - a, q = s.cross(u);
    const double det = u.dot(h), at_u = s.dot(h) / det, at_v = d.dot(q) / det;
    if (at_u < 0 || at_v < 0 || at_u + at_v > 1) continue;
    const double distance = v.dot(q) / det;
    if (distance >= 0 && !(nearest && *nearest < distance)) nearest = distance;
  }
  return nearest;
}

TEST(World, RaysMeetHullsWhereTheyAre) {
  Mesh pyramid;
  pyramid.vertices = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {0.3, 0, 1}};
  pyramid.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  expect_rays_to_meet(
      pyramid, [&](const Vec3& o_S, const Vec3& d_S) { return meet_triangles(pyramid, o_S, d_S); });
}

TEST(World, RaysAlongAnAxisMeetShapesAtTheirEnds) {
  // Also where squares of what they are off by are no numbers any more.
  for (const double off : {0.0, 1e-320, 1e-200, 1e-17, 1e-9}) {
    for (const Geometry& geometry :
         {Geometry(Box{{2, 2, 4}}), Geometry(Cylinder{1, 4}), Geometry(Capsule{0.5, 3})}) {
      World world(world_spec(0.016, Vec3::Zero()));
      BodySpec spec = box("it", 1, {1, 1, 1}, Vec3::Zero());
      spec.shapes = {shape(geometry)};
      world.add_body(spec);
      const Vec3 d = Vec3(off, -off, -1).normalized();
      const auto hit = world.cast_ray({0, 0, 9}, d, kFar);
      ASSERT_TRUE(hit) << geometry.index() << ' ' << off;
      EXPECT_NEAR(hit->distance, 7, 1e-12) << geometry.index() << ' ' << off;
      const auto inside = world.cast_ray(Vec3::Zero(), d, kFar);
      ASSERT_TRUE(inside) << geometry.index() << ' ' << off;
      EXPECT_NEAR(inside->distance, 2, 1e-12) << geometry.index() << ' ' << off;
      EXPECT_FALSE(world.cast_ray({1.5, 0, 9}, d, kFar)) << geometry.index() << ' ' << off;
    }
  }
}

/// What stands at 7 0 0, turned so that its z axis lies along y, and how rays leave it.
struct Inside {
  const char* name;
  Geometry geometry;
  double x, y, z;  ///< m, from its middle to its surface along the axes of the world
};

std::vector<Inside> insides() {
  Mesh wedge;  // a pyramid is convex: its body collides as a hull
  wedge.vertices = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {0.3, 0, 1}};
  wedge.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  return {{"Box", Box{{1, 2, 3}}, 0.5, 1.5, 1},
          {"Sphere", Sphere{1.2}, 1.2, 1.2, 1.2},
          {"Cylinder", Cylinder{0.8, 3}, 0.8, 1.5, 0.8},
          {"Capsule", Capsule{0.6, 2}, 0.6, 1.6, 0.6},
          {"Mesh", wedge, 0.65, 2 / 1.3 - 1, 0.5}};
}

TEST(World, RaysThatBeginInAConvexShapeMeetItsFarSide) {
  const Pose X_WB{axis_angle(Vec3::UnitX(), -std::numbers::pi / 2), {7, 0, 0}};
  for (const Inside& inside : insides()) {
    for (const Motion motion : {Motion::kStatic, Motion::kDynamic}) {
      SCOPED_TRACE(std::string(inside.name) + (motion == Motion::kStatic ? " static" : " dynamic"));
      World world(world_spec(0.016, Vec3::Zero()));
      BodySpec spec = box("it", 1, {1, 1, 1}, X_WB.p);
      spec.motion = motion;
      spec.X_WB = X_WB;
      spec.shapes = {shape(inside.geometry, {}, 0, 5)};
      const BodyId it = world.add_body(spec);
      const BodyId wall = world.add_body(box("wall", 1, {1, 9, 9}, {20, 0, 0}));
      const double sizes[] = {inside.x, inside.y, inside.z};
      const bool hull = std::holds_alternative<Mesh>(inside.geometry);
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 d = Vec3::Unit(axis);
        const Vec3 from = X_WB.p - 0.1 * d;
        const auto hit = world.cast_ray(from, d, kFar);
        ASSERT_TRUE(hit) << axis;
        EXPECT_EQ(hit->body, it);
        EXPECT_EQ(hit->owner, 5);
        EXPECT_NEAR(hit->distance, sizes[axis] + 0.1, hull ? 1e-4 : 1e-12) << axis;
        // ODE turns the normal of a Cylinder out, those of others to the ray.
        const bool outward = std::holds_alternative<Cylinder>(inside.geometry);
        EXPECT_EQ(hit->normal_W.dot(d) > 0, outward) << axis;
        EXPECT_FALSE(world.cast_ray(from, d, sizes[axis] + 0.05)) << axis << ": it ends before";
        // From outside they meet the near side.
        const auto near = world.cast_ray(X_WB.p - 3 * d, d, kFar);
        ASSERT_TRUE(near) << axis;
        EXPECT_LT(near->distance, 3) << axis;
        EXPECT_LT(near->normal_W.dot(d), 0) << axis;
      }
      EXPECT_EQ(world.cast_ray(X_WB.p, Vec3::UnitX(), kFar, it)->body, wall);
      const auto other = [](int owner) { return owner == 5; };
      EXPECT_EQ(world.cast_ray(X_WB.p, Vec3::UnitX(), kFar, kWorldBody, other)->body, wall);
    }
  }
}

TEST(World, RaysBesideAConvexShapePassIt) {
  World world(world_spec(0.016, Vec3::Zero()));
  world.add_body(ball("ball", 1, 1, Vec3::Zero()));
  // In the box around the ball, but not in it.
  const Vec3 corner = Vec3::Constant(0.9);
  EXPECT_FALSE(world.cast_ray(corner, Vec3::UnitX(), kFar));
  EXPECT_FALSE(world.cast_ray(corner, corner.normalized(), kFar));
  EXPECT_NEAR(world.cast_ray(corner, -corner.normalized(), kFar)->distance, corner.norm() - 1,
              1e-4);
}

TEST(World, ProbingRaysLeaveAShapeInWhichTheyBegin) {
  // A wheel in a curb is held up by what is below it, not by the curb's underside.
  World world(world_spec(0.016, Vec3::Zero()));
  world.add_body(ball("ball", 1, 1, Vec3::Zero()));
  Surroundings surroundings;
  std::vector<NearShape> near;
  world.shapes_near(Vec3::Constant(-0.1), Vec3::Constant(0.1), kWorldBody, surroundings, near);
  ASSERT_EQ(near.size(), 1u);
  EXPECT_FALSE(world.cast_ray(near[0], Vec3::Zero(), -Vec3::UnitZ(), 5));
  EXPECT_TRUE(world.cast_ray(near[0], Vec3(0, 0, 3), -Vec3::UnitZ(), 5));
}

}  // namespace
}  // namespace protobeam::physics
