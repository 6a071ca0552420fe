// Webots' functions of sensors, called from C and C++ in real controller processes.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/program.h"

namespace protobeam::test {
namespace {

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
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "0.5"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Languages, SensorApi, testing::Values("sensor_use", "sensor_use_cpp"));

}  // namespace
}  // namespace protobeam::test
