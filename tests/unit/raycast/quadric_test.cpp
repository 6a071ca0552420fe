#include "raycast/quadric.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "random_rays.h"

namespace protobeam {
namespace {

using test::intersect_quadric;
using test::QuadricHit;

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

/// Nearest sign change of an implicit function along a ray, by marching and bisection: slow and
/// independent of any formula for roots.
double march(const std::function<double(const Vec3&)>& f, const Vec3& o, const Vec3& d,
             double far) {
  constexpr double kStep = 2e-3;
  double before = f(o);
  for (double t = kStep; t < far; t += kStep) {
    const double now = f(o + t * d);
    if ((before < 0) != (now < 0)) {
      double low = t - kStep, high = t;
      for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        ((f(o + middle * d) < 0) == (before < 0) ? low : high) = middle;
      }
      return high;
    }
    before = now;
  }
  return kNoEnd;
}

/// Signed "inside" functions of the closed solids: negative inside.
double inside(const Sphere& s, const Vec3& p) { return p.norm() - s.radius; }
double inside(const Cylinder& c, const Vec3& p) {
  return std::max(std::hypot(p.x(), p.y()) - c.radius, std::abs(p.z()) - c.height / 2);
}
double inside(const Capsule& c, const Vec3& p) {
  const double z = std::clamp(p.z(), -c.height / 2, c.height / 2);
  return (p - Vec3(0, 0, z)).norm() - c.radius;
}
double inside(const Cone& c, const Vec3& p) {
  return std::max(std::hypot(p.x(), p.y()) - c.radius * (c.height / 2 - p.z()) / c.height,
                  -c.height / 2 - p.z());
}

template <typename Shape>
void compare_with_marching(const Shape& shape) {
  test::RandomRays rays(7);
  const Geometry geometry = shape;
  int hits = 0;
  for (int i = 0; i < 1500; ++i) {
    const Vec3 o = rays.in_box(i % 3 == 0 ? 0.4 : 3);  // every third starts inside or close by
    const Vec3 target = rays.in_box(0.8);
    const Vec3 d = (target - o).normalized();
    const double expected = march([&](const Vec3& p) { return inside(shape, p); }, o, d, 8);
    const QuadricHit hit = intersect_quadric(geometry, o, d, 0, 8);
    if (expected < kNoEnd) {
      ++hits;
      ASSERT_NEAR(hit.t, expected, 1e-9) << i;
      ASSERT_NEAR(inside(shape, o + hit.t * d), 0, 1e-12);
      // The normal leads outwards.
      const Vec3 p = o + hit.t * d;
      ASSERT_GT(inside(shape, p + 1e-6 * hit.normal.normalized()), 0);
    } else if (hit.t < kNoEnd) {
      // Marching steps over corners that are thinner than its step: then it is a short chord.
      ASSERT_GT(inside(shape, o + (hit.t + 3e-3) * d), 0) << i;
    }
  }
  EXPECT_GT(hits, 700);
}

TEST(Quadric, SphereEqualsMarching) { compare_with_marching(Sphere{0.8}); }
TEST(Quadric, CylinderEqualsMarching) { compare_with_marching(Cylinder{0.7, 1.1}); }
TEST(Quadric, CapsuleEqualsMarching) { compare_with_marching(Capsule{0.5, 0.9}); }
TEST(Quadric, ConeEqualsMarching) { compare_with_marching(Cone{0.9, 1.3}); }

TEST(Quadric, KeepsItsDigitsFarAway) {
  // A ball of 10 cm, 1000 km away, hit in the middle and at half its radius.
  const Geometry ball = Sphere{0.1};
  EXPECT_NEAR(intersect_quadric(ball, {-1e6, 0, 0}, {1, 0, 0}, 0, kNoEnd).t, 1e6 - 0.1, 1e-9);
  EXPECT_NEAR(intersect_quadric(ball, {-1e6, 0.05, 0}, {1, 0, 0}, 0, kNoEnd).t,
              1e6 - std::sqrt(0.01 - 0.0025), 1e-9);
}

TEST(Quadric, LeavesOutMissingParts) {
  const auto t = [](const Geometry& g, const Vec3& o, const Vec3& d) {
    return intersect_quadric(g, o, d, 0, kNoEnd).t;
  };
  const Vec3 down(0, 0, -1), up(0, 0, 1), x(1, 0, 0);
  // Through an open top onto the bottom.
  EXPECT_DOUBLE_EQ(t(Cylinder{1, 2, true, true, true}, {0, 0, 5}, down), 4);
  EXPECT_DOUBLE_EQ(t(Cylinder{1, 2, true, true, false}, {0, 0, 5}, down), 6);
  EXPECT_EQ(t(Cylinder{1, 2, false, true, false}, {0, 0, 5}, down), kNoEnd);
  EXPECT_DOUBLE_EQ(t(Cylinder{1, 2, false, true, true}, {0, 0, -5}, up), 6);
  EXPECT_EQ(t(Cylinder{1, 2, true, false, true}, {-5, 0, 0}, x), kNoEnd);
  EXPECT_DOUBLE_EQ(t(Capsule{1, 2, true, true, true}, {0, 0, 5}, down), 3);
  EXPECT_DOUBLE_EQ(t(Capsule{1, 2, true, true, false}, {0, 0, 5}, down), 7);
  EXPECT_DOUBLE_EQ(t(Capsule{1, 2, false, true, true}, {0, 0, -5}, up), 7);
  EXPECT_EQ(t(Capsule{1, 2, true, false, true}, {-5, 0, 0}, x), kNoEnd);
  EXPECT_DOUBLE_EQ(t(Cone{1, 2, true, true}, {0.25, 0, 5}, down), 4.5);
  EXPECT_DOUBLE_EQ(t(Cone{1, 2, true, false}, {0.25, 0, 5}, down), 6);
  EXPECT_EQ(t(Cone{1, 2, false, false}, {0.25, 0, 5}, down), kNoEnd);
}

TEST(Quadric, RespectsNearAndFar) {
  const Geometry ball = Sphere{1};
  EXPECT_DOUBLE_EQ(intersect_quadric(ball, {-3, 0, 0}, {1, 0, 0}, 2.5, kNoEnd).t, 4);
  EXPECT_EQ(intersect_quadric(ball, {-3, 0, 0}, {1, 0, 0}, 0, 1.9).t, kNoEnd);
  EXPECT_DOUBLE_EQ(intersect_quadric(ball, {-3, 0, 0}, {1, 0, 0}, 2, 2).t, 2);
}

TEST(Quadric, HasNoLeakAtSeams) {
  // From inside every ray hits, exactly through the rims and seams too.
  const Geometry shapes[] = {Cylinder{0.7, 1.1}, Capsule{0.5, 0.9}, Cone{0.9, 1.3}};
  const double rims[] = {0.7, 0.5, 0.9}, heights[] = {0.55, 0.45, -0.65};
  for (int s = 0; s < 3; ++s) {
    for (int i = 0; i < 5000; ++i) {
      const double a = i * 0.0012566;
      const Vec3 rim(rims[s] * std::cos(a), rims[s] * std::sin(a), heights[s]);
      const Vec3 o(0.05, -0.03, -0.1);
      ASSERT_LT(intersect_quadric(shapes[s], o, (rim - o).normalized(), 0, kNoEnd).t, 3) << s << i;
    }
  }
}

}  // namespace
}  // namespace protobeam
