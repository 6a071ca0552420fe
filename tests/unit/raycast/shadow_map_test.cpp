// Lines towards a light with shadow maps, against the same lines through Embree alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include "random_rays.h"
#include "raycast/embree_scene.h"

namespace protobeam {
namespace {

using test::one;
using test::RandomRays;
using test::Scan;

/// Towards a light.
struct LightLines {
  std::vector<float> ox, oy, oz, dx, dy, dz, far, time;

  void add(const Vec3& from, const Vec3& to_light, float at) {
    ox.push_back(static_cast<float>(from.x()));
    oy.push_back(static_cast<float>(from.y()));
    oz.push_back(static_cast<float>(from.z()));
    dx.push_back(static_cast<float>(to_light.x()));
    dy.push_back(static_cast<float>(to_light.y()));
    dz.push_back(static_cast<float>(to_light.z()));
    far.push_back(1e6f);
    time.push_back(at);
  }
  SightLines lines(const Vec3& origin_W, bool timed) const {
    SightLines out;
    out.origin_W = origin_W;
    out.ox = ox.data(), out.oy = oy.data(), out.oz = oz.data();
    out.dx = dx.data(), out.dy = dy.data(), out.dz = dz.data();
    out.far = far.data();
    out.time = timed ? time.data() : nullptr;
    out.count = ox.size();
    return out;
  }
};

/// Two scenes of the same things: one with maps, one without.
class LitPair {
 public:
  explicit LitPair(int threads = 1, std::size_t points_as_triangles = 250'000)
      : mapped(options(threads, points_as_triangles, true)),
        traced(options(threads, points_as_triangles, false)) {}

  RayScene::Instance add(const Geometry& geometry, const Pose& X_WB) {
    const auto shapes = one(geometry);
    traced.add(shapes, X_WB);
    return mapped.add(shapes, X_WB);
  }
  template <typename Change>
  void change(const Change& change) {
    change(mapped);
    change(traced);
  }

  /// All lines are compared; the share of them that a map answers. They count from a camera.
  double compare(const Vec3& from_W, const LightLines& lines, bool timed);
  /// Lines from what is seen from a place, and from anywhere.
  double compare(const Vec3& from_W, const Vec3& to_light, unsigned seed, bool timed = false);

  EmbreeScene mapped, traced;
  std::ptrdiff_t blocked = 0;  ///< of the lines that were compared last

 private:
  static RaySceneOptions options(int threads, std::size_t points, bool maps) {
    RaySceneOptions options{threads};
    options.points_as_triangles = points;
    options.lines_before_map = maps ? 3000 : 0;
    return options;
  }
};

double LitPair::compare(const Vec3& from_W, const LightLines& lines, bool timed) {
  std::vector<std::uint8_t> expected(lines.far.size(), 2), got(lines.far.size(), 2);
  const std::size_t before = mapped.mapped_lines();
  const auto ask = [&](RayScene& scene, std::vector<std::uint8_t>& blocked) {
    Scan scan;
    scan.add(Vec3::UnitX(), 1);
    if (!timed) scan.time.clear();
    scene.cast(scan.batch(Pose::translation(from_W)), [&](const RayBlock&) {
      scene.find_blocked(lines.lines(from_W, timed), blocked.data());
    });
  };
  ask(traced, expected);
  ask(mapped, got);
  EXPECT_EQ(got, expected);
  blocked = std::count(expected.begin(), expected.end(), 1);
  return static_cast<double>(mapped.mapped_lines() - before) /
         static_cast<double>(lines.far.size());
}

double LitPair::compare(const Vec3& from_W, const Vec3& to_light, unsigned seed, bool timed) {
  RandomRays random(seed);
  Scan scan;
  for (int i = 0; i < 20000; ++i) scan.add(random.direction(), timed ? random.uniform(0, 1) : 1);
  if (!timed) scan.time.clear();
  scan.cast(traced, Pose::translation(from_W), 16, true);
  LightLines lines;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    const float at = timed ? scan.time[i] : 1;
    if (i % 8 == 0) lines.add(random.in_box(30), to_light, at);
    const Vec3 n(scan.nx[i], scan.ny[i], scan.nz[i]);
    if (!std::isfinite(scan.range[i]) || n.dot(to_light) <= 0) continue;
    const double range = scan.range[i];
    lines.add(range * scan.direction(i) + (1e-4 + 2e-6 * range) * n, to_light, at);
  }
  const double share = compare(from_W, lines, timed);
  EXPECT_GT(blocked, 10);
  return share;
}

/// Until a map is made.
void look_long(LitPair& pair, const Vec3& from_W, const Vec3& to_light) {
  for (unsigned seed = 100; seed < 120; ++seed) {
    if (pair.compare(from_W, to_light, seed) > 0.01) return;
  }
}

HeightField wavy(int side, double spacing) {
  HeightField field;
  field.columns = field.rows = side;
  field.spacing = {spacing, spacing};
  for (int i = 0; i < side * side; ++i) {
    field.heights.push_back(
        static_cast<float>(std::sin(0.4 * (i % side)) * std::cos(0.3 * (i / side))));
  }
  return field;
}

/// A ground with things of all kinds on it.
void furnish_ground(LitPair& pair, const Vec3& at, unsigned seed) {
  RandomRays random(seed);
  pair.add(Plane{{80, 80}}, {random.rotation(0.05), at});
  const Geometry shapes[] = {Box{{1, 2, 3}},  Sphere{0.8},      Cylinder{0.3, 6}, Cone{1.2, 2},
                             Capsule{0.4, 2}, Box{{8, 0.2, 5}}, Plane{{6, 3}}};
  for (int i = 0; i < 40; ++i) {
    Vec3 p = random.in_box(25);
    p.z() = random.uniform(0, 3);
    pair.add(shapes[i % 7], {random.rotation(), at + p});
  }
}

TEST(ShadowMap, AnswersAsEmbreeDoes) {
  const Vec3 lights[] = {Vec3(0, 0, 1), Vec3(0.5, -0.3, 0.8).normalized(),
                         Vec3(-0.9, 0.4, 0.1).normalized(), Vec3(1, 0, 0)};
  for (const Vec3& at : {Vec3(0, 0, 0), Vec3(3000, -2000, 50)}) {
    unsigned seed = 1;
    for (const Vec3& light : lights) {
      LitPair pair;
      furnish_ground(pair, at, seed);
      const Vec3 eye = at + Vec3(1, 2, 6);
      look_long(pair, eye, light);
      double most = 0;
      for (int i = 0; i < 8; ++i) {
        most = std::max(most, pair.compare(eye + Vec3(i, -i, 0.1 * i), light, ++seed));
      }
      EXPECT_GT(most, light.z() > 0.3 ? 0.5 : 0.02) << light.transpose();
    }
  }
}

TEST(ShadowMap, KnowsTerrains) {
  for (const std::size_t points_as_triangles : {250'000, 0}) {
    LitPair pair(1, points_as_triangles);
    pair.add(wavy(60, 0.5), {});
    pair.add(Plane{{90, 90}}, Pose::translation({0, 0, -3}));
    pair.add(Box{{2, 2, 4}}, Pose::translation({1, 1, 1}));
    const Vec3 light = Vec3(0.5, 0.2, 0.7).normalized();
    look_long(pair, {0, 0, 5}, light);
    EXPECT_GT(pair.compare({0, 0, 5}, light, 7), 0.02);
    // Edges of the hill's triangles are everywhere.
    for (unsigned seed = 20; seed < 30; ++seed) pair.compare({2, 3, 5}, light, seed);
  }
}

TEST(ShadowMap, SeesWhatComesAndGoes) {
  const Vec3 light = Vec3(0.4, 0.2, 0.9).normalized(), eye(0, 0, 8);
  LitPair pair;
  furnish_ground(pair, {0, 0, 0}, 3);
  const auto walker = pair.add(Box{{3, 3, 3}}, Pose::translation({5, 5, 4}));
  const auto hidden = pair.add(Sphere{2}, Pose::translation({-5, 4, 6}));
  pair.change([&](RayScene& scene) { scene.set_visible(hidden, false); });
  look_long(pair, eye, light);
  ASSERT_GT(pair.compare(eye, light, 1), 0.3);
  pair.change([&](RayScene& scene) { scene.set_visible(hidden, true); });
  EXPECT_GT(pair.compare(eye, light, 2), 0.3);
  for (int step = 0; step < 10; ++step) {
    const Pose X_WB{axis_angle({0, 0, 1}, 0.3 * step), {5.0 - step, 5.0 - 0.7 * step, 4}};
    pair.change([&](RayScene& scene) { scene.set_pose(walker, X_WB); });
    EXPECT_GT(pair.compare(eye, light, 10 + static_cast<unsigned>(step)), 0.3);
  }
  pair.change([&](RayScene& scene) { scene.remove(hidden); });
  pair.compare(eye, light, 30);
  // It gets the number of the one that was removed.
  EXPECT_EQ(pair.add(Box{{4, 1, 1}}, Pose::translation({2, -3, 7})), hidden);
  pair.compare(eye, light, 31);
  const auto late = pair.add(Sphere{3}, Pose::translation({-8, -8, 5}));
  EXPECT_GT(pair.compare(eye, light, 32), 0.3);
  pair.change([&](RayScene& scene) { scene.set_pose(late, Pose::translation({NAN, 0, 0})); });
  pair.compare(eye, light, 33);
}

TEST(ShadowMap, SeesWhatMovesWithinTheStep) {
  const Vec3 light = Vec3(0.4, 0.2, 0.9).normalized(), eye(0, 0, 8);
  LitPair pair;
  furnish_ground(pair, {0, 0, 0}, 3);
  const auto mover = pair.add(Box{{3, 3, 3}}, Pose::translation({5, 5, 4}));
  const auto turner = pair.add(Box{{20, 0.3, 1}}, Pose::translation({-5, 5, 4}));
  look_long(pair, eye, light);
  for (int step = 0; step < 10; ++step) {
    const Pose before{axis_angle({0, 0, 1}, 0.3 * step), {5.0 - step, 5.0 - 0.7 * step, 4}};
    const Pose after{axis_angle({0, 0, 1}, 0.3 * step + 0.3), {-3.0 - step, 4.3 - 0.7 * step, 4}};
    pair.change([&](RayScene& scene) {
      scene.set_motion(mover, before, after);
      scene.set_motion(turner, {before.R, {-12, 12, 4}}, {after.R, {-12, 12, 4}});
    });
    EXPECT_GT(pair.compare(eye, light, 10 + static_cast<unsigned>(step), true), 0.3);
    EXPECT_GT(pair.compare(eye, light, 30 + static_cast<unsigned>(step)), 0.3);
  }
}

TEST(ShadowMap, IsThereForSeveralLightsAndMakesRoomForOthers) {
  LitPair pair;
  furnish_ground(pair, {0, 0, 0}, 8);
  RandomRays random(4);
  std::vector<Vec3> lights;
  for (int i = 0; i < 6; ++i) {
    Vec3 light = random.direction();
    light.z() = std::abs(light.z()) + 0.5;
    lights.push_back(light.normalized());
  }
  const Vec3 eye(0, 0, 8);
  for (int i = 0; i < 3; ++i) look_long(pair, eye, lights[i]);
  for (int i = 0; i < 3; ++i) EXPECT_GT(pair.compare(eye, lights[i], 5), 0.3);
  for (int i = 3; i < 6; ++i) pair.compare(eye, lights[i], 5);
  // One of the four that were asked for last.
  EXPECT_GT(pair.compare(eye, lights[2], 6), 0.3);
  for (const Vec3& light : lights) pair.compare(eye, light, 7);
}

TEST(ShadowMap, LeavesToEmbreeWhatEmbreeDoesNotSeeSharply) {
  // Lines that begin just off large triangles meet them for Embree, in float.
  RandomRays random(3);
  std::size_t mapped = 0;
  for (const double half : {10.0, 100.0, 500.0, 2000.0, 20000.0}) {
    for (int round = 0; round < 12; ++round) {
      const Quat R = random.rotation(),
                 R_WB = round % 3 == 0 ? Quat::Identity() : random.rotation();
      const Vec3 n = R * Vec3::UnitZ();
      const Quat R_BM = round % 3 == 1 ? Quat::Identity() : Quat(R_WB.conjugate() * R);
      const Pose X_WB{round % 3 == 1 ? R : R_WB, Vec3::Zero()};
      Mesh quad;
      for (const Vec3& corner :
           {Vec3(-1, -1, 0), Vec3(1, -1.1, 0), Vec3(0.9, 1, 0), Vec3(-1, 1, 0)}) {
        quad.vertices.push_back(R_BM * (half * corner));
      }
      quad.triangles = {{0, 1, 2}, {0, 2, 3}};
      Vec3 light = random.direction();
      if (light.dot(n) < 0) light = -light;
      Vec3 eye = random.in_box(100);
      eye += (3 - n.dot(eye)) * n;
      LitPair pair;
      pair.add(quad, X_WB);
      LightLines lines;
      for (int i = 0; i < 4000; ++i) {
        const Vec3 p = random.in_box(60);
        const double off = std::pow(10.0, random.uniform(-5, -2));
        lines.add(p + (off - n.dot(eye + p)) * n, light, 1);
      }
      pair.compare(eye, lines, false);
      pair.compare(eye, lines, false);
      mapped += pair.mapped.mapped_lines();
    }
  }
  EXPECT_GT(mapped, std::size_t{50'000});
}

/// A wall along x that looks to -y, with a recess half of a metre wide in each metre.
Mesh recessed_wall(int metres, double height, double depth) {
  Mesh mesh;
  const auto add = [&](double x0, double y0, double x1, double y1) {
    const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(),
                         {{x0, y0, 0}, {x1, y1, 0}, {x1, y1, height}, {x0, y0, height}});
    mesh.triangles.insert(mesh.triangles.end(), {{n, n + 1, n + 2}, {n, n + 2, n + 3}});
  };
  for (int i = 0; i < metres; ++i) {
    const double x = i - metres / 2;
    add(x, 0, x + 0.5, 0);
    add(x + 0.5, 0, x + 0.5, depth);
    add(x + 0.5, depth, x + 1, depth);
    add(x + 1, depth, x + 1, 0);
  }
  return mesh;
}

TEST(ShadowMap, LightsWallsBesideTheirRecesses) {
  RandomRays random(5);
  for (const int metres : {20, 200, 2000}) {
    for (int round = 0; round < 6; ++round) {
      const Pose X_WB{round % 2 == 0 ? Quat::Identity() : random.rotation(),
                      round % 3 == 0 ? Vec3(0, 0, 0) : random.in_box(300)};
      LitPair pair;
      pair.add(recessed_wall(metres, 6, 0.2), X_WB);
      const Vec3 light = X_WB.R * Vec3(random.uniform(-1, 1), -1, random.uniform(0.2, 1)).normalized();
      const Vec3 eye = X_WB * Vec3(random.uniform(-5, 5), -4, 2);
      // In front of the strips between the recesses, also of their edges.
      LightLines lines;
      const int reach = std::min(metres / 2, 80);
      for (int i = 0; i < 8000; ++i) {
        const double along = i % 2 == 0 ? random.uniform(0, 0.5)
                                        : 0.5 * (i % 4 / 2) + random.uniform(-3e-3, 3e-3);
        const double x = std::floor(random.uniform(-reach, reach)) + along;
        const double off = i % 3 == 0 ? std::pow(10.0, random.uniform(-5, -2)) : 1.2e-4;
        lines.add(X_WB * Vec3(x, -off, random.uniform(0, 6)) - eye, light, 1);
      }
      pair.compare(eye, lines, false);
      pair.compare(eye, lines, false);
      const double mapped = pair.compare(eye, lines, false);
      EXPECT_GT(mapped, metres > 300 ? 0.0 : 0.5) << metres << " m, " << round;
    }
  }
}

TEST(ShadowMap, FollowsACameraThatGoesFar) {
  LitPair pair;
  const Vec3 light = Vec3(0.3, 0.2, 0.9).normalized(), there(2500, 0, 0);
  furnish_ground(pair, {0, 0, 0}, 8);
  furnish_ground(pair, there, 9);
  pair.add(Plane{{9000, 9000}}, Pose::translation({0, 0, -4}));
  look_long(pair, {0, 0, 8}, light);
  EXPECT_GT(pair.compare({0, 0, 8}, light, 1), 0.3);
  EXPECT_EQ(pair.compare(there + Vec3(0, 0, 8), light, 1), 0);
  look_long(pair, there + Vec3(0, 0, 8), light);
  EXPECT_GT(pair.compare(there + Vec3(0, 0, 8), light, 2), 0.3);
}

TEST(ShadowMap, IsAskedBySeveralThreads) {
  const Vec3 light = Vec3(0.4, 0.2, 0.9).normalized(), eye(0, 0, 8);
  LitPair pair(4);
  furnish_ground(pair, {0, 0, 0}, 3);
  RandomRays random(6);
  Scan scan;
  for (int i = 0; i < 100'000; ++i) scan.add(random.direction());
  std::vector<std::uint8_t> expected(scan.size()), got(scan.size());
  const auto ask = [&](RayScene& scene, std::vector<std::uint8_t>& blocked) {
    scene.cast(scan.batch(Pose::translation(eye)), [&](const RayBlock& block) {
      LightLines lines;
      for (std::size_t i = 0; i < block.count; ++i) {
        const float range = std::min(block.range[i], 100.0f);
        lines.add((range - 0.01) * scan.direction(block.first + i), light, 1);
      }
      scene.find_blocked(lines.lines(eye, false), &blocked[block.first]);
    });
  };
  ask(pair.traced, expected);
  for (int i = 0; i < 30; ++i) {
    ask(pair.mapped, got);
    ASSERT_EQ(got, expected) << i;
  }
  EXPECT_GT(pair.mapped.mapped_lines(), scan.size());
}

}  // namespace
}  // namespace protobeam
