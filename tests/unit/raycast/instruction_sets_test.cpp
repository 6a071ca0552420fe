// Embree has other code for each instruction set, which gives other bits; results must not show it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "random_rays.h"
#include "raycast/ray_scene.h"

namespace protobeam {
namespace {

using test::one;
using test::RandomRays;
using test::Scan;

/// Those that this machine has.
std::vector<std::string> instruction_sets() {
  std::vector<std::string> out = {"sse2"};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) out.push_back("sse4.2");
  if (__builtin_cpu_supports("avx")) out.push_back("avx");
  if (__builtin_cpu_supports("avx2")) out.push_back("avx2");
  // That is x86-64-v4, a name which not every compiler knows.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    out.push_back("avx512");
  }
#endif
  return out;
}

/// A ball of triangles, its surface a little rough.
Mesh ball(RandomRays& random) {
  constexpr std::uint32_t kRings = 12, kSides = 20;
  Mesh mesh;
  for (std::uint32_t i = 0; i <= kRings; ++i) {
    for (std::uint32_t k = 0; k < kSides; ++k) {
      const double up = kPi * i / kRings, around = 2 * kPi * k / kSides;
      const double r = random.uniform(0.9, 1.1);
      mesh.vertices.push_back(
          r * Vec3(std::sin(up) * std::cos(around), std::sin(up) * std::sin(around), std::cos(up)));
    }
  }
  for (std::uint32_t i = 0; i < kRings; ++i) {
    for (std::uint32_t k = 0; k < kSides; ++k) {
      const std::uint32_t a = i * kSides + k, b = i * kSides + (k + 1) % kSides;
      mesh.triangles.push_back({a, a + kSides, b});
      mesh.triangles.push_back({b, a + kSides, b + kSides});
    }
  }
  mesh.uvs.resize(mesh.triangles.size());
  return mesh;
}

/// Everything that comes back of rays into all directions.
std::string answer(int packet, bool moving) {
  RandomRays random(3);
  const auto scene = make_embree_scene({1});
  for (int i = 0; i < 300; ++i) {
    auto shapes = one(ball(random));
    shapes.push_back(one(Box{{1, 2, 1}}, {random.rotation(), random.in_box(1)})[0]);
    shapes.push_back(one(Cylinder{0.4, 2}, {random.rotation(), random.in_box(1)})[0]);
    const Pose X{random.rotation(), random.in_box(20)};
    const auto body = scene->add(shapes, X);
    if (moving && i % 2 == 0) {
      scene->set_motion(body, X, {axis_angle(Vec3::UnitX(), 0.1) * X.R, X.p + random.in_box(0.2)});
    }
  }
  Scan scan;
  for (int i = 0; i < 15'000; ++i) {
    if (moving) {
      scan.add(random.direction(), random.uniform(0, 1));
    } else {
      scan.add(random.direction());
    }
  }
  scan.cast(*scene, {random.rotation(), {1, 2, 3}}, packet, true);
  std::string bytes;
  const auto keep = [&bytes](const auto& values) {
    bytes.append(reinterpret_cast<const char*>(values.data()), sizeof(values[0]) * values.size());
  };
  for (const auto* values : {&scan.range, &scan.nx, &scan.ny, &scan.nz, &scan.u, &scan.v}) {
    keep(*values);
  }
  for (const auto* values : {&scan.instance, &scan.shape, &scan.primitive}) keep(*values);
  EXPECT_GT(std::count_if(scan.u.begin(), scan.u.end(), [](float u) { return u > 0; }), 500);
  return bytes;
}

/// Rays that hit within 1e-5 of a triangle's edge: which of the two neighbours Embree takes is left
/// to its rounding (docs/architecture.md, "Determinism").
bool at_an_edge(const std::string& bytes, std::size_t rays, std::size_t ray) {
  float u, v;
  std::memcpy(&u, bytes.data() + 4 * (4 * rays + ray), 4);
  std::memcpy(&v, bytes.data() + 4 * (5 * rays + ray), 4);
  return u < 1e-5f || v < 1e-5f || 1 - u - v < 1e-5f;
}

TEST(InstructionSets, GiveTheSameBytesAwayFromEdges) {
  constexpr std::size_t kArrays = 9;  // range, normal, u, v, instance, shape, primitive
  for (const bool moving : {false, true}) {
    for (const int packet : {16, 1}) {
      std::string expected;
      for (const std::string& set : instruction_sets()) {
        SCOPED_TRACE(set + ", packets of " + std::to_string(packet) + (moving ? ", moving" : ""));
        ASSERT_EQ(setenv("PROTOBEAM_EMBREE_ISA", set.c_str(), 1), 0);
        const std::string got = answer(packet, moving);
        if (expected.empty()) expected = got;
        ASSERT_EQ(got.size(), expected.size());
        const std::size_t rays = got.size() / kArrays / 4;
        std::size_t other = 0;  // rays at edges that hit the neighbour
        for (std::size_t ray = 0; ray < rays; ++ray) {
          bool same = true;
          for (std::size_t k = 0; k < kArrays; ++k) {
            const std::size_t at = 4 * (k * rays + ray);
            same = same && got.compare(at, 4, expected, at, 4) == 0;
          }
          if (same) continue;
          ++other;
          EXPECT_TRUE(at_an_edge(got, rays, ray) && at_an_edge(expected, rays, ray)) << ray;
        }
        EXPECT_LE(other, rays / 5000);
      }
    }
  }
  unsetenv("PROTOBEAM_EMBREE_ISA");
}

}  // namespace
}  // namespace protobeam
