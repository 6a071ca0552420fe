// How strong, how noisy and how likely the returns of a single target are.
#include <gtest/gtest.h>

#include "signal_fixture.h"

namespace protobeam {
namespace {

using test::grey;
using test::narrow;
using test::SignalLidar;
using test::statistics;
using test::tolerance;

/// Upper tail of the normal distribution.
double tail(double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); }
constexpr double kThresholdGiven = 3.7190165;  // tail(kThreshold) = 1e-4
constexpr double kNinety = 1.2815516;          // tail(-kNinety) = 0.9

/// Signal-to-noise ratio of a target for a device that sees 10 % at 100 m: inverse square, with
/// the overlap 1 - exp(-2 (r / 2 m)^2).
double signal(double reflectance, double range) {
  const auto overlap = [](double r) { return 1 - std::exp(-2 * r * r / 4); };
  return (kThresholdGiven + kNinety) * reflectance / 0.1 * (100 / range) * (100 / range) *
         overlap(range) / overlap(100);
}

class Distances : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Metres, Distances, testing::Values(60.0, 90.0, 100.0, 120.0, 150.0));

TEST_P(Distances, ShareOfReturnsIsTheProbabilityThatSignalAndNoiseExceedTheThreshold) {
  SignalLidar lidar(narrow());
  lidar.add_plate(grey(0.1f), GetParam());
  lidar.sample();
  const auto s = statistics(lidar.beams());
  ASSERT_EQ(s.beams, 100'000u);
  const double expected = tail(kThresholdGiven - signal(0.1, GetParam()));
  EXPECT_NEAR(s.share(), expected, tolerance(expected, 1e5));
}

TEST(Signal, TenPercentAreSeenByNineBeamsInTenAtTheDetectionRange) {
  SignalLidar lidar(narrow({{"detectionRange", "45"}}));
  lidar.add_plate(grey(0.1f), 45);
  lidar.sample();
  EXPECT_NEAR(statistics(lidar.beams()).share(), 0.9, tolerance(0.9, 1e5));
}

TEST_P(Distances, RangeNoiseGrowsAsTheSignalFalls) {
  // 1 cm at best and 5 cm for 10 % at 100 m (a data sheet's two figures).
  SignalLidar lidar(narrow({{"noise", "3.3333333e-5"}, {"detectionNoise", "0.05"}}));
  lidar.add_plate(grey(0.1f), GetParam());
  lidar.sample();
  const auto s = statistics(lidar.beams());
  const double weak =
      std::sqrt(0.05 * 0.05 - 0.01 * 0.01) * (kThresholdGiven + kNinety) / signal(0.1, GetParam());
  const double expected = std::sqrt(0.01 * 0.01 + weak * weak);
  const double n = double(s.returns);
  EXPECT_NEAR(s.sigma, expected, 5 * expected / std::sqrt(2 * n));
  EXPECT_NEAR(s.mean, GetParam(), 5 * expected / std::sqrt(n) + 2e-3);  // beams are not parallel
}

TEST(Signal, RangeNoiseOfAStrongEchoIsTheFieldNoise) {
  SignalLidar lidar(narrow({{"noise", "3.3333333e-5"}}));
  lidar.add_plate(grey(0.9f), 10);
  lidar.sample();
  const auto s = statistics(lidar.beams());
  EXPECT_EQ(s.returns, 100'000u);
  EXPECT_NEAR(s.sigma, 0.01, 5 * 0.01 / std::sqrt(2e5));
}

TEST(Signal, IsInversePowerTwoTimesTheCosineOfIncidence) {
  for (const double tilt : {0.0, 0.5, 1.0}) {
    for (const double range : {5.0, 20.0, 40.0}) {
      SignalLidar lidar(narrow({{"intensityCode", "\"ouster\""}}));
      lidar.add_plate(grey(0.5f), range, 0, 1000, tilt);
      lidar.sample();
      double photons = 0;
      for (const BeamReturn& b : lidar.beams()) photons += double{b.signal} / 1e5;
      const double expected = 5 * signal(0.5 * std::cos(tilt), range);
      // Noise has a sigma of 5 photons; the tilted plate is a little nearer on one side.
      EXPECT_NEAR(photons, expected, 5 * 5 / std::sqrt(1e5) + 1e-4 * expected)
          << tilt << ' ' << range;
    }
  }
}

TEST(Signal, NearTheDeviceTheReceiverSeesOnlyPartOfTheSpot) {
  SignalLidar lidar(narrow({{"intensityCode", "\"ouster\""}, {"overlapRange", "4"}}));
  lidar.add_plate(grey(0.2f), 1);
  lidar.sample();
  double photons = 0;
  for (const BeamReturn& b : lidar.beams()) photons += double{b.signal} / 1e5;
  const double expected =
      5 * (kThresholdGiven + kNinety) * 0.2 / 0.1 * 1e4 * (1 - std::exp(-2.0 / 16));
  EXPECT_NEAR(photons, expected, 1e-3 * expected);
}

/// The byte of the brightest thing that a device sees 10 m ahead.
double code(const std::string& maker, const Surface& surface) {
  SignalLidar lidar(narrow({{"intensityCode", '"' + maker + '"'}}));
  lidar.add_plate(surface, 10);
  lidar.sample();
  double sum = 0;
  for (const BeamReturn& b : lidar.beams()) sum += double{b.intensity} * 255 / 1e5;
  return sum;
}

TEST(IntensityCodes, AreThoseOfTheMakersManuals) {
  // White is 100 for Velodyne, Robosense and Ouster and 150 for Livox; half of it for half.
  for (const std::string maker : {"velodyne", "robosense", "ouster"}) {
    EXPECT_NEAR(code(maker, grey(0.5f)), 50, 0.1) << maker;
    EXPECT_NEAR(code(maker, grey(0.9f)), 90, 0.1) << maker;
  }
  EXPECT_NEAR(code("livox", grey(0.5f)), 75, 0.1);
}

TEST(IntensityCodes, RetroReflectorsLieAboveWhite) {
  Surface sign = grey(0.1f);
  sign.retro = 300;
  // Logarithmic, 255 for 864 times white.
  const double expected = 100 + 155 * std::log(300.1) / std::log(864.0);
  EXPECT_NEAR(code("velodyne", sign), expected, 0.6);
  EXPECT_NEAR(code("livox", sign), 150 + 105 * std::log(300.1) / std::log(864.0), 0.6);
  sign.retro = 5000;
  EXPECT_NEAR(code("velodyne", sign), 255, 1e-3);
}

TEST(Signal, ARoadSignIsSeenWhereAWallIsNot) {
  Surface sign = grey(0.1f);
  sign.retro = 300;
  SignalLidar far_sign(narrow()), far_wall(narrow());
  far_sign.add_plate(sign, 290);
  far_wall.add_plate(grey(0.1f), 290);
  far_sign.sample();
  far_wall.sample();
  EXPECT_EQ(statistics(far_sign.beams()).returns, 100'000u);
  const double expected = tail(kThresholdGiven - signal(0.1, 290));
  EXPECT_LT(expected, 0.01);
  EXPECT_NEAR(statistics(far_wall.beams()).share(), expected, tolerance(expected, 1e5));
}

TEST(IntensityCodes, ReflectanceIsTheNumberItself) {
  EXPECT_NEAR(code("reflectance", grey(0.35f)) / 255, 0.35, 1e-3);
  Surface sign;
  sign.retro = 300;
  EXPECT_NEAR(code("reflectance", sign) / 255, 1, 1e-6);
}

TEST(Signal, AMirrorIsBrightStraightAheadAndBlackAslant) {
  Surface chrome;
  chrome.specular = 0.6f;
  chrome.slope = 0.1f;
  // Beckmann's facets at normal incidence: 0.6 / (4 * 0.1^2) = 15 times white.
  EXPECT_NEAR(code("velodyne", chrome), 100 + 155 * std::log(15) / std::log(864.0), 0.6);
  SignalLidar lidar(narrow());
  lidar.add_plate(chrome, 10, 0, 1000, 0.8);
  lidar.sample();
  // Noise alone exceeds the threshold once in 10,000 beams.
  EXPECT_NEAR(statistics(lidar.beams()).share(), 1e-4, tolerance(1e-4, 1e5));
}

TEST(Signal, AmbientLightIsTheSunOffTheSurfaceAndDoesNotFallWithRange) {
  for (const double range : {10.0, 60.0}) {
    SignalLidar lidar(narrow({{"intensityCode", "\"ouster\""}}));
    lidar.add_plate(grey(0.4f), range);
    const Sun sun{Vec3(-0.6, 0, 0.8), 1};
    lidar.in.sun = &sun;
    lidar.sample();
    for (const BeamReturn& b : lidar.beams())
      ASSERT_NEAR(b.ambient, 1000 * 0.4 * (0.6 + 0.2), 1e-2);
  }
}

TEST(Signal, WhatSendsNothingBackIsNotReported) {
  SignalLidar lidar(narrow());
  lidar.add_plate(grey(0), 20);
  lidar.sample();
  EXPECT_EQ(statistics(lidar.beams()).returns, 0u);  // noise alone would be ten of them
}

TEST(Signal, AnEchoFromBeforeTheLeastRangeIsNotReportedHoweverNoisyItIs) {
  SignalLidar lidar(narrow({{"noise", "1e-4"}, {"near", "0.1"}}));
  lidar.add_plate(grey(0.5f), 0.499);
  lidar.sample();
  EXPECT_EQ(statistics(lidar.beams()).returns, 0u);
}

TEST(Signal, AnUnknownWorldScattersHalfOfTheLight) {
  SignalLidar lidar(narrow());
  lidar.add(Box{{1e-3, 1000, 1000}}, Pose::translation({20, 0, 0}));
  lidar.sample();
  double sum = 0;
  for (const BeamReturn& b : lidar.beams()) sum += double{b.intensity} / 1e5;
  EXPECT_NEAR(sum, 0.5, 1e-3);
}

TEST(NominalModel, IgnoresSurfacesAndWeatherBitForBit) {
  test::FieldTexts fields = narrow({{"noise", "1e-4"}});
  fields["beamModel"] = "\"nominal\"";
  SignalLidar plain(fields), dressed(fields);
  plain.add(Box{{4e-3, 1000, 1000}}, Pose::translation({20.022, 0, 0}));
  dressed.add_plate(grey(0.01f), 20.02);
  const Atmosphere fog{5, 100, 0, 0};
  dressed.in.atmosphere = &fog;
  plain.sample();
  dressed.sample();
  EXPECT_EQ(plain.bytes(), dressed.bytes());
  // And its noise is the one that the reference describes: sigma = noise * maxRange.
  const auto s = statistics(dressed.beams());
  EXPECT_EQ(s.returns, 100'000u);
  EXPECT_NEAR(s.sigma, 0.03, 5 * 0.03 / std::sqrt(2e5));
  EXPECT_EQ(dressed.beams()[0].intensity, 0);
  EXPECT_FALSE(dressed.sensor().inputs(Input::kSurfaces).has(Input::kSurfaces));
}

TEST(SignalFields, TurnTheModelOnUnlessItIsNamed) {
  const auto model = [](test::FieldTexts fields) {
    const auto properties = make_sensor("Lidar", fields)->properties();
    return properties.contains("beamModel");
  };
  EXPECT_FALSE(model({}));
  EXPECT_TRUE(model({{"beamModel", "\"datasheet\""}}));
  EXPECT_TRUE(model({{"beamDivergence", "0.003"}}));
  EXPECT_TRUE(model({{"intensityCode", "\"velodyne\""}}));
  EXPECT_FALSE(model({{"beamDivergence", "0.003"}, {"beamModel", "\"nominal\""}}));
}

TEST(SignalFields, RangesCannotBeMorePreciseFarAwayThanNear) {
  EXPECT_THROW(make_sensor("Lidar", {{"beamModel", "\"datasheet\""},
                                     {"maxRange", "100"},
                                     {"noise", "3e-4"},
                                     {"detectionNoise", "0.02"}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace protobeam
