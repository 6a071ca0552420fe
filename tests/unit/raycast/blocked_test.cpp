// Whether something lies on lines, against the ranges of rays along them.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "random_rays.h"
#include "raycast/ray_scene.h"

namespace protobeam {
namespace {

using test::RandomRays;
using test::Scan;
using test::one;

/// Points and directions about a place, and how far lines go.
struct Lines {
  Scan scan;  ///< the same as rays, from the place, with the world's axes
  std::vector<float> far;

  Lines(RandomRays& random, int count, bool timed) {
    for (int i = 0; i < count; ++i) {
      const Vec3 from = random.in_box(6);
      if (timed) {
        scan.add(random.direction(), random.uniform(0, 1), from);
      } else {
        scan.add(random.direction(), 1, from);
      }
      far.push_back(static_cast<float>(random.uniform(0.5, 8)));
    }
  }
  SightLines lines(const Vec3& origin_W, bool timed) const {
    SightLines out;
    out.origin_W = origin_W;
    out.ox = scan.ox.data(), out.oy = scan.oy.data(), out.oz = scan.oz.data();
    out.dx = scan.dx.data(), out.dy = scan.dy.data(), out.dz = scan.dz.data();
    out.far = far.data();
    out.time = timed ? scan.time.data() : nullptr;
    out.count = scan.size();
    return out;
  }
};

/// Asks in the sink of the cast of the rays themselves.
void compare(RayScene& scene, const Vec3& origin_W, bool timed, unsigned seed) {
  RandomRays random(seed);
  Lines lines(random, 2000, timed);
  Scan& scan = lines.scan;
  if (!timed) scan.time.clear();
  RayBatch batch = scan.batch(Pose::translation(origin_W));
  std::vector<float> range(scan.size());
  std::vector<std::uint8_t> blocked(scan.size(), 2);
  bool asked = false;
  scene.cast(batch, [&](const RayBlock& block) {
    std::copy_n(block.range, block.count, range.data() + block.first);
    if (block.first != 0) return;
    scene.find_blocked(lines.lines(origin_W, timed), blocked.data());
    asked = true;
  });
  ASSERT_TRUE(asked);
  int hits = 0;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    // Where a line ends on a surface, or runs along an outline, rounding decides.
    if (std::abs(range[i] - lines.far[i]) < 1e-4f) continue;
    const bool expected = range[i] < lines.far[i];
    ASSERT_EQ(blocked[i] != 0, expected) << i << " " << range[i] << " " << lines.far[i];
    hits += expected ? 1 : 0;
  }
  EXPECT_GT(hits, 20);
}

HeightField hills() {
  HeightField field;
  field.columns = field.rows = 30;
  field.spacing = {0.4, 0.4};
  for (int i = 0; i < 900; ++i) {
    field.heights.push_back(static_cast<float>(std::sin(0.7 * (i % 30)) * std::cos(0.5 * (i / 30.0))));
  }
  return field;
}

TEST(Blocked, LinesMeetWhatRaysMeet) {
  const Geometry shapes[] = {Box{{1, 2, 3}}, Sphere{1.5}, Cylinder{1, 2}, Cone{1.2, 2},
                             Plane{{4, 4}}, hills()};
  for (const Vec3& origin : {Vec3(0, 0, 0), Vec3(1000, -2000, 50)}) {
    RaySceneOptions options{2};
    options.points_as_triangles = 0;
    unsigned seed = 1;
    for (const Geometry& shape : shapes) {
      const auto scene = make_embree_scene(options);
      RandomRays random(seed);
      scene->add(one(shape, Pose{random.rotation(), Vec3(0.2, 0, 0)}),
                 Pose{random.rotation(), origin + random.in_box(1)});
      compare(*scene, origin, false, ++seed);
    }
  }
}

TEST(Blocked, LinesWithTimesMeetMovingThingsWhereTheyAre) {
  const Geometry shapes[] = {Box{{1, 2, 3}}, Sphere{1.5}, hills()};
  for (const Geometry& shape : shapes) {
    RaySceneOptions options{1};
    options.points_as_triangles = 0;
    const auto scene = make_embree_scene(options);
    RandomRays random(5);
    const auto moving = scene->add(one(shape, {}), {});
    scene->add(one(Box{{0.5, 0.5, 0.5}}, {}), Pose::translation({3, 0, 0}));
    const Pose before{random.rotation(), Vec3(-2, 0, 0)};
    const Pose after{axis_angle({0, 0, 1}, 0.4) * before.R, Vec3(2, 1, 0)};
    scene->set_motion(moving, before, after);
    compare(*scene, Vec3(0, 0, 0), true, 9);
    compare(*scene, Vec3(0, 0, 0), false, 10);
  }
}

TEST(Blocked, IsForSinksOnly) {
  const auto scene = make_embree_scene({1});
  std::uint8_t blocked = 0;
  EXPECT_THROW(scene->find_blocked({}, &blocked), std::logic_error);
}

}  // namespace
}  // namespace protobeam
