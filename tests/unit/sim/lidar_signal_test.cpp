// Appearances and weather of a world, as a lidar of this world reports them, with both engines.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

class SignalsOfAWorld : public testing::TestWithParam<bool> {
 protected:
  /// The sweep of a lidar that looks along x.
  std::vector<BeamReturn> sweep(const std::string& fields, const std::string& things) {
    SimulationOptions options;
    options.build.bullet_rays = GetParam();
    Simulation& simulation = world_.load(R"(Robot { name "r" controller "<none>" children [ Lidar {
        fieldOfView 0.01 verticalFieldOfView 0.01 horizontalResolution 40 numberOfLayers 40
        maxRange 100 beamModel "datasheet" )" +
                                             fields + " } ] }\n" + things,
                                         "gravity 0", options);
    Device& device = device_named(simulation, "lidar");
    simulation.enable(device, 0.008);
    simulation.step();
    return dynamic_cast<BeamSensor&>(*device.model).beams(device.data);
  }
  static double mean_intensity(const std::vector<BeamReturn>& beams) {
    double sum = 0;
    for (const BeamReturn& beam : beams) sum += double{beam.intensity};
    return sum / static_cast<double>(beams.size());
  }

 private:
  WorldText world_;
};
INSTANTIATE_TEST_SUITE_P(Engines, SignalsOfAWorld, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "Bullet" : "Embree"; });

std::string thing(const std::string& description, const std::string& geometry, double x,
                  double turn = 0) {
  return "Solid { translation " + std::to_string(x) + " 0 0 rotation 0 0 1 " +
         std::to_string(turn) + " children [ Shape { appearance PBRAppearance { " + description +
         " } geometry " + geometry + " } ] }\n";
}

TEST_P(SignalsOfAWorld, IntensityIsTheReflectanceThatAnAppearanceGives) {
  const auto beams = sweep("", thing("lidarReflectance 0.3", "Box { size 1 20 20 }", 10));
  EXPECT_NEAR(mean_intensity(beams), 0.3, 1e-3);
}

TEST_P(SignalsOfAWorld, ATurnedWallIsDarkerByTheCosine) {
  const auto beams = sweep("", thing("lidarReflectance 0.3", "Box { size 1 40 40 }", 10, 0.8));
  EXPECT_NEAR(mean_intensity(beams), 0.3 * std::cos(0.8), 2e-3);
}

TEST_P(SignalsOfAWorld, ABallIsSeenStraightInTheMiddle) {
  const auto beams = sweep("", thing("lidarReflectance 0.4", "Sphere { radius 3 }", 10));
  EXPECT_NEAR(mean_intensity(beams), 0.4, 2e-3);
}

TEST_P(SignalsOfAWorld, AWindowLetsTheWallBehindItBeSeen) {
  const auto beams = sweep("", thing("transparency 0.9 roughness 0.1 metalness 0 baseColor 0 0 0",
                                     "Box { size 0.01 20 20 }", 5, 0.4) +
                                   thing("lidarReflectance 0.5", "Box { size 1 20 20 }", 20.5));
  for (const BeamReturn& beam : beams) ASSERT_NEAR(beam.range, 20, 0.2);
  // Four times a face; Schlick's share at 0.4 rad is 0.04.
  EXPECT_NEAR(mean_intensity(beams), 0.5 * std::pow(0.9 * 0.96, 4), 2e-3);
}

TEST_P(SignalsOfAWorld, FogHidesAWall) {
  const auto beams =
      sweep("returnMode \"last\"", "Atmosphere { visibility 20 }\n" +
                                       thing("lidarReflectance 0.5", "Box { size 1 40 40 }", 50));
  for (const BeamReturn& beam : beams) {
    ASSERT_TRUE(beam.range < 40 || !std::isfinite(beam.range) || beam.range > 49) << beam.range;
    ASSERT_FALSE(std::isfinite(beam.range) && beam.range > 49 && beam.intensity > 0.1f);
  }
}

}  // namespace
}  // namespace protobeam
