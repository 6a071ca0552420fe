#include <gtest/gtest.h>

#include <algorithm>

#include "lidar_fixture.h"

namespace protobeam {
namespace {

using test::kInf;
using test::LidarInScene;

/// Direction that the Webots reference gives for beam (i, j) of a fixed cylindrical lidar.
Vec3 reference_beam(int layer, int column, int layers, int columns, double fov, double vfov,
                    double tilt) {
  const double azimuth = fov / 2 - (column + 0.5) * fov / columns;
  const double elevation = (layers == 1 ? 0 : vfov / 2 - layer * vfov / (layers - 1)) + tilt;
  return {std::cos(elevation) * std::cos(azimuth), std::cos(elevation) * std::sin(azimuth),
          std::sin(elevation)};
}

TEST(LidarRange, EqualsTheDistanceToTheGround) {
  LidarInScene lidar({{"maxRange", "120"},
                      {"fieldOfView", "6.28318530718"},
                      {"verticalFieldOfView", "0.5236"},
                      {"numberOfLayers", "16"},
                      {"horizontalResolution", "1800"}});
  lidar.add(Plane{{1000, 1000}});
  lidar.in.X_WS = Pose::translation({12.34, -56.78, 1.8});
  lidar.sample();
  int hits = 0;
  for (int i = 0; i < 16; ++i) {
    for (int j = 0; j < 1800; ++j) {
      const Vec3 d = reference_beam(i, j, 16, 1800, 2 * kPi, 0.5236, 0);
      const double expected = -1.8 / d.z();
      if (expected > 0 && expected < 120) {
        ASSERT_NEAR(lidar.range(i, j), expected, 1e-4) << i << ' ' << j;
        ++hits;
      } else {
        ASSERT_EQ(lidar.range(i, j), kInf);
      }
    }
  }
  EXPECT_EQ(hits, 8 * 1800);
  EXPECT_EQ(lidar.sensor().points(), std::size_t(hits));
}

TEST(LidarRange, EqualsTheDistanceToSphereAndBoxForAnyPose) {
  LidarInScene lidar({{"maxRange", "100"},
                      {"fieldOfView", "1.2"},
                      {"verticalFieldOfView", "0.8"},
                      {"numberOfLayers", "37"},
                      {"horizontalResolution", "211"},
                      {"tiltAngle", "0.05"}});
  lidar.in.X_WS = {axis_angle({0.3, -0.2, 0.9}, 2.1), {480'012.5, 5'300'007.25, 412.75}};
  const Vec3 center_S(40, 3, 2);
  lidar.add(Sphere{4}, lidar.in.X_WS * Pose::translation(center_S));
  const Pose X_SB{axis_angle({1, 2, 3}, 0.7), {20, -6, 1}};
  lidar.add(Box{{3, 4, 5}}, lidar.in.X_WS * X_SB);
  lidar.sample();
  int on_sphere = 0, on_box = 0;
  for (int i = 0; i < 37; ++i) {
    for (int j = 0; j < 211; ++j) {
      const Vec3 d = reference_beam(i, j, 37, 211, 1.2, 0.8, 0.05);
      const double b = d.dot(center_S), outside = 16 - (center_S.squaredNorm() - b * b);
      const double sphere = outside > 0 ? b - std::sqrt(outside) : INFINITY;
      const Vec3 o_B = X_SB.inverse().p, d_B = X_SB.R.conjugate() * d;
      double enter = -INFINITY, leave = INFINITY;
      for (int k = 0; k < 3; ++k) {
        const double half = 1.5 + 0.5 * k, s = 1 / d_B[k];
        enter = std::max(enter, std::min((-half - o_B[k]) * s, (half - o_B[k]) * s));
        leave = std::min(leave, std::max((-half - o_B[k]) * s, (half - o_B[k]) * s));
      }
      const double box = enter <= leave ? enter : INFINITY;
      const double expected = std::min(sphere, box);
      if (std::abs(outside) < 1e-3 || std::abs(leave - enter) < 1e-3) continue;  // outlines
      if (expected < 100) {
        ASSERT_NEAR(lidar.range(i, j), expected, 1e-4) << i << ' ' << j;
        (expected == sphere ? on_sphere : on_box)++;
      } else {
        ASSERT_EQ(lidar.range(i, j), kInf) << i << ' ' << j;
      }
    }
  }
  EXPECT_GT(on_sphere, 150);
  EXPECT_GT(on_box, 300);
}

TEST(LidarRange, PlanarColumnsLieAtEqualStepsOnAWall) {
  LidarInScene lidar({{"maxRange", "100"},
                      {"projection", "\"planar\""},
                      {"fieldOfView", "1.5707963268"},
                      {"verticalFieldOfView", "0.6"},
                      {"numberOfLayers", "3"},
                      {"horizontalResolution", "8"}});
  lidar.add(Box{{1, 1000, 1000}}, Pose::translation({10.5, 0, 0}));
  lidar.command("point cloud", 1);
  lidar.sample();
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 8; ++j) {
      const Vec3 on_wall(10, 10 * (1 - (2 * j + 1) / 8.0), 10 * std::tan(0.3 - 0.3 * i));
      const LidarPoint p = lidar.point(i, j);
      EXPECT_NEAR((Vec3(p.x, p.y, p.z) - on_wall).norm(), 0, 1e-5);
      EXPECT_NEAR(lidar.range(i, j), on_wall.norm(), 1e-5);
    }
  }
}

TEST(LidarRange, LayerAnglesReplaceTheEvenGrid) {
  LidarInScene lidar({{"maxRange", "100"},
                      {"numberOfLayers", "4"},
                      {"layerAngles", "[ 0.3, 0.1, -0.02, -0.3 ]"},
                      {"tiltAngle", "-0.1"},
                      {"horizontalResolution", "3"}});
  lidar.add(Plane{{1000, 1000}});
  lidar.in.X_WS = Pose::translation({0, 0, 2});
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 1), kInf);
  EXPECT_EQ(lidar.range(1, 1), kInf);
  EXPECT_NEAR(lidar.range(2, 1), 2 / std::sin(0.12), 1e-5);
  EXPECT_NEAR(lidar.range(3, 1), 2 / std::sin(0.4), 1e-5);
  const auto beams = lidar.sensor().beams(lidar.bytes());
  EXPECT_NEAR(beams[10].elevation, -0.4, 1e-6);
}

TEST(LidarRange, NearMakesInvisibleAndMinRangeOnlyHides) {
  LidarInScene lidar({{"maxRange", "10"},
                      {"near", "0.5"},
                      {"minRange", "1"},
                      {"numberOfLayers", "1"},
                      {"horizontalResolution", "3"},
                      {"fieldOfView", "4.71238898"}});           // left, front, right
  lidar.add(Box{{0.1, 4, 4}}, Pose::translation({0.35, 0, 0}));  // 0.3 m ahead: not there
  lidar.add(Box{{0.1, 4, 4}}, Pose::translation({5.05, 0, 0}));
  lidar.add(Box{{4, 0.1, 4}}, Pose::translation({0, 0.75, 0}));  // 0.7 m to the left: hides
  lidar.add(Box{{4, 0.1, 4}}, Pose::translation({0, 5.05, 0}));
  lidar.add(Box{{4, 0.1, 4}}, Pose::translation({0, -10.1, 0}));  // 10.05 m: too far
  lidar.sample();
  EXPECT_EQ(lidar.range(0, 0), kInf);
  EXPECT_NEAR(lidar.range(0, 1), 5, 1e-6);
  EXPECT_EQ(lidar.range(0, 2), kInf);
  EXPECT_EQ(lidar.sensor().points(), 1u);
}

/// 100 000 beams onto the inside of a ball around the sensor: all ranges are 20 m.
std::map<std::string, std::string> dense(std::map<std::string, std::string> more) {
  more.insert({{"maxRange", "80"},
               {"fieldOfView", "6.2831853"},
               {"verticalFieldOfView", "1"},
               {"numberOfLayers", "50"},
               {"horizontalResolution", "2000"}});
  return more;
}

TEST(LidarRange, NoiseHasTheSigmaOfTheField) {
  LidarInScene lidar(dense({{"noise", "0.000625"}}));  // of maxRange 80 m: 5 cm
  lidar.add(Sphere{20});
  lidar.sample();
  double sum = 0, squares = 0, neighbours = 0, before = 0;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 2000; ++j) {
      const double residual = lidar.range(i, j) - 20;
      sum += residual;
      squares += residual * residual;
      neighbours += residual * before;
      before = residual;
    }
  }
  EXPECT_NEAR(std::sqrt(squares / 1e5), 0.05, 0.02 * 0.05);
  EXPECT_NEAR(sum / 1e5, 0, 5 * 0.05 / std::sqrt(1e5));
  EXPECT_NEAR(neighbours / squares, 0, 5 / std::sqrt(1e5));
}

TEST(LidarRange, NoiseChangesWithFrameSeedAndDeviceOnly) {
  const auto image = [](std::uint64_t seed, std::uint32_t device, int frames, int threads) {
    LidarInScene lidar(dense({{"noise", "0.001"}}), threads);
    lidar.add(Sphere{20});
    lidar.in.noise.seed = seed;
    lidar.in.noise.device = device;
    for (int i = 0; i < frames; ++i) lidar.sample();
    std::vector<float> out(100'000);
    std::memcpy(out.data(), lidar.bytes().data(), 400'000);
    return out;
  };
  const auto first = image(1, 2, 1, 1);
  EXPECT_EQ(first, image(1, 2, 1, 1));
  EXPECT_EQ(first, image(1, 2, 1, 2));
  EXPECT_EQ(first, image(1, 2, 1, 4));
  EXPECT_NE(first, image(2, 2, 1, 1));
  EXPECT_NE(first, image(1, 3, 1, 1));
  EXPECT_NE(first, image(1, 2, 2, 1));
}

TEST(LidarRange, ResolutionGivesTheNearestMultiple) {
  LidarInScene lidar({{"maxRange", "200"},
                      {"resolution", "0.04"},
                      {"numberOfLayers", "4"},
                      {"horizontalResolution", "680"},
                      {"verticalFieldOfView", "0.056"}});
  LidarInScene exact({{"maxRange", "200"},
                      {"numberOfLayers", "4"},
                      {"horizontalResolution", "680"},
                      {"verticalFieldOfView", "0.056"}});
  for (LidarInScene* each : {&lidar, &exact}) {
    each->add(Box{{1, 400, 40}}, {axis_angle({0, 0, 1}, 0.4), {60, 0, 0}});
    each->sample();
  }
  int hits = 0;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 680; ++j) {
      if (lidar.range(i, j) == kInf) continue;
      ++hits;
      const auto steps = static_cast<double>(std::lround(lidar.range(i, j) / 0.04));
      ASSERT_EQ(lidar.range(i, j), static_cast<float>(steps * 0.04));
      ASSERT_LE(std::abs(lidar.range(i, j) - exact.range(i, j)), 0.02f + 1e-5f);
    }
  }
  EXPECT_GT(hits, 2000);
}

TEST(LidarRange, LimitsActOnTheNoisyRange) {
  // A surface exactly at maxRange: noise takes about half of the returns beyond it.
  LidarInScene lidar(dense({{"maxRange", "20"}, {"noise", "0.01"}}));
  lidar.add(Sphere{20});
  lidar.sample();
  float longest = 0;
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 2000; ++j) {
      if (lidar.range(i, j) < kInf) longest = std::max(longest, lidar.range(i, j));
    }
  }
  EXPECT_LE(longest, 20);
  EXPECT_NEAR(static_cast<double>(lidar.sensor().points()), 5e4, 800);
}

TEST(LidarPoints, AreRangeTimesDirection) {
  LidarInScene lidar({{"maxRange", "50"},
                      {"numberOfLayers", "5"},
                      {"horizontalResolution", "37"},
                      {"fieldOfView", "3"},
                      {"verticalFieldOfView", "0.7"}});
  lidar.add(Plane{{1000, 1000}});
  lidar.in.X_WS = Pose::translation({0, 0, 1.5});
  lidar.in.time = 12.5;
  lidar.sample();
  const LidarPoint untouched = lidar.point(4, 3);
  EXPECT_EQ(untouched.time, 0);  // the cloud is off
  lidar.command("point cloud", 1);
  lidar.in.time = 13.5;
  lidar.sample();
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 37; ++j) {
      const LidarPoint p = lidar.point(i, j);
      EXPECT_EQ(p.layer_id, i);
      EXPECT_EQ(p.time, 13.5f);
      const float r = lidar.range(i, j);
      if (r == kInf) {
        EXPECT_TRUE(std::isinf(p.x) && std::isinf(p.y) && std::isinf(p.z));
      } else {
        const Vec3 expected = r * reference_beam(i, j, 5, 37, 3, 0.7, 0);
        EXPECT_NEAR((Vec3(p.x, p.y, p.z) - expected).norm(), 0, 1e-5);
        EXPECT_NEAR(p.z, -1.5, 1e-5);
      }
    }
  }
}

TEST(LidarBeams, ListTheSweepLayerByLayer) {
  LidarInScene lidar({{"maxRange", "50"},
                      {"numberOfLayers", "3"},
                      {"horizontalResolution", "5"},
                      {"fieldOfView", "2"},
                      {"verticalFieldOfView", "0.6"}});
  lidar.add(Plane{{1000, 1000}});
  lidar.in.X_WS = Pose::translation({0, 0, 1});
  lidar.sample();
  const auto beams = lidar.sensor().beams(lidar.bytes());
  ASSERT_EQ(beams.size(), 15u);
  for (int k = 0; k < 15; ++k) {
    const BeamReturn& b = beams[std::size_t(k)];
    EXPECT_EQ(b.layer, k / 5);
    EXPECT_EQ(b.column, k % 5);
    EXPECT_NEAR(b.azimuth, 1 - (k % 5 + 0.5) * 0.4, 1e-6);
    EXPECT_NEAR(b.elevation, 0.3 - 0.3 * (k / 5), 1e-6);
    EXPECT_EQ(b.range, lidar.range(k / 5, k % 5));
    EXPECT_EQ(b.time, 1.0f);
    if (k / 5 == 2) {
      EXPECT_NEAR(b.z, -1, 1e-5);
    } else {
      EXPECT_EQ(b.x, kInf);
    }
  }
}

}  // namespace
}  // namespace protobeam
