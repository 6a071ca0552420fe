// DistanceSensor against a wall and a sphere whose distances have closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

/// A ray as Webots' pattern has it: angle around the axis from up to the left, part of the half
/// aperture.
struct Polar {
  double around, part;
};

Vec3 direction_of(const Polar& polar, double aperture) {
  const double t = polar.part * aperture / 2;
  return {std::cos(t), std::sin(t) * std::sin(polar.around), std::sin(t) * std::cos(polar.around)};
}

std::vector<Vec3> directions(int rays, double aperture) {
  std::vector<Vec3> out;
  SampleInput in;
  in.solid_ray = [&out](const Vec3&, const Vec3& direction, double) {
    out.push_back(direction);
    return std::optional<SolidHit>{};
  };
  measured({{"numberOfRays", std::to_string(rays)}, {"aperture", std::to_string(aperture)}}, in);
  return out;
}

/// The same directions, in any order.
void expect_pattern(int rays, const std::vector<Polar>& pattern) {
  constexpr double kAperture = 0.8;
  const std::vector<Vec3> found = directions(rays, kAperture);
  ASSERT_EQ(found.size(), pattern.size()) << rays;
  for (const Polar& polar : pattern) {
    const Vec3 wanted = direction_of(polar, kAperture);
    EXPECT_EQ(std::count_if(found.begin(), found.end(),
                            [&](const Vec3& d) { return (d - wanted).norm() < 1e-12; }),
              1)
        << rays << " rays, " << polar.around << " " << polar.part;
  }
}

TEST(DistanceSensor, FewRaysStandAsInWebots) {
  const double half = kPi, third = 2 * kPi / 3, quarter = kPi / 2, fifth = 2 * kPi / 5,
               sixth = kPi / 3, seventh = 2 * kPi / 7;
  const auto edge = [](int count, double step, std::vector<Polar> rest) {
    for (int i = 0; i < count; ++i) rest.push_back({i * step, 1});
    return rest;
  };
  expect_pattern(1, {{0, 0}});
  expect_pattern(2, {{quarter, 1}, {-quarter, 1}});
  expect_pattern(3, {{0, 1}, {third, 1}, {-third, 1}});
  expect_pattern(4, {{0, 0}, {0, 1}, {third, 1}, {-third, 1}});
  expect_pattern(5, {{0, 0}, {0, 1}, {quarter, 1}, {half, 1}, {-quarter, 1}});
  expect_pattern(6, edge(5, fifth, {{0, 0}}));
  expect_pattern(7, edge(6, sixth, {{0, 0}}));
  expect_pattern(8, edge(7, seventh, {{0, 0}}));
  expect_pattern(9, edge(6, sixth, {{0, 0.3}, {third, 0.3}, {-third, 0.3}}));
  expect_pattern(10, edge(6, sixth, {{0, 0}, {0, 0.5}, {third, 0.5}, {-third, 0.5}}));
}

TEST(DistanceSensor, ManyRaysFillRingsFromTheAxisOut) {
  // 1 + 4 + 7 + 1. A ring of m rays begins where the number s of the rays before it points, at
  // 2 pi s / m.
  std::vector<Polar> pattern{{0, 0}};
  for (int s = 1; s < 5; ++s) pattern.push_back({s * 2 * kPi / 4, 1.0 / 3});
  for (int s = 5; s < 12; ++s) pattern.push_back({s * 2 * kPi / 7, 2.0 / 3});
  pattern.push_back({12 * 2 * kPi, 1});
  expect_pattern(13, pattern);
}

TEST(DistanceSensor, WithoutAnApertureCastsOneRay) {
  EXPECT_EQ(directions(7, 0).size(), 1u);
  EXPECT_NEAR(measured({{"lookupTable", kMetres}, {"numberOfRays", "7"}, {"aperture", "0"}},
                       before_wall(1)),
              1, 1e-12);
}

TEST(DistanceSensor, GenericIsTheGaussianWeightedMean) {
  // One ray on the axis and four at 0.4 rad, which is the aperture times the width.
  const double w = std::exp(-1);
  const double expected = (1 + 4 * w / std::cos(0.4)) / (1 + 4 * w);
  EXPECT_NEAR(measured({{"lookupTable", kMetres},
                        {"numberOfRays", "5"},
                        {"aperture", "0.8"},
                        {"gaussianWidth", "0.5"}},
                       before_wall(1)),
              expected, 1e-12);
}

TEST(DistanceSensor, InfraRedLooksAtWhatIsVisible) {
  VisibleWall visible(1);
  SampleInput in = before_wall(0.1);  // a boundingObject that the light does not see
  in.visible = &visible;
  EXPECT_NEAR(measured({{"lookupTable", kMetres}, {"type", "\"infra-red\""}}, in), 1, 1e-6);
  // Four rays, of which three are half an aperture off the axis.
  const double w = std::exp(-0.25);
  EXPECT_NEAR(measured({{"lookupTable", kMetres},
                        {"type", "\"infra-red\""},
                        {"numberOfRays", "4"},
                        {"aperture", "0.8"}},
                       in),
              (1 + 3 * w / std::cos(0.4)) / (1 + 3 * w), 1e-6);
  VisibleWall far(7);
  in.visible = &far;
  EXPECT_EQ(measured({{"lookupTable", kMetres}, {"type", "\"infra-red\""}}, in), 5);
}

/// Before a wall of some material, 1 m away.
class InfraRed : public testing::Test {
 protected:
  double seen(std::map<std::string, std::string> fields = {}) {
    Appearance appearance;
    appearance.instances.resize(1);
    InstanceLook& wall = appearance.instances[0];
    // The face of a box towards the sensor, 2 m tall and wide.
    wall.X_WI = Pose::translation({1.5, 0, 0});
    wall.shapes.push_back({std::make_shared<const Material>(material_),
                           std::make_shared<const Geometry>(Box{{1, 2, 2}})});
    VisibleWall visible(1);
    SampleInput in;
    in.visible = &visible;
    in.appearance = &appearance;
    in.X_WS = Pose::translation({0, at_.x(), at_.y()});
    fields["lookupTable"] = "[ 0 0 0, 100 100 0 ]";
    fields["type"] = "\"infra-red\"";
    return measured(std::move(fields), in);
  }
  static std::shared_ptr<const Image> picture(std::vector<std::uint8_t> reds) {
    Image image{static_cast<int>(reds.size()), 1, 3, {}};
    for (const std::uint8_t red : reds) image.pixels.insert(image.pixels.end(), {red, 9, 9});
    return std::make_shared<const Image>(image);
  }

  Material material_;
  Vec2 at_ = Vec2::Zero();  ///< y and z of the sensor
};

TEST_F(InfraRed, TakesDarkSurfacesForFartherOnes) {
  EXPECT_NEAR(seen(), 1, 1e-6);
  material_.infrared_red = 0.5f;
  EXPECT_NEAR(seen(), 1 / 0.6, 1e-6);
  material_.infrared_roughness = 1;
  EXPECT_NEAR(seen(), 1 / 0.4, 1e-6);
  material_.transparency = 0.5f;
  EXPECT_NEAR(seen(), 1 / 0.3, 1e-6);
  material_.infrared_red = 0;
  EXPECT_NEAR(seen(), 1 / 0.2, 1e-6);
}

TEST_F(InfraRed, AsMuchAsItsSensitivitySays) {
  material_.infrared_red = 0.5f;
  EXPECT_NEAR(seen({{"redColorSensitivity", "0"}}), 1, 1e-6);
  EXPECT_NEAR(seen({{"redColorSensitivity", "0.5"}}), 1 + (1 / 0.6 - 1) / 2, 1e-6);
  EXPECT_NEAR(seen({{"redColorSensitivity", "2"}}), 1 + (1 / 0.6 - 1) * 2, 1e-6);
}

TEST_F(InfraRed, LooksAtTheNearestPixel) {
  // On the face towards -x the picture runs from left, y = 1, to right, as one sees it from there.
  material_.texture = picture({0, 51, 102, 255});
  for (const auto& [y, red] : {std::pair{0.9, 0.0}, {0.3, 0.2}, {-0.3, 0.4}, {-0.9, 1.0}}) {
    at_ = {y, 0};
    EXPECT_NEAR(seen(), 1 / (0.2 + 0.8 * red), 1e-5) << y;
  }
  material_.infrared_red = 0.5f;
  EXPECT_NEAR(seen(), 1 / 0.6, 1e-5);
}

TEST_F(InfraRed, TakesRoughnessAndOcclusionFromPicturesBesideThatOfTheColour) {
  MaterialMaps maps;
  maps.roughness = picture({102});
  maps.occlusion = picture({51});
  material_.maps = std::make_shared<const MaterialMaps>(maps);
  material_.infrared_roughness = 1;
  EXPECT_NEAR(seen(), 1 / 0.6, 1e-5);
  material_.texture = picture({255});
  EXPECT_NEAR(seen(), 1 / (0.2 + 0.8 * 0.8 * 0.9), 1e-5);
}

TEST_F(InfraRed, DividesTheMeanDistanceByTheMeanFactor) {
  // Of the two rays one meets the dark half.
  material_.texture = picture({255, 0});
  const double mean = 1 / std::cos(0.4);
  EXPECT_NEAR(seen({{"numberOfRays", "2"}, {"aperture", "0.8"}}), mean / 0.6, 1e-5);
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
