// DistanceSensor against a wall and a sphere whose distances have closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/support/plugin.h"
#include "tests/unit/support/visible_wall.h"

namespace protobeam {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The wall x = `distance` of the world, facing -x.
std::optional<SolidHit> wall(double distance, const Vec3& from, const Vec3& direction, double max) {
  const double t = (distance - from.x()) / direction.x();
  if (!(t >= 0) || t > max) return std::nullopt;
  return SolidHit{t, -Vec3::UnitX()};
}

SampleInput before_wall(double distance) {
  SampleInput in;
  in.solid_ray = [distance](const Vec3& from, const Vec3& direction, double max) {
    return wall(distance, from, direction, max);
  };
  return in;
}

double measured(std::map<std::string, std::string> fields, const SampleInput& in) {
  return sample_values(*make_sensor("DistanceSensor", std::move(fields)), in).at(0);
}

const char* const kMetres = "[ 0 0 0, 5 5 0 ]";

TEST(DistanceSensor, DefaultTableScalesTenCentimetresToAThousand) {
  EXPECT_DOUBLE_EQ(measured({}, before_wall(0.04)), 400);
  EXPECT_DOUBLE_EQ(measured({}, before_wall(0.3)), 1000);
  EXPECT_DOUBLE_EQ(measured({{"resolution", "300"}}, before_wall(0.04)), 300);
}

TEST(DistanceSensor, WithoutATableReadsMetresAndInfinity) {
  EXPECT_DOUBLE_EQ(measured({{"lookupTable", "[ ]"}}, before_wall(123.5)), 123.5);
  EXPECT_EQ(measured({{"lookupTable", "[ ]"}}, before_wall(-1)), kInfinity);
  EXPECT_EQ(measured({{"lookupTable", "[ ]"}, {"numberOfRays", "5"}}, before_wall(-1)), kInfinity);
}

TEST(DistanceSensor, LooksAlongItsOwnXAxis) {
  SampleInput in = before_wall(2);
  in.X_WS = {axis_angle(Vec3::UnitZ(), kPi / 3), Vec3(1, 5, 5)};
  EXPECT_NEAR(measured({{"lookupTable", kMetres}}, in), 2, 1e-12);  // 1 m away at 60 degrees
}

TEST(DistanceSensor, TwoRaysLookAlongTheEdgesOfTheAperture) {
  const double slant = 1 / std::cos(0.4);
  EXPECT_NEAR(measured({{"lookupTable", kMetres}, {"numberOfRays", "2"}, {"aperture", "0.8"}},
                       before_wall(1)),
              slant, 1e-12);
}

TEST(DistanceSensor, GenericIsTheGaussianWeightedMean) {
  // One ray on the axis and four at 0.4 rad, of weight exp(-(0.4 / 0.5)^2) each.
  const double w = std::exp(-0.64);
  const double expected = (1 + 4 * w / std::cos(0.4)) / (1 + 4 * w);
  EXPECT_NEAR(measured({{"lookupTable", kMetres},
                        {"numberOfRays", "5"},
                        {"aperture", "0.8"},
                        {"gaussianWidth", "0.5"}},
                       before_wall(1)),
              expected, 1e-12);
}

TEST(DistanceSensor, RayPatternFillsTheConeEvenly) {
  // 19 rays are a full hexagonal pattern: 1 + 6 at half the edge angle + 12 at the edge.
  const double w1 = std::exp(-0.04), w2 = std::exp(-0.16);
  const double expected =
      (1 + 6 * w1 / std::cos(0.2) + 12 * w2 / std::cos(0.4)) / (1 + 6 * w1 + 12 * w2);
  EXPECT_NEAR(measured({{"lookupTable", kMetres}, {"numberOfRays", "19"}, {"aperture", "0.8"}},
                       before_wall(1)),
              expected, 1e-12);
}

TEST(DistanceSensor, InfraRedLooksAtWhatIsVisible) {
  VisibleWall visible(1);
  SampleInput in = before_wall(0.1);  // a boundingObject that the light does not see
  in.visible = &visible;
  EXPECT_NEAR(measured({{"lookupTable", kMetres}, {"type", "\"infra-red\""}}, in), 1, 1e-6);
  const double w = std::exp(-0.16);
  EXPECT_NEAR(measured({{"lookupTable", kMetres},
                        {"type", "\"infra-red\""},
                        {"numberOfRays", "3"},
                        {"aperture", "0.8"}},
                       in),
              (1 + 2 * w / std::cos(0.4)) / (1 + 2 * w), 1e-6);
  VisibleWall far(7);
  in.visible = &far;
  EXPECT_EQ(measured({{"lookupTable", kMetres}, {"type", "\"infra-red\""}}, in), 5);
}

TEST(DistanceSensor, SonarTakesTheNearestEcho) {
  EXPECT_NEAR(measured({{"lookupTable", kMetres},
                        {"type", "\"sonar\""},
                        {"numberOfRays", "5"},
                        {"aperture", "0.6"}},
                       before_wall(1)),
              1, 1e-12);
}

TEST(DistanceSensor, SonarHearsNoEchoBeyond22AndAHalfDegrees) {
  for (const double degrees : {0.0, 22.4, 22.6, 60.0}) {
    SampleInput in = before_wall(1);
    const double angle = degrees * kPi / 180;
    in.X_WS.R = axis_angle(Vec3::UnitZ(), angle);
    const double value = measured({{"lookupTable", kMetres}, {"type", "\"sonar\""}}, in);
    EXPECT_NEAR(value, degrees < 22.5 ? 1 / std::cos(angle) : 5, 1e-12) << degrees;
    EXPECT_NEAR(measured({{"lookupTable", kMetres}}, in), 1 / std::cos(angle), 1e-12) << degrees;
  }
}

TEST(DistanceSensor, NoiseIsRelativeToTheReading) {
  SampleInput in = before_wall(2);
  auto sensor = make_sensor("DistanceSensor", {{"lookupTable", "[ 0 0 0.05, 5 5 0.05 ]"}});
  double squares = 0;
  constexpr int kCount = 10000;
  for (in.noise.frame = 0; in.noise.frame < kCount; ++in.noise.frame) {
    squares += std::pow(sample_values(*sensor, in).at(0) - 2, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / kCount), 0.1, 0.004);
}

TEST(DistanceSensor, TellsTheControllerItsLimits) {
  const Properties p =
      make_sensor("DistanceSensor", {{"lookupTable", "[ 0 900 0, 1 20 0 ]"}, {"aperture", "0.3"}})
          ->properties();
  EXPECT_EQ(std::get<double>(p.at("minValue")), 20);
  EXPECT_EQ(std::get<double>(p.at("maxValue")), 900);
  EXPECT_EQ(std::get<double>(p.at("aperture")), 0.3);
  EXPECT_EQ(std::get<std::string>(p.at("type")), "generic");
}

TEST(DistanceSensor, RefusesContradictions) {
  const auto complaint = [](std::map<std::string, std::string> fields) -> std::string {
    try {
      make_sensor("DistanceSensor", std::move(fields));
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint({{"type", "\"laser\""}, {"numberOfRays", "3"}}),
              HasSubstr("numberOfRays 3"));
  EXPECT_THAT(complaint({{"lookupTable", "[ -1 0 0, 0 1 0 ]"}}), HasSubstr("no distance above 0"));
  EXPECT_THAT(complaint({{"lookupTable", "[ 1 2 ]"}}), HasSubstr("2 numbers"));
}

}  // namespace
}  // namespace protobeam
