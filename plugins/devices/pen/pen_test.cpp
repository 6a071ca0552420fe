// Pens in worlds: what cameras and infra-red sensors see of what they draw.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

constexpr double kPixel = 0.01;  // m on the floor, of the camera

/// A white floor, a camera over it that sees 2 m, an infra-red sensor 1 m over its middle, and a
/// pen 1 m over it, on a robot of its own.
std::string floor_with(
    const std::string& pen, const std::string& shape = "Plane { size 2 2 }",
    const std::string& look = "Appearance { material Material { diffuseColor 1 1 1 } }") {
  return fmt::format(R"(
Background {{ skyColor [ 0 0 0 ] luminosity 0 }}
DirectionalLight {{ direction 0 0 -1 intensity 1 }}
Solid {{ name "floor" children [ Shape {{ appearance {} geometry {} }} ] }}
Robot {{ name "viewer" controller "<none>" translation 0 0 1 rotation 0 1 0 1.5707963267948966 children [
  Camera {{ samplingPeriod 0.008 width 200 height 200 fieldOfView 1.5707963267948966 }}
  DistanceSensor {{ samplingPeriod 0.008 type "infra-red" lookupTable [ 0 0 0, 100 100 0 ] }} ] }}
Robot {{ name "draughtsman" controller "<none>" translation 0 0 1 children [ {} ] }}
)",
                     look, shape, pen);
}

class PenWorld : public testing::Test {
 protected:
  Simulation& load(const std::string& text, const std::string& info = "gravity 0",
                   const SimulationOptions& options = {}) {
    simulation_ = &text_.load(text, info, options);
    return *simulation_;
  }
  int solid(const std::string& name) const {
    const auto& solids = simulation_->model().solids;
    for (std::size_t i = 0; i < solids.size(); ++i) {
      if (!solids[i].removed && solids[i].name == name) return static_cast<int>(i);
    }
    throw std::runtime_error("no Solid " + name);
  }
  void move_pen(double x, double y) {
    ASSERT_TRUE(simulation_->move_solid(solid("draughtsman"), Pose::translation({x, y, 1})));
  }
  void draw_line() {
    for (int i = -50; i <= 50; ++i) {
      move_pen(0, i * 0.01);
      simulation_->step();
    }
  }
  /// Blue, green, red of what the camera sees there on the floor. Its image's rows go along -x, its
  /// columns along -y.
  std::array<int, 3> seen(double x, double y) {
    const Device& camera = device_named(*simulation_, "camera");
    const auto* image = reinterpret_cast<const unsigned char*>(
        camera.data.data() + camera.model->layout().find("image")->offset);
    const int column = static_cast<int>(std::floor(100 - y / kPixel));
    const int row = static_cast<int>(std::floor(100 - x / kPixel));
    const unsigned char* p = image + 4 * (row * 200 + column);
    return {p[0], p[1], p[2]};
  }
  int dark_pixels_along_x(double y, double from = -1, double to = 1) {
    int count = 0;
    for (double x = from + kPixel / 2; x < to; x += kPixel) count += seen(x, y)[1] < 100 ? 1 : 0;
    return count;
  }
  double infrared() {
    const Device& sensor = device_named(*simulation_, "distance sensor");
    return sensor.model->channel<double>(sensor.data, 0)[0];
  }
  void command(const std::string& name, std::vector<double> numbers) {
    ASSERT_EQ(device_named(*simulation_, "pen").model->send_command(name, std::move(numbers)), "");
  }

  WorldText text_;
  Simulation* simulation_ = nullptr;
};

TEST_F(PenWorld, ACameraSeesALineAsWideAsTheLead) {
  load(floor_with("Pen { leadSize 0.08 inkDensity 1 }"));
  draw_line();
  // To a pixel of the camera on each side of the line.
  for (const double y : {-0.455, -0.155, 0.155, 0.455})
    EXPECT_NEAR(dark_pixels_along_x(y) * kPixel, 0.08, kPixel) << y;
  int along = 0;
  for (int i = -99; i < 100; ++i) along += seen(0.005, (i + 0.5) * kPixel)[1] < 100 ? 1 : 0;
  EXPECT_NEAR(along * kPixel, 1.08, kPixel);
  EXPECT_EQ(dark_pixels_along_x(0.605), 0);
}

TEST_F(PenWorld, HalfDenseInkLooksAsHalfOfTheSurfacesLight) {
  // 0.5 of light is 0.735357 in sRGB.
  load(floor_with("", "Plane { size 2 2 }",
                  "Appearance { material Material { diffuseColor 0.735357 0.735357 0.735357 } }"))
      .step();
  const auto half = seen(0.2, 0.2);
  load(floor_with("Pen { leadSize 1 inkDensity 0.5 }")).step();
  EXPECT_EQ(seen(0.2, 0.2), half);
  const auto white = seen(0.7, 0.7);
  EXPECT_GT(white[0], half[0] + 20);
}

/// One white pixel.
constexpr unsigned char kWhitePng[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48,
    0x44, 0x52, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00,
    0x00, 0x90, 0x77, 0x53, 0xde, 0x00, 0x00, 0x00, 0x0c, 0x49, 0x44, 0x41, 0x54, 0x78,
    0xda, 0x63, 0xf8, 0xff, 0xff, 0x3f, 0x00, 0x05, 0xfe, 0x02, 0xfe, 0x33, 0x12, 0x95,
    0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

/// The numbers of Webots' own test (tests/api/controllers/pen/pen.c): a white picture in ambient
/// light, red ink of density 0.1 in steps, and violet over green.
TEST_F(PenWorld, LooksAsInWebots) {
  text_.folder().write("worlds/white.png", std::string(std::begin(kWhitePng), std::end(kWhitePng)));
  load(R"(
Background { skyColor [ 0 0 0 ] luminosity 0 }
PointLight { ambientIntensity 1 intensity 0 }
Solid { name "floor" children [ Shape { geometry Plane { size 2 2 } appearance Appearance {
  material Material { ambientIntensity 1 diffuseColor 1 1 1 } texture ImageTexture { url [ "white.png" ] } } } ] }
Robot { name "viewer" controller "<none>" translation 0 0 1 rotation 0 1 0 1.5707963267948966 children [
  Camera { samplingPeriod 0.008 width 200 height 200 fieldOfView 1.5707963267948966 } ] }
Robot { name "draughtsman" controller "<none>" translation 0 0 1 children [
  Pen { leadSize 0.2 write FALSE } Pen { name "second" translation 0.5 0 0 leadSize 0.2 inkColor 0 1 0
  inkDensity 1 write FALSE } ] }
)");
  const auto expect = [&](double x, int red, int green, int blue) {
    const auto is = seen(x, 0.005);
    EXPECT_NEAR(is[2], red, 2) << x;
    EXPECT_NEAR(is[1], green, 2) << x;
    EXPECT_NEAR(is[0], blue, 2) << x;
  };
  DeviceModel& second = *device_named(*simulation_, "second").model;
  simulation_->step();
  expect(0, 207, 207, 207);
  command("ink", {0xff0000, 0.1});
  command("write", {1});
  simulation_->step();
  expect(0, 207, 201, 201);
  expect(0.5, 207, 207, 207);
  ASSERT_EQ(second.send_command("write", {1}), "");
  simulation_->step();
  expect(0, 207, 195, 195);
  expect(0.5, 0, 207, 0);
  ASSERT_EQ(second.send_command("ink", {0xcc33ff, 1}), "");
  simulation_->step();
  expect(0.5, 154, 178, 167);
}

TEST_F(PenWorld, InkShowsOverPicturesAndPhysicalColours) {
  for (const char* look : {"PBRAppearance { baseColor 0.2 0.9 0.2 roughness 1 metalness 0 }",
                           "Appearance { material Material { diffuseColor 0.2 0.9 0.2 } }"}) {
    load(floor_with("Pen { leadSize 0.2 inkColor 1 0 0 inkDensity 1 }", "Plane { size 2 2 }", look))
        .step();
    EXPECT_GT(seen(0, 0)[2], 100) << look;
    EXPECT_LT(seen(0, 0)[1], 0.5 * seen(0, 0)[2]) << look;
    EXPECT_GT(seen(0.5, 0)[1], 2 * seen(0.5, 0)[2]) << look;
  }
}

TEST_F(PenWorld, DrawsOnShapesOfAllKindsWithoutTextureCoordinates) {
  // The grid begins at the origin, and beside it is nothing.
  for (const char* shape :
       {"Box { size 2 2 0.0002 }", "Cylinder { radius 2 height 0.0002 }",
        "IndexedFaceSet { coord Coordinate { point [ -1 -1 0, 1 -1 0, 1 1 0, -1 1 0 ] } "
        "coordIndex [ 0 1 2 3 -1 ] }",
        "ElevationGrid { xDimension 2 yDimension 2 xSpacing 2 ySpacing 2 height [ 0 0 0 0 ] }"}) {
    load(floor_with("Pen { leadSize 0.08 inkDensity 1 }", shape));
    move_pen(0.3, 0.305);
    simulation_->step();
    EXPECT_NEAR(dark_pixels_along_x(0.305, 0, 1) * kPixel, 0.08, kPixel) << shape;
    EXPECT_EQ(dark_pixels_along_x(0.605, 0, 1), 0) << shape;
  }
}

TEST_F(PenWorld, DrawsNothingWhileItDoesNotWrite) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 write FALSE }")).step();
  EXPECT_EQ(dark_pixels_along_x(0.005), 0);
  EXPECT_EQ(simulation_->model().painted, 0u);
  command("write", {1});
  simulation_->step();
  const int written = dark_pixels_along_x(0.005);
  EXPECT_NEAR(written * kPixel, 0.2, kPixel);
  command("write", {0});
  move_pen(0.5, 0);
  simulation_->step();
  EXPECT_EQ(dark_pixels_along_x(0.005), written);
}

TEST_F(PenWorld, DrawsNothingBeyondItsReach) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 maxDistance 0.999 }")).step();
  EXPECT_EQ(simulation_->model().painted, 0u);
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 maxDistance 1.001 }")).step();
  EXPECT_EQ(simulation_->model().painted, 1u);
}

TEST_F(PenWorld, DrawsAlongItsOwnAxis) {
  load(floor_with("Pen { rotation 0 1 0 0.4 leadSize 0.08 inkDensity 1 }")).step();
  EXPECT_LT(seen(-std::tan(0.4), 0.005)[1], 100);
  EXPECT_GT(seen(0, 0.005)[1], 100);
}

TEST_F(PenWorld, LeavesItsOwnBodyClean) {
  load(floor_with(
           "Pen { leadSize 0.2 inkDensity 1 children [ Pose { translation 0 0 0.07 children [ "
           "Shape { geometry Cylinder { radius 0.004 height 0.14 } } ] } ] }"))
      .step();
  ASSERT_EQ(simulation_->model().painted, 1u);
  for (const VisualGroup& group : simulation_->model().visuals) {
    if (group.paints.empty()) continue;
    EXPECT_EQ(group.solids.at(0), solid("floor"));
  }
}

TEST_F(PenWorld, ProgramsChooseColourAndDensity) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 write FALSE }"));
  command("ink", {0x0000ff, 1});
  command("write", {1});
  simulation_->step();
  const auto blue = seen(0.005, 0.005);
  EXPECT_GT(blue[0], 200);
  EXPECT_EQ(blue[1], 0);
  EXPECT_EQ(blue[2], 0);
  DeviceModel& pen = *device_named(*simulation_, "pen").model;
  EXPECT_NE(pen.send_command("ink", {0, 1.5}), "");
  EXPECT_NE(pen.send_command("ink", {-1.0, 1}), "");
}

TEST_F(PenWorld, AnInfraRedSensorSeesTheRedOfTheInk) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 0.5 write FALSE }")).step();
  EXPECT_NEAR(infrared(), 1, 1e-6);  // white
  command("write", {1});
  simulation_->step();
  EXPECT_NEAR(infrared(), 1 / (0.2 + 0.8 * 0.5), 1e-6);
  simulation_->step();
  EXPECT_NEAR(infrared(), 1 / 0.2, 1e-6) << "black";
}

TEST_F(PenWorld, InkEvaporates) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 0.5 }"), "gravity 0 inkEvaporation 3").step();
  EXPECT_NEAR(infrared(), 1 / (0.2 + 0.8 * 0.5), 1e-6);
  command("write", {0});
  for (int i = 0; i < 100; ++i) simulation_->step();
  const double density = 0.5 * std::exp(-3 * 0.8);
  EXPECT_NEAR(infrared(), 1 / (0.2 + 0.8 * (1 - density)), 1e-6);
}

TEST_F(PenWorld, AResetTakesTheInkOff) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 write FALSE }"));
  command("write", {1});
  simulation_->step();
  ASSERT_NEAR(infrared(), 5, 1e-5);
  simulation_->reset_now(std::nullopt);
  simulation_->step();
  EXPECT_NEAR(infrared(), 1, 1e-6);
  EXPECT_EQ(simulation_->model().painted, 0u);
}

TEST_F(PenWorld, AStateHoldsTheInk) {
  const std::string world = floor_with("Pen { leadSize 0.2 inkDensity 0.3 }");
  const char* info = "gravity 0 inkEvaporation 0.5";
  const auto go_on = [&] {
    command("write", {0});
    for (int i = 0; i < 20; ++i) simulation_->step();
    return simulation_->state_hash();
  };
  load(world, info);
  for (int i = 0; i < 20; ++i) {
    move_pen(0, 0.01 * i);
    simulation_->step();
  }
  const auto state = simulation_->save();
  const auto through = go_on();
  const double value = infrared();
  ASSERT_GT(value, 1.5);
  load(world, info).restore(state);
  EXPECT_EQ(go_on(), through);
  EXPECT_EQ(infrared(), value);
}

TEST_F(PenWorld, RunsAreTheSameOnAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 1, 3}) {
    SimulationOptions options;
    options.build.threads = threads;
    load(floor_with(
             "Pen { leadSize 0.03 inkDensity 0.2 } Pen { name \"second\" translation 0.02 0 0 "
             "leadSize 0.05 inkColor 0.3 0.6 0.9 inkDensity 0.1 }"),
         "gravity 0 inkEvaporation 0.5", options);
    draw_line();
    hashes.push_back(simulation_->state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_EQ(hashes[0], hashes[2]);
  load(floor_with("Pen { leadSize 0.03 inkDensity 0.2 }"), "gravity 0 inkEvaporation 0.5");
  draw_line();
  EXPECT_NE(simulation_->state_hash(), hashes[0]) << "the hash is of what was drawn, too";
}

TEST_F(PenWorld, ShapesComeAndGoWithWhatIsOnThem) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 }")).step();
  ASSERT_NEAR(infrared(), 5, 1e-5);
  ASSERT_EQ(simulation_->remove_solid(solid("floor")), "");
  simulation_->step();
  EXPECT_EQ(infrared(), 100) << "nothing is there";
  command("write", {0});
  Diagnostics diagnostics;
  const char* again =
      "Solid { children [ Shape { appearance Appearance { } geometry Plane { size 2 2 } } ] }";
  ASSERT_GE(simulation_->add_solid(again, "floor", Pose(), diagnostics), 0)
      << diagnostics.to_string();
  simulation_->step();
  EXPECT_NEAR(infrared(), 1, 1e-6) << "the new one is clean";
  command("write", {1});
  simulation_->step();
  EXPECT_NEAR(infrared(), 5, 1e-5);
  ASSERT_EQ(simulation_->remove_solid(solid("draughtsman")), "");
  simulation_->step();
  EXPECT_NEAR(infrared(), 5, 1e-5) << "what a pen drew stays without it";
}

TEST_F(PenWorld, InkStaysOnAShapeThatGetsAnotherLook) {
  load(floor_with("Pen { leadSize 0.2 inkDensity 1 }")).step();
  ASSERT_NEAR(infrared(), 5, 1e-5);
  command("write", {0});
  Diagnostics diagnostics;
  const wbt::Node* floor =
      simulation_->model().solids[static_cast<std::size_t>(solid("floor"))].node;
  ASSERT_TRUE(simulation_->look_again(*floor, diagnostics));
  simulation_->step();
  EXPECT_NEAR(infrared(), 5, 1e-5);
  EXPECT_NEAR(dark_pixels_along_x(0.005) * kPixel, 0.2, kPixel);
}

TEST(OldPen, DrawsAlongMinusYBeforeR2022a) {
  TemporaryFolder folder;
  const auto file = folder.write("worlds/old.wbt", R"(#VRML_SIM R2021b utf8
WorldInfo { basicTimeStep 8 gravity 0 coordinateSystem "NUE" }
Solid { name "floor" children [ Shape { geometry Plane { size 2 2 } } ] }
Robot { name "r" controller "<none>" children [ Pen { translation 0 1 0 leadSize 0.2 } ] }
)");
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(file, {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  simulation->step();
  EXPECT_EQ(simulation->model().painted, 1u);
}

}  // namespace
}  // namespace protobeam
