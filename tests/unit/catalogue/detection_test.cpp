// beamModel "datasheet": how far the products see which target, and what they call white, against
// the makers' figures. The target is a hollow sphere, so that all beams meet it at a right angle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "catalogue_fixture.h"
#include "device/surroundings.h"

namespace protobeam {
namespace {

using namespace catalogue;

struct Product {
  const char* proto;
  double range, reflectance;  ///< m; of the target that 9 beams of 10 see there
  double white;               ///< code of a white surface
};

const Product kRangesGiven[] = {
    {"VelodyneVLP-16", 100, 0.8, 100},  {"VelodynePuck", 100, 0.8, 100},
    {"VelodyneHDL-32E", 70, 0.8, 100},  {"VelodyneHDL-64E", 120, 0.8, 100},
    {"VelodyneVLP-32C", 200, 0.8, 100}, {"Helios32Fov26", 110, 0.1, 100},
    {"Helios32Fov31", 110, 0.1, 100},   {"Helios32Fov70", 110, 0.1, 100},
    {"OusterOS0", 35, 0.1, 100},        {"OusterOS1", 90, 0.1, 100},
    {"OusterOS2", 200, 0.1, 100},       {"LivoxMid40", 90, 0.1, 150},
    {"LivoxMid70", 90, 0.1, 150},
};

void PrintTo(const Product& product, std::ostream* out) { *out << product.proto; }

class DatasheetProducts : public testing::TestWithParam<Product> {
 protected:
  /// A whole sweep of the product in the middle of a sphere.
  std::vector<BeamReturn> sweep(const std::string& fields, double radius, float reflectance) {
    const Loaded loaded = load(std::string(GetParam().proto) + " { " + fields + " }");
    EXPECT_EQ(loaded.messages, "");
    const auto sensor =
        make_device(load_sensor_plugin("Lidar"), NodeView(*find(loaded.world, "Lidar"), schemas()));
    const auto scene = make_embree_scene({});
    Surface grey;
    grey.diffuse = reflectance;
    SurfaceTable surfaces;
    surfaces.set(scene->add({{std::make_shared<Geometry>(Sphere{radius}), {}}}, {}),
                 std::vector<Surface>{grey});
    SampleInput in;
    in.visible = scene.get();
    in.surfaces = &surfaces;
    in.step = in.period = in.time = 0.1;
    in.noise = {7, 3, 0, 0};
    std::vector<std::byte> bytes(sensor->layout().size);
    auto& beams = dynamic_cast<BeamSensor&>(*sensor);
    do {
      in.noise.frame = in.frame;
      take_sample(*sensor, in, bytes);
      in.time += in.step;
    } while (!sensor->frame_complete() && ++in.frame < 10);
    return beams.beams(bytes);
  }
};

double share_of_returns(const std::vector<BeamReturn>& beams) {
  double returns = 0;
  for (const BeamReturn& beam : beams) returns += std::isfinite(beam.range);
  return returns / double(beams.size());
}

// A little nearer than the end of the range, where noise would take echoes out of it; the signal is
// the same when the reflectance goes with the square of the distance.
TEST_P(DatasheetProducts, SeeTheMakersTargetWithNineBeamsOfTen) {
  const Product& product = GetParam();
  const double closer = 0.95;
  const auto beams = sweep("beamModel \"datasheet\"", product.range * closer,
                           float(product.reflectance * closer * closer));
  ASSERT_GE(beams.size(), 10'000u);
  EXPECT_NEAR(share_of_returns(beams), 0.9, 5 * std::sqrt(0.09 / double(beams.size())));
}

TEST_P(DatasheetProducts, CallAWhiteSurfaceWhatTheMakerDoes) {
  double sum = 0;
  const auto beams = sweep("beamModel \"datasheet\"", 12, 1);
  for (const BeamReturn& beam : beams) {
    ASSERT_TRUE(std::isfinite(beam.range));
    sum += 255 * double(beam.intensity);
  }
  EXPECT_NEAR(sum / double(beams.size()), GetParam().white, 1);
}

TEST_P(DatasheetProducts, SeeEveryTargetWhenNominal) {
  const auto beams = sweep("beamModel \"nominal\"", GetParam().range * 0.95, 0.01F);
  EXPECT_EQ(share_of_returns(beams), 1);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, DatasheetProducts, testing::ValuesIn(kRangesGiven),
                         [](const auto& info) {
                           std::string name = info.param.proto;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace protobeam
