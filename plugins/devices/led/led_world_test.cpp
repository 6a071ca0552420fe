// A LED in a world: cameras and light sensors see its colour, on its first child only.
#include <gmock/gmock.h>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

/// A robot whose camera looks at a lamp on the left and another body on the right, in the dark.
constexpr const char* kWorld = R"(
Background { skyColor [ 0 0 0 ] luminosity 0 }
DEF LIGHTS Robot {
  controller "<none>"
  children [
    Camera { width 64 height 32 fieldOfView 1 }
    LightSensor { translation 1 0 0 lookupTable [ ] }
    LED {
      translation 2 0 0
      color [ 1 0 0, 0 0.5 0 ]
      children [
        Group { children [
          Pose { translation 0 0.5 0 children [
            Shape { appearance PBRAppearance { baseColor 0 0 0 roughness 1 } geometry Box { size 0.5 0.5 0.5 } }
          ] }
          PointLight { attenuation 0 0 1 location 0 0 0 on FALSE }
        ] }
        Pose { translation 0 -0.5 0 children [
          Shape { appearance PBRAppearance { baseColor 0 0 0 roughness 1 emissiveColor 0 0 1 }
                  geometry Box { size 0.5 0.5 0.5 } }
        ] }
      ]
    }
  ]
}
)";

struct LampWorld : testing::Test {
  WorldText text;
  Simulation* simulation = nullptr;

  void SetUp() override {
    simulation = &text.load(kWorld);
    for (const char* name : {"camera", "light sensor"}) {
      simulation->enable(*simulation->find_device(name), 0.008);
    }
    simulation->step();
  }
  void set(double value) {
    ASSERT_EQ(simulation->find_device("led")->model->send_command("set", {value}), "");
    simulation->step();
  }
  /// Blue, green, red at the middle of the left or right box.
  std::vector<int> pixel(bool left) const {
    const Device& camera = *simulation->find_device("camera");
    const auto* image = reinterpret_cast<const unsigned char*>(
        camera.data.data() + camera.model->layout().find("image")->offset);
    const unsigned char* p = image + 4 * (16 * 64 + (left ? 16 : 47));
    return {p[0], p[1], p[2]};
  }
  double irradiance() const {
    const Device& sensor = *simulation->find_device("light sensor");
    return sensor.model->channel<double>(sensor.data, 1)[0];
  }
};

TEST_F(LampWorld, IsDarkUntilItIsSwitchedOn) {
  EXPECT_THAT(pixel(true), testing::ElementsAre(0, 0, 0));
  EXPECT_EQ(irradiance(), 0);
  const auto other = pixel(false);
  EXPECT_GT(other[0], 200) << "what is not in the first child keeps its own light";
}

TEST_F(LampWorld, ShinesInTheColorOfItsValue) {
  const auto other = pixel(false);
  set(1);
  const auto red = pixel(true);
  EXPECT_GT(red[2], 200);
  EXPECT_EQ(red[0], 0);
  EXPECT_EQ(red[1], 0);
  // A third of white light (the colour's mean) of intensity 1 at 1 m.
  EXPECT_NEAR(irradiance(), 1.0 / 3, 1e-6);
  set(2);
  const auto green = pixel(true);
  EXPECT_GT(green[1], 100);
  EXPECT_LT(green[1], red[2]);
  EXPECT_EQ(green[2], 0);
  EXPECT_NEAR(irradiance(), 0.5 / 3, 1e-6);
  EXPECT_EQ(pixel(false), other);
  set(0);
  EXPECT_THAT(pixel(true), testing::ElementsAre(0, 0, 0));
  EXPECT_EQ(irradiance(), 0);
}

}  // namespace
}  // namespace protobeam
