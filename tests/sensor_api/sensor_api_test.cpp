// Webots' functions of sensors, called from C and C++ in real controller processes.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include "geometry/files.h"
#include "tests/support/program.h"

namespace protobeam::test {
namespace {

using Shape = std::array<int, 3>;
Shape shape(const Image& image) { return {image.width, image.height, image.channels}; }

class SensorApi : public testing::TestWithParam<const char*> {};

TEST_P(SensorApi, WorksInARealController) {
  const TemporaryFolder folder;
  const auto world = folder.write("worlds/w.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
DirectionalLight { direction -0.5 0 -0.8660254037844386 }
Solid {
  translation 2 0 0 rotation 0 0 1 0.5
  name "cube" model "red cube" recognitionColors [ 1 0 0 0 0.5 0.25 ] radarCrossSection 5
  children [
    Shape {
      appearance PBRAppearance { baseColor 0 0 0 emissiveColor 1 0 0 emissiveIntensity 5 roughness 1 metalness 0 }
      geometry Box { size 0.4 0.4 0.4 }
    }
  ]
  boundingObject Box { size 0.4 0.4 0.4 }
}
Robot {
  controller ")" + std::string(GetParam()) + R"("
  children [
    Camera {
      width 60 height 40 fieldOfView 1 near 0.02
      focus Focus { focalDistance 1 focalLength 0.01 minFocalDistance 0.5 maxFocalDistance 2 }
      zoom Zoom { minFieldOfView 0.5 maxFieldOfView 1.2 }
      recognition Recognition { segmentation TRUE }
    }
    RangeFinder { width 20 height 10 fieldOfView 0.1 minRange 0.1 maxRange 5 }
    Compass { }
    LightSensor { }
    Radar { minRange 0.5 }
  ]
})");
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "1.5"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;

  // What the program has left in its folder: the cube is red, and some 1.8 m away.
  const std::string program = GetParam(), suffix = program == "sensor_use" ? "" : "_cpp";
  const auto file = [&](const std::string& name, const std::string& ending) {
    return std::filesystem::path(build_dir()) / "controllers" / program / (name + suffix + ending);
  };
  for (const char* ending : {".png", ".JPG"}) {
    const auto image = load_image(file("image", ending));
    ASSERT_EQ(shape(*image), (Shape{60, 40, 3}));
    const std::uint8_t* pixel = &image->pixels[3 * (20 * 60 + 30)];
    EXPECT_GT(pixel[0], 200) << ending;
    EXPECT_LT(pixel[1], 50) << ending;
    EXPECT_LT(pixel[2], 50) << ending;
  }
  for (const char* ending : {".png", ".jpeg"}) {
    const auto depths = load_image(file("depth", ending));
    ASSERT_EQ(shape(*depths), (Shape{20, 10, 1}));
    EXPECT_NEAR(depths->pixels[5 * 20 + 10], 255 * (1.78 - 0.1) / (5 - 0.1), 6) << ending;
  }
  const std::string hdr = read_bytes(file("depth", ".hdr"));
  ASSERT_EQ(hdr.substr(hdr.size() - 4 * 200 - 13, 13), "\n-Y 10 +X 20\n");
  const auto* pixel = reinterpret_cast<const unsigned char*>(&hdr[hdr.size() - 4 * 200 + 4 * (5 * 20 + 10)]);
  EXPECT_NEAR(std::ldexp(pixel[0] / 256.0, pixel[3] - 128), 1.78, 0.06);
}

INSTANTIATE_TEST_SUITE_P(Languages, SensorApi, testing::Values("sensor_use", "sensor_use_cpp"));

}  // namespace
}  // namespace protobeam::test
