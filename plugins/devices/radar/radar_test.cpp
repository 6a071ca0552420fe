// A radar among targets of known place, motion and cross section, against the radar equation and
// closed-form radial speeds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using FieldTexts = std::map<std::string, std::string>;

constexpr double kRounding = 1e-9;

struct Detection {
  double distance, power, speed, azimuth;
};

/// A small target whose Solid has the number of its place in the list.
struct Scene {
  std::vector<RadarTarget> targets;
  std::vector<std::vector<int>> parts;

  RadarTarget& add(const Vec3& p_W, double cross_section = 1, const Vec3& v_W = Vec3::Zero()) {
    targets.push_back({cross_section, Pose::translation(p_W), v_W, Vec3::Zero(), Vec3::Zero(), {}});
    parts.push_back({static_cast<int>(parts.size())});
    for (std::size_t i = 0; i < targets.size(); ++i) targets[i].parts = parts[i];
    return targets.back();
  }
};

/// Without the limits of speed that the defaults may be taken for.
std::unique_ptr<DeviceModel> make_radar(FieldTexts fields = {}) {
  fields.try_emplace("horizontalFieldOfView", "6.2831");
  fields.try_emplace("verticalFieldOfView", "3.1415");
  fields.try_emplace("minRadialSpeed", "0");
  fields.try_emplace("maxRadialSpeed", "0");
  return make_sensor("Radar", std::move(fields));
}

std::vector<Detection> detect(DeviceModel& radar, const Scene& scene, SampleInput in = {}) {
  in.radar_targets = scene.targets;
  std::vector<std::byte> bytes(radar.layout().size);
  take_sample(radar, in, bytes);
  std::int32_t count = 0;
  std::memcpy(&count, bytes.data() + radar.layout().find("count")->offset, sizeof count);
  std::vector<Detection> out(static_cast<std::size_t>(count));
  // An empty vector may have no memory at all.
  if (count > 0) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(Detection));
  return out;
}
std::vector<Detection> detect(const FieldTexts& fields, const Scene& scene, SampleInput in = {}) {
  return detect(*make_radar(fields), scene, std::move(in));
}

TEST(Radar, EchoesFollowTheRadarEquation) {
  // 24 GHz: wavelength 12.4914 mm; 1 dBm and twice 20 dBi; 1 m^2 at 10 m:
  // 1 + 40 + 20 log10(0.0124914) - 30 log10(4 pi) - 40 log10(10) = -70.044 dBm.
  Scene scene;
  scene.add({10, 0, 0});
  scene.add({0, 20, 0});      // -40 log10(2) = -12.041 dB
  scene.add({0, -10, 0}, 5);  // +10 log10(5) = 6.990 dB
  const auto found = detect({}, scene);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_NEAR(found[0].power, -70.044, 2e-3);
  EXPECT_NEAR(found[1].power, -82.085, 2e-3);
  EXPECT_NEAR(found[2].power, -63.054, 2e-3);

  const auto strong = detect({{"transmittedPower", "11"}, {"antennaGain", "23"}}, scene);
  EXPECT_NEAR(strong.at(0).power, -70.044 + 16, 2e-3);
  const auto high = detect({{"frequency", "76.5"}}, scene);
  EXPECT_NEAR(high.at(0).power, -70.044 - 20 * std::log10(76.5 / 24), 2e-3);
}

TEST(Radar, WeakEchoesAreNotDetected) {
  Scene scene;
  scene.add({10, 0, 0});
  EXPECT_THAT(detect({{"minDetectableSignal", "-70.1"}}, scene), SizeIs(1));
  EXPECT_THAT(detect({{"minDetectableSignal", "-70"}}, scene), IsEmpty());
}

// Webots, WbObjectDetection::isContainedInFrustum; tests/api/worlds/radar_frustum.wbt there.
TEST(Radar, ATargetIsAsFarAsTheMiddleOfItsBoxLessHalfItsDepth) {
  Scene scene;
  RadarTarget& ball = scene.add({5.18, 1.34, 0});  // 5.3505 m away
  ball.min_T = Vec3::Constant(-0.3), ball.max_T = Vec3::Constant(0.3);
  EXPECT_THAT(detect({{"maxRange", "5.04"}}, scene), IsEmpty());
  EXPECT_THAT(detect({{"maxRange", "5.06"}}, scene), SizeIs(1));
}

TEST(Radar, MeasuresDistanceAndAzimuthToTheRight) {
  Scene scene;
  scene.add({10, 0, 0});
  scene.add({10, -10, 0});  // to the right
  scene.add({3, 4, 12});    // to the left, above: the azimuth is that of its projection
  SampleInput in;
  auto found = detect({}, scene, in);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_NEAR(found[0].distance, 10, kRounding);
  EXPECT_NEAR(found[0].azimuth, 0, kRounding);
  EXPECT_NEAR(found[1].distance, std::sqrt(200.0), kRounding);
  EXPECT_NEAR(found[1].azimuth, kPi / 4, kRounding);
  EXPECT_NEAR(found[2].distance, 13, kRounding);
  EXPECT_NEAR(found[2].azimuth, -std::atan2(4.0, 3.0), kRounding);

  in.X_WS = {axis_angle(Vec3::UnitZ(), kPi / 2), Vec3(10, -20, 0)};  // looks along the world's y
  found = detect({}, scene, in);
  EXPECT_NEAR(found.at(0).distance, 20, kRounding);
  EXPECT_NEAR(found.at(0).azimuth, 0, kRounding);
}

TEST(Radar, SpeedsAreAlongTheLineOfSight) {
  Scene scene;
  scene.add({20, 0, 0}, 1, {3, 7, 0});     // goes away, and across
  scene.add({30, 40, 0}, 1, {-10, 0, 0});  // comes nearer at 10 cos
  scene.add({0, -25, 0}, 1, {5, 0, 0});    // across only
  SampleInput in;
  in.v_WS = Vec3(2, 0, 0);
  const auto found = detect({{"maxRange", "60"}}, scene, in);
  ASSERT_THAT(found, SizeIs(3));
  EXPECT_NEAR(found[0].speed, 1, kRounding);
  EXPECT_NEAR(found[1].speed, -12 * 0.6, kRounding);
  EXPECT_NEAR(found[2].speed, 0, kRounding);
}

TEST(Radar, KeepsToItsSpeeds) {
  Scene scene;
  for (const double speed : {-8.0, -3.0, -0.5, 0.0, 0.5, 3.0, 8.0}) {
    scene.add({20, 0, 0}, 1, {speed, 0, 0});
  }
  const auto count = [&](const char* least, const char* most, const char* absolute) {
    return detect({{"minRadialSpeed", least},
                   {"maxRadialSpeed", most},
                   {"minAbsoluteRadialSpeed", absolute}},
                  scene)
        .size();
  };
  EXPECT_EQ(count("0", "0", "0"), 7u);
  EXPECT_EQ(count("1", "-1", "0"), 7u);  // the defaults
  EXPECT_EQ(count("1", "5", "0"), 1u);
  EXPECT_EQ(count("-5", "-1", "0"), 1u);
  EXPECT_EQ(count("0", "0", "1"), 4u);
}

TEST(Radar, LooksIntoItsFieldAndRangesOnly) {
  const FieldTexts narrow = {{"horizontalFieldOfView", "0.5"},
                             {"verticalFieldOfView", "0.2"},
                             {"minRange", "2"},
                             {"maxRange", "40"}};
  const auto seen = [&](const Vec3& p, const Vec3& half = Vec3::Zero()) {
    Scene scene;
    RadarTarget& target = scene.add(p);
    target.min_T = -half;
    target.max_T = half;
    return detect(narrow, scene).size() == 1;
  };
  const auto at = [](double distance, double right, double up) {
    return Vec3(distance * std::cos(up) * std::cos(right),
                -distance * std::cos(up) * std::sin(right), distance * std::sin(up));
  };
  EXPECT_TRUE(seen(at(20, 0.24, 0)));
  EXPECT_FALSE(seen(at(20, 0.26, 0)));
  EXPECT_TRUE(seen(at(20, -0.24, 0.09)));
  EXPECT_FALSE(seen(at(20, -0.24, 0.11)));
  EXPECT_FALSE(seen(at(20, kPi, 0)));
  EXPECT_FALSE(seen(at(1.9, 0, 0)));
  EXPECT_TRUE(seen(at(39.9, 0, 0)));
  EXPECT_FALSE(seen(at(40.1, 0, 0)));
  // A part of the target is enough.
  EXPECT_TRUE(seen(at(20, 0.3, 0), {2, 2, 1}));
  EXPECT_TRUE(seen(at(41, 0, 0), {2, 2, 1}));
  EXPECT_FALSE(seen(at(20, kPi, 0), {2, 2, 1}));
}

TEST(Radar, TargetsOfOneCellAreOne) {
  Scene scene;
  scene.add({20, 0, 0}, 1, {0, 0, 0});
  scene.add({20.5, 0, 0}, 2, {4, 0, 0});
  scene.add({30, 0, 0}, 1, {0, 0, 0});
  EXPECT_THAT(detect({}, scene), SizeIs(3));
  const auto merged = detect({{"cellDistance", "1"}}, scene);
  ASSERT_THAT(merged, SizeIs(2));
  const double a = 1 / std::pow(20, 4), b = 2 / std::pow(20.5, 4);  // weights: powers
  EXPECT_NEAR(merged[0].distance, (20 * a + 20.5 * b) / (a + b), kRounding);
  EXPECT_NEAR(merged[0].speed, 4 * b / (a + b), kRounding);
  EXPECT_NEAR(merged[0].power - merged[1].power, 10 * std::log10((a + b) * std::pow(30, 4)), 1e-6);
  EXPECT_THAT(detect({{"cellDistance", "1"}, {"cellSpeed", "3"}}, scene), SizeIs(3));
  EXPECT_THAT(detect({{"cellDistance", "1"}, {"cellSpeed", "5"}}, scene), SizeIs(2));
}

TEST(Radar, WhatStandsBeforeATargetHidesIt) {
  Scene scene;
  scene.add({20, 0, 0});
  SampleInput in;
  int solid = 9;
  in.solid_ray = [&](const Vec3&, const Vec3&, double max) -> std::optional<SolidHit> {
    if (max < 10) return std::nullopt;
    return SolidHit{10, -Vec3::UnitX(), solid};
  };
  EXPECT_THAT(detect({}, scene, in), SizeIs(1));
  EXPECT_THAT(detect({{"occlusion", "TRUE"}}, scene, in), IsEmpty());
  solid = 0;  // its own bumper
  EXPECT_THAT(detect({{"occlusion", "TRUE"}}, scene, in), SizeIs(1));
}

TEST(Radar, WhatReachesIntoTheBoxOfATargetDoesNotHideIt) {
  // A lorry of 8 m whose origin lies on the ground, below the radar.
  Scene scene;
  RadarTarget& lorry = scene.add({20, 0, -1});
  lorry.min_T = {-4, -1, 0};
  lorry.max_T = {4, 1, 1.5};
  const double origin = std::sqrt(20.0 * 20 + 1);
  for (const double before : {0.001, 3.9, 4.1}) {  // it
    SampleInput in;
    in.solid_ray = [&](const Vec3&, const Vec3&, double max) -> std::optional<SolidHit> {
      if (max < origin - before) return std::nullopt;
      return SolidHit{origin - before, Vec3::UnitZ(), 9};
    };
    EXPECT_THAT(detect({{"occlusion", "TRUE"}}, scene, in), SizeIs(before < 4 ? 1 : 0)) << before;
  }
}

TEST(Radar, MeasuresTheDistanceToTheMiddleOfABox) {
  // A car whose origin is at its rear axle, in a radar that looks along the world's y.
  Scene scene;
  RadarTarget& car = scene.add({0, 20, 0});
  car.min_T = {-1, -1, -0.5};
  car.max_T = {3, 1, 1.5};
  SampleInput in;
  in.X_WS = {axis_angle(Vec3::UnitZ(), kPi / 2), Vec3::Zero()};
  auto found = detect({}, scene, in);
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_NEAR(found[0].distance, Vec3(1, 20, 0.5).norm(), kRounding);
  EXPECT_NEAR(found[0].azimuth, 0, kRounding);  // that of its origin
  // Only what the box fills counts.
  car.min_T = {-10, 4, -1};
  car.max_T = {-8, 5, 1};
  EXPECT_THAT(detect({{"horizontalFieldOfView", "0.6"}}, scene, in), IsEmpty());
}

TEST(Radar, NoiseHasItsDeviations) {
  Scene scene;
  scene.add({20, 0, 0}, 1, {2, 0, 0});
  const auto radar =
      make_radar({{"rangeNoise", "0.25"}, {"speedNoise", "0.1"}, {"angularNoise", "0.02"}});
  constexpr int kSamples = 10000;
  double sums[3] = {}, squares[3] = {};
  for (int i = 0; i < kSamples; ++i) {
    SampleInput in;
    in.noise = {3, 4, 0, static_cast<std::uint64_t>(i)};
    const auto found = detect(*radar, scene, in);
    ASSERT_THAT(found, SizeIs(1));
    const double errors[] = {found[0].distance - 20, found[0].speed - 2, found[0].azimuth};
    for (int k = 0; k < 3; ++k) {
      sums[k] += errors[k];
      squares[k] += errors[k] * errors[k];
    }
  }
  const double deviations[] = {0.25, 0.1, 0.02};
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(sums[k] / kSamples, 0, 4 * deviations[k] / std::sqrt(kSamples));
    EXPECT_NEAR(std::sqrt(squares[k] / kSamples), deviations[k], 0.03 * deviations[k]);
  }
}

TEST(Radar, SaysWhatIsWrongWithAField) {
  const auto message = [](FieldTexts fields) -> std::string {
    try {
      make_sensor("Radar", std::move(fields));
    } catch (const std::invalid_argument& problem) {
      return problem.what();
    }
    return "";
  };
  EXPECT_EQ(message({}), "");
  EXPECT_THAT(message({{"minRange", "60"}}), HasSubstr("field 'maxRange'"));
  EXPECT_THAT(message({{"minRadialSpeed", "5"}, {"maxRadialSpeed", "2"}}),
              HasSubstr("field 'maxRadialSpeed' is less than minRadialSpeed"));
}

}  // namespace
}  // namespace protobeam
