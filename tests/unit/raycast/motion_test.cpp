// Rays with times and origins of their own, through things that move.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "app/bench/bare_trace.h"
#include "closed_form.h"
#include "random_rays.h"
#include "raycast/ray_scene.h"

namespace protobeam {
namespace {

using test::closed_form;
using test::kInf;
using test::one;
using test::RandomRays;
using test::Scan;

/// Interpolation by Eigen alone.
Pose between(const Pose& before, const Pose& after, double time) {
  return {before.R.slerp(time, after.R), before.p + time * (after.p - before.p)};
}

void cast_on_the_way(Scan& scan, RayScene& scene, const Pose& before, const Pose& after,
                     int packet = 16, bool hits = false) {
  RayBatch batch = scan.batch(after);
  batch.X_WS_before = before;
  batch.packet = packet;
  batch.hits = batch.normals = hits;
  scan.cast_batch(scene, batch);
}

/// A car at 20 m/s that turns by 3 rad/s, its lidar 1.3 m ahead of its middle.
struct Drive {
  static constexpr double kSpeed = 20, kTurn = 3, kStep = 0.008;
  Vec3 start = Vec3::Zero();

  Pose pose(double t) const {
    const double a = kTurn * t, radius = kSpeed / kTurn;
    const Pose X_WC{axis_angle({0, 0, 1}, a),
                    start + radius * Vec3(std::sin(a), 1 - std::cos(a), 0)};
    return X_WC * Pose{axis_angle({0.1, 1, 0}, 0.02), {1.3, 0, 1.8}};
  }
};

TEST(Motion, RangesOfASensorFlyingPastAWallAreThoseOfItsInterpolatedPose) {
  const double distance = 50;
  for (const Vec3& start : {Vec3(0, 0, 0), Vec3(100'000, -100'000, 0)}) {
    const auto scene = make_embree_scene({1});
    // The wall turned a little, so that no axis is special.
    const Pose X_WP{axis_angle({0, 1, 0.1}, 1.4), start + Vec3(distance, 0, 0)};
    scene->add(one(Plane{{400, 400}}), X_WP);
    const Drive drive{start};
    RandomRays random(1);
    for (int step = 0; step < 24; ++step) {
      const Pose before = drive.pose(step * Drive::kStep);
      const Pose after = drive.pose((step + 1) * Drive::kStep);
      Scan scan;
      for (int i = 0; i < 500; ++i) {
        const Vec3 d_W(1, random.uniform(-1, 1), random.uniform(-0.3, 0.3));
        scan.add((after.R.conjugate() * d_W).normalized(), random.uniform(0, 1));
      }
      for (const int packet : {16, 8, 1}) {
        cast_on_the_way(scan, *scene, before, after, packet);
        for (std::size_t i = 0; i < scan.size(); ++i) {
          const Pose X_PS = X_WP.inverse() * between(before, after, scan.time[i]);
          const double expected = -X_PS.p.z() / (X_PS.R * scan.direction(i)).z();
          ASSERT_NEAR(scan.range[i], expected, 1e-5) << step << ' ' << i;
        }
      }
    }
  }
}

TEST(Motion, AChordIsAsCloseToItsArcAsPromised) {
  const auto scene = make_embree_scene({1});
  // On the inside of the bend, where the arc bulges away from.
  scene->add(one(Box{{400, 1, 400}}), Pose::translation({0, 50.5, 0}));
  const Drive drive;
  const double speed = std::hypot(Drive::kSpeed, 1.3 * Drive::kTurn);
  const double sagitta = speed * Drive::kTurn * Drive::kStep * Drive::kStep / 8;
  double worst = 0;
  for (int step = 0; step < 24; ++step) {
    const Pose before = drive.pose(step * Drive::kStep);
    const Pose after = drive.pose((step + 1) * Drive::kStep);
    Scan scan;
    for (int i = 0; i <= 100; ++i) scan.add(after.R.conjugate() * Vec3(0, 1, 0), i / 100.0);
    cast_on_the_way(scan, *scene, before, after);
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const Pose X_WS = drive.pose((step + double{scan.time[i]}) * Drive::kStep);
      const Vec3 d = X_WS.R * scan.direction(i);
      const double off = std::abs(scan.range[i] - (50 - X_WS.p.y()) / d.y());
      ASSERT_LT(off, sagitta / d.y() + 1e-5);
      worst = std::max(worst, off);
    }
  }
  EXPECT_GT(worst, 0.8 * sagitta);  // and no closer: the bound means something
}

/// A shape and a sensor on any way, rays with times and origins; closed form in the shape's frame
/// at the time of each ray.
void compare_with_closed_form(const Geometry& geometry, int packet, const Vec3& world,
                              double most_turn) {
  RandomRays random(3);
  const auto scene = make_embree_scene({1});
  const Pose X_BS{random.rotation(), random.in_box(0.5)};
  const auto instance = scene->add(one(geometry, X_BS), {});
  int hits = 0, silhouettes = 0;
  for (int round = 0; round < 24; ++round) {
    const double away = round % 3 == 0 ? 0.3 : round % 3 == 1 ? 4 : 90;
    const auto moved = [&](const Pose& before, double turn, double shift) {
      return Pose{before.R * random.rotation(turn), before.p + random.in_box(shift)};
    };
    const Pose body_before{random.rotation(), world + random.in_box(5)};
    const Pose body = moved(body_before, most_turn, 1);
    const Pose sensor_before{random.rotation(), body_before.p + random.in_box(away)};
    const Pose sensor = moved(sensor_before, most_turn, 0.5);
    scene->set_motion(instance, body_before, body);
    Scan scan;
    for (int i = 0; i < 1003; ++i) {
      const double time = i < 2 ? i : random.uniform(0, 1);
      const Pose X_WS = between(sensor_before, sensor, time);
      const Vec3 origin = random.in_box(0.2);
      const Vec3 target = between(body_before, body, time) * X_BS.p + random.in_box(1.6);
      scan.add((X_WS.R.conjugate() * (target - X_WS * origin)).normalized(), time, origin);
    }
    cast_on_the_way(scan, *scene, sensor_before, sensor, packet, true);
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const Pose X_WG = between(body_before, body, scan.time[i]) * X_BS;
      const Pose X_GS = X_WG.inverse() * between(sensor_before, sensor, scan.time[i]);
      const Vec3 o = X_GS * scan.origin(i), d = X_GS.R * scan.direction(i);
      const double expected = closed_form(geometry, o, d);
      if (std::isinf(expected) != std::isinf(scan.range[i])) {
        ++silhouettes;
      } else if (!std::isinf(expected)) {
        ++hits;
        ASSERT_LT(std::abs(scan.range[i] - expected), 8e-6 + 2e-9 * world.norm())
            << "round " << round << " ray " << i;
        // The surface goes on along what is called its tangent.
        const Vec3 n = X_WG.R.conjugate() * Vec3(scan.nx[i], scan.ny[i], scan.nz[i]);
        ASSERT_NEAR(n.norm(), 1, 1e-6);
        ASSERT_LT(n.dot(d), 1e-6);
        const Vec3 tangent = n.unitOrthogonal(), p = o + expected * d;
        const double above = closed_form(geometry, p + 1e-4 * tangent + 1e-3 * n, -n);
        if (above < 0.1) {
          ASSERT_NEAR(above, 1e-3, 2e-6) << round << ' ' << i;
        }
      }
    }
  }
  EXPECT_GT(hits, 8000);
  // Within 0.1 mm of an outline a ray may fall on either side of it.
  EXPECT_LE(silhouettes, 12);
}

class MovingShape : public testing::TestWithParam<int> {};
TEST_P(MovingShape, BoxEqualsClosedForm) {
  for (const double turn : {0.0, 1e-3, 0.05, 0.6, 3.0}) {
    compare_with_closed_form(Box{{1.5, 2, 2.5}}, GetParam(), Vec3::Zero(), turn);
  }
}
TEST_P(MovingShape, SphereEqualsClosedForm) {
  compare_with_closed_form(Sphere{1.2}, GetParam(), Vec3::Zero(), 0.3);
}
TEST_P(MovingShape, CylinderEqualsClosedForm) {
  compare_with_closed_form(Cylinder{1, 2.2}, GetParam(), Vec3::Zero(), 0.3);
}
TEST_P(MovingShape, CapsuleEqualsClosedForm) {
  compare_with_closed_form(Capsule{0.8, 1.2}, GetParam(), Vec3::Zero(), 0.3);
}
TEST_P(MovingShape, ConeEqualsClosedForm) {
  compare_with_closed_form(Cone{1.6, 2.4}, GetParam(), Vec3::Zero(), 0.3);
}
INSTANTIATE_TEST_SUITE_P(Packets, MovingShape, testing::Values(16, 8, 1));

TEST(Motion, IsAsExactFarFromTheOrigin) {
  for (const Vec3& world : {Vec3(100'000, 0, 0), Vec3(500'000.125, 4'500'000.75, 321.5)}) {
    compare_with_closed_form(Box{{1.5, 2, 2.5}}, 16, world, 0.1);
    compare_with_closed_form(Sphere{1.2}, 16, world, 0.1);
  }
}

TEST(Motion, AMovingBallIsMetWhereItIs) {
  const auto scene = make_embree_scene({1});
  const auto ball = scene->add(one(Sphere{0.5}), {});
  scene->set_motion(ball, Pose::translation({10, -4, 0}), Pose::translation({10, 4, 0}));
  Scan scan;
  for (int i = 0; i <= 64; ++i) scan.add({1, 0, 0}, i / 64.0);
  for (const int packet : {16, 8, 1}) {
    scan.cast(*scene, {}, packet);
    for (int i = 0; i <= 64; ++i) {
      const double y = 8 * (i / 64.0) - 4;
      if (std::abs(y) > 0.5) {
        ASSERT_EQ(scan.range[i], kInf) << i;
      } else if (std::abs(y) < 0.5) {
        ASSERT_NEAR(scan.range[i], 10 - std::sqrt(0.25 - y * y), 1e-6) << i;
      }
    }
  }
}

TEST(Motion, OriginsWithoutTimesAreThoseAtTheEndOfTheStep) {
  const auto scene = make_embree_scene({1});
  const auto wall = scene->add(one(Box{{1, 40, 40}}), {});
  scene->set_motion(wall, Pose::translation({5.5, 0, 0}), Pose::translation({10.5, 0, 0}));
  Scan scan;
  RandomRays random(4);
  const Pose X_WS{random.rotation(), random.in_box(2)};
  for (int i = 0; i < 300; ++i) {
    scan.add((X_WS.R.conjugate() * Vec3(1, random.uniform(-1, 1), 0)).normalized(), 0.0,
             random.in_box(0.5));
  }
  scan.time.clear();
  for (const int packet : {16, 8, 1}) {
    cast_on_the_way(scan, *scene, Pose::translation({-90, 0, 0}), X_WS, packet);
    for (std::size_t i = 0; i < scan.size(); ++i) {
      const double start = (X_WS * scan.origin(i)).x();
      ASSERT_NEAR(scan.range[i], (10 - start) / (X_WS.R * scan.direction(i)).x(), 2e-6);
    }
  }
}

TEST(Motion, NearAndFarCountFromTheRaysOwnOrigin) {
  const auto scene = make_embree_scene({1});
  scene->add(one(Box{{2, 2, 2}}), Pose::translation({5, 0, 0}));
  scene->add(one(Sphere{1}), Pose::translation({0, 5, 0}));
  Scan scan;
  scan.add({1, 0, 0}, 1, {2, 0, 0});
  scan.add({0, 1, 0}, 1, {0, 2, 0});
  for (const int packet : {16, 8, 1}) {
    RayBatch batch = scan.batch({});
    batch.packet = packet;
    const auto ranges = [&](float near, float far) {
      batch.t_near = near, batch.t_far = far;
      scan.cast_batch(*scene, batch);
      return scan.range;
    };
    using Ranges = std::vector<float>;
    EXPECT_EQ(ranges(0, 2.1f), (Ranges{2, 2}));
    EXPECT_EQ(ranges(0, 1.9f), (Ranges{kInf, kInf}));
    EXPECT_EQ(ranges(2.1f, 9), (Ranges{4, 4}));
  }
}

/// Bodies of all kinds; every third rests.
class Clutter {
 public:
  explicit Clutter(int threads) : scene(make_embree_scene({threads})) {
    RandomRays random(1);
    for (int i = 0; i < 60; ++i) {
      auto shapes = one(Box{{1, 2, 1}});
      shapes.push_back(one(Cylinder{0.4, 2}, {random.rotation(), random.in_box(1)})[0]);
      shapes.push_back(one(Sphere{0.6}, Pose::translation(random.in_box(2)))[0]);
      before.push_back({random.rotation(), random.in_box(12)});
      after.push_back(before.back());
      if (i % 3 != 0) {
        after.back() = {before.back().R * axis_angle(random.direction(), random.uniform(0, 0.4)),
                        before.back().p + random.in_box(0.6)};
      }
      scene->add(shapes, before.back());
    }
  }
  void set_motion() {
    for (std::uint32_t i = 0; i < after.size(); ++i) scene->set_motion(i, before[i], after[i]);
  }
  void set_pose_at(double time) {
    for (std::uint32_t i = 0; i < after.size(); ++i)
      scene->set_pose(i, between(before[i], after[i], time));
  }

  std::unique_ptr<RayScene> scene;
  std::vector<Pose> before, after;
};

Scan rays_in_all_directions(int count, int times) {
  Scan scan;
  RandomRays random(2);
  for (int i = 0; i < count; ++i) scan.add(random.direction(), i % times / double(times - 1));
  return scan;
}

TEST(Motion, RestingAndMovingThingsAreMetAsIfTheWorldStoodStillAtEachTime) {
  constexpr int kTimes = 9;
  Clutter moving(1), still(1);
  moving.set_motion();
  const Pose before{axis_angle({1, 2, 3}, 0.4), {1, 2, 3}};
  const Pose after{axis_angle({1, 2, 3.1}, 0.5), {1.2, 1.9, 3}};
  Scan scan = rays_in_all_directions(27'000, kTimes);
  for (const int packet : {16, 8, 1}) {
    cast_on_the_way(scan, *moving.scene, before, after, packet, true);
    int different = 0, hits = 0;
    for (int t = 0; t < kTimes; ++t) {
      const double time = t / double(kTimes - 1);
      still.set_pose_at(time);
      Scan now;
      std::vector<std::size_t> number;
      for (std::size_t i = static_cast<std::size_t>(t); i < scan.size(); i += kTimes) {
        now.add(scan.direction(i));
        number.push_back(i);
      }
      now.cast(*still.scene, between(before, after, time), packet, true);
      for (std::size_t k = 0; k < number.size(); ++k) {
        const std::size_t i = number[k];
        const bool same = scan.instance[i] == now.instance[k] && scan.shape[i] == now.shape[k] &&
                          scan.primitive[i] == now.primitive[k];
        if (!same) {
          ++different;
        } else if (now.range[k] < kInf) {
          ++hits;
          ASSERT_NEAR(scan.range[i], now.range[k], 4e-6);
          ASSERT_NEAR(scan.nx[i], now.nx[k], 1e-6);
          ASSERT_NEAR(scan.ny[i], now.ny[k], 1e-6);
          ASSERT_NEAR(scan.nz[i], now.nz[k], 1e-6);
        }
      }
    }
    EXPECT_LE(different, 15) << packet;  // outlines, edges between the two triangles of a face
    EXPECT_GT(hits, 4000);
  }
}

bool same_bytes(const Scan& a, const Scan& b) {
  return std::memcmp(a.range.data(), b.range.data(), 4 * a.size()) == 0;
}

TEST(Motion, RaysWithoutTimesDoNotKnowOfIt) {
  Clutter moving(1), still(1);
  Scan scan = rays_in_all_directions(20'001, 2), timed = scan, expected = scan;
  scan.time.clear(), expected.time.clear();
  moving.set_motion();
  still.set_pose_at(1);
  const Pose X_WS{axis_angle({3, 2, 1}, 1), {0.5, 1, 2}};
  for (const int packet : {16, 8, 1}) {
    expected.cast(*still.scene, X_WS, packet);
    cast_on_the_way(scan, *moving.scene, {}, X_WS, packet);
    EXPECT_TRUE(same_bytes(scan, expected));
    // Nor of others that were cast between.
    cast_on_the_way(timed, *moving.scene, {}, X_WS, packet);
    EXPECT_FALSE(same_bytes(timed, expected));
    scan.cast(*moving.scene, X_WS, packet);
    EXPECT_TRUE(same_bytes(scan, expected));
  }
}

TEST(Motion, TimesDoNotMatterWhereNothingMoves) {
  Clutter clutter(1);
  Scan timed = rays_in_all_directions(20'001, 7), expected = timed;
  expected.time.clear();
  const Pose X_WS{axis_angle({3, 2, 1}, 1), {0.5, 1, 2}};
  for (const int packet : {16, 8, 1}) {
    expected.cast(*clutter.scene, X_WS, packet);
    timed.cast(*clutter.scene, X_WS, packet);
    EXPECT_TRUE(same_bytes(timed, expected));
    cast_on_the_way(timed, *clutter.scene, X_WS, X_WS, packet);
    EXPECT_TRUE(same_bytes(timed, expected));
  }
}

TEST(Motion, GivesTheSameBytesOnAnyNumberOfThreads) {
  Scan scan = rays_in_all_directions(50'007, 101), expected = scan;
  for (const int threads : {1, 2, 4}) {
    Clutter clutter(threads);
    for (int repeat = 0; repeat < 3; ++repeat) {
      // Whatever was moved and cast before.
      if (repeat > 0) clutter.set_pose_at(0.3);
      if (repeat > 1) scan.cast(*clutter.scene, {});
      clutter.set_motion();
      Scan& out = threads == 1 && repeat == 0 ? expected : scan;
      cast_on_the_way(out, *clutter.scene, {}, {axis_angle({0, 0, 1}, 0.1), {0.2, 0, 0}});
      ASSERT_TRUE(same_bytes(out, expected)) << threads << ' ' << repeat;
    }
  }
  const auto finite =
      std::count_if(expected.range.begin(), expected.range.end(), [](float r) { return r < kInf; });
  EXPECT_GT(finite, 8000);
}

TEST(Motion, BodiesStartStopHideAndComeBackFromStepToStep) {
  const auto scene = make_embree_scene({1});
  const auto ball = one(Sphere{0.5});
  const auto left = scene->add(ball, Pose::translation({0, 5, 0}));
  const auto front = scene->add(ball, Pose::translation({7, 0, 0}));
  Scan scan;
  for (const double time : {0.0, 0.5, 1.0}) {
    scan.add({1, 0, 0}, time);
    scan.add({0, 1, 0}, time);
  }
  const auto ranges = [&] {
    scan.cast(*scene, {});
    return scan.range;
  };
  using Ranges = std::vector<float>;
  const auto at = [](double x, double y) { return Pose::translation({x, y, 0}); };
  EXPECT_EQ(ranges(), (Ranges{6.5f, 4.5f, 6.5f, 4.5f, 6.5f, 4.5f}));
  scene->set_motion(front, at(7, 0), at(9, 0));
  EXPECT_EQ(ranges(), (Ranges{6.5f, 4.5f, 7.5f, 4.5f, 8.5f, 4.5f}));
  scene->set_motion(front, at(9, 0), at(10, 0));
  scene->set_motion(left, at(0, 5), at(0, 3));
  EXPECT_EQ(ranges(), (Ranges{8.5f, 4.5f, 9, 3.5f, 9.5f, 2.5f}));
  scene->set_motion(front, at(10, 0), at(10, 0));  // has stopped
  scene->set_motion(left, at(0, 3), at(0, 4));
  EXPECT_EQ(ranges(), (Ranges{9.5f, 2.5f, 9.5f, 3, 9.5f, 3.5f}));
  scene->set_visible(left, false);
  EXPECT_EQ(ranges(), (Ranges{9.5f, kInf, 9.5f, kInf, 9.5f, kInf}));
  scene->set_motion(left, at(0, 4), at(0, 6));  // out of sight
  EXPECT_EQ(ranges(), (Ranges{9.5f, kInf, 9.5f, kInf, 9.5f, kInf}));
  scene->set_visible(left, true);
  scene->set_visible(front, false);
  EXPECT_EQ(ranges(), (Ranges{kInf, 3.5f, kInf, 4.5f, kInf, 5.5f}));
  scene->set_pose(left, at(0, 2));
  scene->set_visible(front, true);
  EXPECT_EQ(ranges(), (Ranges{9.5f, 1.5f, 9.5f, 1.5f, 9.5f, 1.5f}));
  const auto late = scene->add(ball, at(3, 0));  // new, in front of the other
  scene->set_motion(late, at(3, 0), at(5, 0));
  EXPECT_EQ(ranges(), (Ranges{2.5f, 1.5f, 3.5f, 1.5f, 4.5f, 1.5f}));
}

TEST(Motion, SurvivesNumbersThatAreNone) {
  const auto scene = make_embree_scene({1});
  const auto ball = scene->add(one(Sphere{0.5}), Pose::translation({0, 5, 0}));
  scene->add(one(Box{{1, 1, 1}}), Pose::translation({5, 0, 0}));
  Scan scan;
  scan.add({1, 0, 0}, 0.5);
  scan.add({0, 1, 0}, 0.5);
  const Pose nowhere = Pose::translation({NAN, 0, 0});
  using Ranges = std::vector<float>;
  scene->set_motion(ball, Pose::translation({0, 5, 0}), nowhere);
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range, (Ranges{4.5f, kInf}));
  scene->set_motion(ball, nowhere, Pose::translation({0, 6, 0}));  // it can only be where it is
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range, (Ranges{4.5f, 5.5f}));
  cast_on_the_way(scan, *scene, nowhere, {});
  EXPECT_EQ(scan.range, (Ranges{kInf, kInf}));
  // Times outside the step are those of its ends.
  scene->set_motion(ball, Pose::translation({0, 6, 0}), Pose::translation({0, 8, 0}));
  scan.time = {NAN, NAN};
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range, (Ranges{4.5f, 5.5f}));
  scan.time = {-3, 7};
  scan.cast(*scene, {});
  EXPECT_EQ(scan.range, (Ranges{4.5f, 7.5f}));
}

TEST(Motion, TheBareTraceCastsTheSameRays) {
  Clutter clutter(1);
  clutter.set_motion();
  Scan scan = rays_in_all_directions(10'003, 11);
  RandomRays random(6);
  for (std::size_t i = 0; i < scan.size(); ++i) {
    scan.ox.push_back(static_cast<float>(random.uniform(-0.2, 0.2)));
    scan.oy.push_back(0.1f);
    scan.oz.push_back(static_cast<float>(random.uniform(-0.2, 0.2)));
  }
  RayBatch batch = scan.batch({axis_angle({0, 0, 1}, 0.1), {0.2, 0, 0}});
  batch.X_WS_before = Pose{};
  for (const int packet : {16, 8, 1}) {
    batch.packet = packet;
    scan.cast_batch(*clutter.scene, batch);
    for (const int threads : {1, 2}) {
      std::vector<float> bare(batch.count);
      bench::BareTrace(*clutter.scene, batch).run(bare, threads);
      for (std::size_t i = 0; i < bare.size(); ++i) {
        if (std::isinf(bare[i]) || std::isinf(scan.range[i])) {
          ASSERT_EQ(bare[i], scan.range[i]) << i;
        } else {
          ASSERT_NEAR(bare[i], scan.range[i], 2e-3) << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace protobeam
