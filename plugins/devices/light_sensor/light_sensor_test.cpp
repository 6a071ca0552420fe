// A plate in the light of lamps whose irradiance has a closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "tests/unit/support/plugin.h"

namespace protobeam {
namespace {

using Values = std::map<std::string, std::string>;

LightSource lamp(const Vec3& p, double intensity) {
  LightSource light;
  light.kind = LightSource::Kind::kPoint;
  light.p_W = p;
  light.intensity = static_cast<float>(intensity);
  light.attenuation = {0, 0, 4 * kPi};  // its intensity is its power
  return light;
}

struct Plate {
  std::unique_ptr<DeviceModel> sensor;
  Appearance look;
  SampleInput in;

  explicit Plate(Values fields = {}) : sensor(make_sensor("LightSensor", std::move(fields))) {
    in.appearance = &look;
  }
  double value() { return sample_values(*sensor, in)[0]; }
  double irradiance() { return sample_values(*sensor, in)[1]; }
};

TEST(LightSensor, ALampSpreadsItsPowerOverASphere) {
  Plate plate;
  plate.look.lights = {lamp({3, 0, 0}, 60)};
  EXPECT_NEAR(plate.irradiance(), 60 / (4 * kPi * 9), 1e-6);
  plate.look.lights = {lamp({3, 0, 4}, 60)};  // 5 m away, at an angle with a cosine of 3 / 5
  EXPECT_NEAR(plate.irradiance(), 60 / (4 * kPi * 25) * 0.6, 1e-6);
  EXPECT_NEAR(plate.value(), 1000 * plate.irradiance(), 1e-9);
  plate.look.lights = {lamp({-3, 0, 0}, 60)};  // behind the plate
  EXPECT_EQ(plate.irradiance(), 0);
  plate.look.lights[0].ambient = 0.5f;  // from everywhere
  EXPECT_NEAR(plate.irradiance(), 0.5 / (4 * kPi * 9), 1e-9);
}

TEST(LightSensor, AddsTheColorsThatItsFilterLeaves) {
  Plate plate(Values{{"colorFilter", "1 0.5 0"}});
  LightSource sun;
  sun.color = {0.4f, 0.8f, 1};
  sun.intensity = 3;
  sun.direction_W = Vec3(-1, 0, -1).normalized();
  plate.look.lights = {sun, sun};
  EXPECT_NEAR(plate.irradiance(), 2 * (0.4 + 0.4) / 3 * 3 * std::sqrt(0.5), 1e-6);
}

TEST(LightSensor, SpotsFadeBetweenBeamAndCutOff) {
  Plate plate;
  LightSource spot = lamp({2, 0, 0}, 1);
  spot.kind = LightSource::Kind::kSpot;
  spot.attenuation = {1, 0, 0};
  spot.beam_width = 0.2, spot.cut_off_angle = 0.6;
  for (const auto& [angle, share] : {std::pair{0.1, 1.0}, {0.3, 0.75}, {0.5, 0.25}, {0.7, 0.0}}) {
    spot.direction_W = Vec3(-std::cos(angle), std::sin(angle), 0);
    plate.look.lights = {spot};
    EXPECT_NEAR(plate.irradiance(), share, 1e-6) << angle;
  }
}

TEST(LightSensor, OcclusionHidesTheDirectPartOnly) {
  for (const bool occlusion : {false, true}) {
    Plate plate(Values{{"occlusion", occlusion ? "TRUE" : "FALSE"}});
    LightSource light = lamp({2, 0, 0}, 1);
    light.attenuation = {1, 0, 0};
    light.ambient = 0.25f;
    plate.look.lights = {light};
    double asked = 0;
    plate.in.solid_ray = [&](const Vec3&, const Vec3& direction, double max) {
      asked = max;
      EXPECT_EQ(direction, Vec3::UnitX());
      return std::optional<SolidHit>({1, -Vec3::UnitX()});
    };
    EXPECT_NEAR(plate.irradiance(), occlusion ? 0.25 : 1.25, 1e-9);
    EXPECT_EQ(asked, occlusion ? 2 : 0);
  }
}

TEST(LightSensor, ItsTableAndResolutionActOnTheSum) {
  Plate plate(Values{{"lookupTable", "[ 0 10 0, 2 20 0 ]"}, {"resolution", "2"}});
  LightSource sun;
  sun.direction_W = -Vec3::UnitX();
  plate.look.lights = {sun};
  EXPECT_EQ(plate.value(), 16);  // 15, in steps of 2
}

}  // namespace
}  // namespace protobeam
