// beamModel "datasheet": the lasers that the sensor has are those of the makers' tables, digit by
// digit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "catalogue_fixture.h"
#include "ouster_units.h"

namespace protobeam {
namespace {

using namespace catalogue;
using Numbers = std::vector<double>;

/// The properties of the sensor that a PROTO makes.
Properties properties_of(const std::string& text) {
  const Loaded loaded = load(text);
  EXPECT_EQ(loaded.messages, "") << text;
  const NodePtr lidar = find(loaded.world, "Lidar");
  if (!lidar) throw std::runtime_error("no Lidar in " + text);
  return load_sensor_plugin("Lidar").make(NodeView(*lidar, schemas()))->properties();
}

double number(const Properties& properties, const char* name) {
  return std::get<double>(properties.at(name));
}

void expect_table(const Properties& properties, const char* name, const Numbers& published,
                  double tolerance = 1e-9) {
  const auto& ours = std::get<Numbers>(properties.at(name));
  ASSERT_EQ(ours.size(), published.size()) << name;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i], published[i], tolerance) << name << " of laser " << i;
  }
}

Numbers firing_times(std::size_t lasers, double step, std::size_t at_once = 1,
                     std::size_t block = 1000) {
  Numbers times;
  for (std::size_t i = 0; i < lasers; ++i) {
    times.push_back(static_cast<double>(i % block / at_once) * step);
  }
  return times;
}

/// Heights in millimetres as origins on the axis.
Numbers on_axis(const Numbers& heights_mm) {
  Numbers origins;
  for (const double z : heights_mm) origins.insert(origins.end(), {0, 0, z / 1000});
  return origins;
}

void expect_spinning(const Properties& properties, double lasers, double firing_period,
                     double columns_at_10_hz) {
  EXPECT_EQ(std::get<std::string>(properties.at("scanLaw")), "spinning");
  EXPECT_EQ(number(properties, "motionDistortion"), 1);
  EXPECT_EQ(number(properties, "numberOfLayers"), lasers);
  EXPECT_NEAR(number(properties, "firingPeriod"), firing_period, 1e-12);
  EXPECT_EQ(number(properties, "horizontalResolution"), columns_at_10_hz);
}

// Velodyne, VLP-16 user manual, "Vertical angles by laser id" and "Firing sequence".
TEST(BeamTables, OfTheVlp16AreItsManuals) {
  const Numbers elevations = {-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15};
  const Numbers heights = {11.2, -0.7, 9.7, -2.2, 8.1, -3.7, 6.6, -5.1,
                           5.1,  -6.6, 3.7, -8.1, 2.2, -9.7, 0.7, -11.2};
  for (const char* text :
       {"VelodyneVLP-16 { beamModel \"datasheet\" }", "VelodynePuck { beamModel \"datasheet\" }",
        "VelodynePuck { beamModel \"datasheet\" version \"Puck LITE\" }"}) {
    SCOPED_TRACE(text);
    const Properties device = properties_of(text);
    expect_spinning(device, 16, 55.296e-6, 1808);
    expect_table(device, "beamElevations_deg", elevations);
    expect_table(device, "beamAzimuths_deg", Numbers(16, 0));
    expect_table(device, "beamOrigins", on_axis(heights));
    expect_table(device, "beamTimes", firing_times(16, 2.304e-6), 1e-15);
    expect_table(device, "beamRings", {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15});
    // The height is where a beam through the lens, 41.91 mm off the axis, leaves the axis.
    for (std::size_t i = 0; i < 16; ++i) {
      EXPECT_NEAR(-41.91 * std::tan(elevations[i] * kDegree), heights[i], 0.06);
    }
  }
}

TEST(BeamTables, OfThePuckHiResAreTwoThirdsOfThePucks) {
  const Properties device =
      properties_of("VelodynePuck { beamModel \"datasheet\" version \"Puck Hi-Res\" }");
  expect_spinning(device, 16, 55.296e-6, 1808);
  expect_table(device, "beamElevations_deg",
               {-10, 0.667, -8.667, 2, -7.333, 3.333, -6, 4.667, -4.667, 6, -3.333, 7.333, -2,
                8.667, -0.667, 10});
  // Envelope drawing 86-0129.
  expect_table(device, "beamOrigins",
               on_axis({7.4, -0.9, 6.5, -1.8, 5.5, -2.7, 4.6, -3.7, 3.7, -4.6, 2.7, -5.5, 1.8, -6.5,
                        0.9, -7.4}));
}

// Velodyne, HDL-32E user manual: 32 lasers, 40/3 degrees from -30.67 to +10.67, in two halves.
TEST(BeamTables, OfTheHdl32eAreItsManuals) {
  const Properties device = properties_of("VelodyneHDL-32E { beamModel \"datasheet\" }");
  expect_spinning(device, 32, 46.08e-6, 2170);
  Numbers elevations;
  for (int i = 0; i < 16; ++i) {
    elevations.push_back(std::round((-92 + 4 * i) / 3.0 * 100) / 100);
    elevations.push_back(std::round((-28 + 4 * i) / 3.0 * 100) / 100);
  }
  expect_table(device, "beamElevations_deg", elevations);
  expect_table(device, "beamAzimuths_deg", Numbers(32, 0));
  expect_table(device, "beamTimes", firing_times(32, 1.152e-6), 1e-15);
  // Envelope drawing 86-0106: the lens is 28.83 mm off the axis.
  const auto& origins = std::get<Numbers>(device.at("beamOrigins"));
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_NEAR(-0.02883 * std::tan(elevations[i] * kDegree), origins[3 * i + 2], 8e-5) << i;
  }
}

// velodyne_pointcloud/params/64e_utexas.yaml of github.com/ros-drivers/velodyne, in degrees.
TEST(BeamTables, OfTheHdl64eAreThoseOfAUnit) {
  const Properties device = properties_of("VelodyneHDL-64E { beamModel \"datasheet\" }");
  expect_spinning(device, 64, 48e-6, 2083);
  // vert_correction and rot_correction of the first block's first lasers, in radians in the file.
  const double vert[] = {-0.124932751059532,  -0.118993431329727, 0.0055470340885222,
                         0.0114863449707627,  -0.113056324422359, -0.107121199369431,
                         -0.148716226220131,  -0.142765983939171, -0.101187855005264,
                         -0.0952560678124428, -0.136818811297417, -0.130874469876289,
                         -0.05375986546278,   -0.0478330813348293};
  const double rot[] = {-0.0698131695389748,
                        -0.0392699092626572,
                        0.0698131695389748,
                        0.104719758033752,
                        0.013962633907795,
                        0.0392699092626572,
                        0,
                        0.0226892791688442,
                        0.0820304751396179,
                        0.113446399569511,
                        0.0698131695389748,
                        0.104719758033752,
                        -0.068067841231823,
                        -0.0349065847694874};
  const auto& elevations = std::get<Numbers>(device.at("beamElevations_deg"));
  const auto& azimuths = std::get<Numbers>(device.at("beamAzimuths_deg"));
  for (std::size_t i = 0; i < std::size(vert); ++i) {
    EXPECT_NEAR(elevations[i] * kDegree, vert[i], 0.00051 * kDegree) << i;
    EXPECT_NEAR(azimuths[i] * kDegree, rot[i], 1e-7) << i;
  }
  // Of the lower block, the first, 38 (the lowest) and 50.
  EXPECT_NEAR(elevations[32] * kDegree, -0.396850973367691, 0.00051 * kDegree);
  EXPECT_NEAR(elevations[38] * kDegree, -0.43128889799118, 0.00051 * kDegree);
  EXPECT_NEAR(elevations[50] * kDegree, -0.323895305395126, 0.00051 * kDegree);
  expect_table(
      device, "beamElevations_deg",
      {-7.158,  -6.818,  0.318,   0.658,   -6.478,  -6.138,  -8.521,  -8.180,  -5.798,  -5.458,
       -7.839,  -7.499,  -3.080,  -2.741,  -5.118,  -4.778,  -2.401,  -2.061,  -4.439,  -4.099,
       -1.722,  -1.382,  -3.759,  -3.420,  0.999,   1.339,   -1.042,  -0.702,  1.680,   2.021,
       -0.362,  -0.022,  -22.738, -22.226, -11.514, -11.002, -21.715, -21.204, -24.711, -24.276,
       -20.693, -20.183, -23.763, -23.250, -16.615, -16.106, -19.673, -19.163, -15.597, -15.087,
       -18.558, -18.144, -14.577, -14.067, -17.634, -17.125, -10.490, -9.977,  -13.557, -13.047,
       -9.464,  -8.950,  -12.536, -12.025});
  expect_table(device, "beamAzimuths_deg",
               {-4,   -2.25, 4,     6,   0.8,   2.25, 0,     1.3,  4.7,  6.5, 4,    6,    -3.9,
                -2,   -4.8,  -2.75, 0.5, 2.25,  0,    1.75,  4.9,  6.25, 4,   6,    -3.5, -2,
                -4.5, -2.7,  0.6,   2,   -0.25, 1.7,  -7,    -3.5, 5.5,  8.5, -0.5, 3.5,  -1,
                2,    7,     10,    6,   9.5,   -6.5, -3.25, -8,   -5,   0,   3.2,  -1,   2,
                7,    9.5,   6,     9,   -6,    -3.5, -8,    -4.5, 0,    2.5, -1,   1.8});
  expect_table(device, "beamTimes", firing_times(64, 0.72e-6, 1, 32), 1e-15);
}

// Velodyne, VLP-32C user manual, table 9-4; VeloView's VLP-32c.xml.
TEST(BeamTables, OfTheVlp32cAreItsManuals) {
  const Properties device = properties_of("VelodyneVLP-32C { }");
  expect_spinning(device, 32, 55.296e-6, 1808);
  expect_table(
      device, "beamElevations_deg",
      {-25,    -1,     -1.667, -15.639, -11.31, 0,      -0.667, -8.843, -7.254, 0.333,  -0.333,
       -6.148, -5.333, 1.333,  0.667,   -4,     -4.667, 1.667,  1,      -3.667, -3.333, 3.333,
       2.333,  -2.667, -3,     7,       4.667,  -2.333, -2,     15,     10.333, -1.333});
  expect_table(
      device, "beamAzimuths_deg",
      {-1.4, 4.2, -1.4, 1.4, -1.4, 1.4, -4.2, 1.4, -1.4, 4.2, -1.4, 1.4, -4.2, 1.4, -4.2, 1.4,
       -1.4, 4.2, -1.4, 4.2, -4.2, 1.4, -1.4, 1.4, -1.4, 1.4, -1.4, 4.2, -4.2, 1.4, -1.4, 1.4});
  expect_table(device, "beamTimes", firing_times(32, 2.304e-6, 2), 1e-15);
}

// definitions/helios-32-FOV-*.sensor.xml of github.com/MRPT/mvsim; decoder_RSHELIOS.hpp of
// github.com/RoboSense-LiDAR/rs_driver.
TEST(BeamTables, OfTheHeliosAreTheMakersDriversAndMvsims) {
  Numbers even;
  for (int e = 15; e >= -16; --e) even.push_back(e);
  const std::pair<const char*, Numbers> table[] = {
      {"Helios32Fov26", {-16,  -14.5, -13,  -12.5, -11,  -9.5, -8,   -7,   -6.5, -6.0, -5.5,
                         -5.0, -4.5,  -4.0, -3.5,  -3.0, -2.5, -2.0, -1.5, -1.0, -0.5, 0,
                         0.5,  1.0,   1.5,  2.0,   2.5,  3.0,  3.5,  6.0,  8.0,  10.0}},
      {"Helios32Fov31", even},
      {"Helios32Fov70", {-55.020, -52.081, -49.142, -46.204, -43.265, -40.326, -37.387, -34.449,
                         -31.510, -28.571, -25.632, -22.694, -19.755, -16.816, -13.877, -10.939,
                         -8.000,  -6.667,  -5.333,  -4.000,  -2.667,  -1.333,  0.000,   1.333,
                         2.667,   4.000,   5.333,   6.667,   8.754,   10.841,  12.929,  15}}};
  for (const auto& [name, elevations] : table) {
    SCOPED_TRACE(name);
    const Properties device = properties_of(std::string(name) + " { beamModel \"datasheet\" }");
    expect_spinning(device, 32, 55.56e-6, 1799);
    expect_table(device, "beamElevations_deg", elevations);
    expect_table(device, "beamTimes", firing_times(32, 1.73e-6), 1e-15);
    Numbers lens;
    for (int i = 0; i < 32; ++i) lens.insert(lens.end(), {0.03498, 0, 0});
    expect_table(device, "beamOrigins", lens);

    // "nominal": the same elevations from the top, floor(1 / (rate 55.296 us)) columns.
    Numbers down = elevations;
    std::sort(down.rbegin(), down.rend());
    for (const auto& [rate, columns] : {std::pair(5, 3616), {10, 1808}, {20, 904}}) {
      const Loaded loaded = load(std::string(name) + " { rate " + std::to_string(rate) + " }");
      EXPECT_EQ(loaded.messages, "");
      const NodePtr node = find(loaded.world, "Lidar");
      ASSERT_NE(node, nullptr);
      const NodeView lidar(*node, schemas());
      EXPECT_EQ(lidar.integer("horizontalResolution"), columns);
      const auto angles = lidar.numbers("layerAngles");
      ASSERT_EQ(angles.size(), 32u);
      for (std::size_t i = 0; i < 32; ++i) EXPECT_NEAR(angles[i] / kDegree, down[i], 1e-9);
    }
  }
}

TEST(BeamTables, OfTheOustersAreThoseOfPublishedUnits) {
  for (const OusterUnit& unit : kOusterUnits) {
    SCOPED_TRACE(unit.file);
    const std::size_t rows = unit.altitude.size();
    for (std::size_t lines : {32, 64, 128}) {
      if (lines > rows) continue;
      SCOPED_TRACE(lines);
      const Properties device =
          properties_of(std::string(unit.product) + " { beamModel \"datasheet\" generation " +
                        std::to_string(unit.generation) + " lines " + std::to_string(lines) + " }");
      expect_spinning(device, double(lines), 0.1 / 1024, 1024);
      EXPECT_EQ(number(device, "azimuthPerColumn"), 1);
      Numbers altitude, azimuth, origins, rings;
      for (std::size_t i = 0; i < lines; ++i) {
        altitude.push_back(unit.altitude[i * (rows / lines)]);
        azimuth.push_back(-unit.azimuth[i * (rows / lines)]);  // theirs run clockwise
        origins.insert(origins.end(), {unit.origin_mm / 1000, 0, 0});
        rings.push_back(double(i));
      }
      expect_table(device, "beamElevations_deg", altitude);
      expect_table(device, "beamAzimuths_deg", azimuth);
      expect_table(device, "beamOrigins", origins);
      expect_table(device, "beamRings", rings);
      expect_table(device, "beamTimes", Numbers(lines, 0));
    }
  }
}

// The metadata files say by how many of 1024 columns each row of an image must be moved, so that
// columns are upright (pixel_shift_by_row): it follows from the azimuth angles.
TEST(BeamTables, OfTheOustersFitTheirPixelShifts) {
  const struct {
    const char* file;
    int shift[4];  ///< of rows 0 to 3; the same for rows 4 to 7, ...
  } table[] = {{"OS-1-128_v2.3.0_1024x10.json", {24, 16, 8, 0}},
               {"OS-1-128_767798045_1024x10_20230712_120049.json", {12, 4, -4, -12}},
               {"OS-2-128-U1_v2.3.0_1024x10.json", {12, 8, 4, 0}}};
  int seen = 0;
  for (const OusterUnit& unit : kOusterUnits) {
    for (const auto& published : table) {
      if (std::string(unit.file) != published.file) continue;
      ++seen;
      for (std::size_t row = 0; row < unit.azimuth.size(); ++row) {
        const double columns = (unit.azimuth[row] - unit.azimuth[3]) / 360 * 1024;
        EXPECT_EQ(std::lround(columns), published.shift[row % 4] - published.shift[3])
            << unit.file << " row " << row;
      }
    }
  }
  EXPECT_EQ(seen, 3);
}

TEST(Ouster, RefusesModesThatTheDeviceDoesNotHave) {
  using testing::HasSubstr;
  EXPECT_THAT(load("OusterOS1 { columns 2048 rate 20 }").messages,
              HasSubstr("columns 2048 at rate 20: the modes are 512x10"));
  EXPECT_THAT(load("OusterOS1 { beamModel \"datasheet\" generation 1 }").messages,
              HasSubstr("lines 128: this generation has 64"));
  EXPECT_THAT(load("OusterOS2 { lines 16 }").messages, HasSubstr("16 is not allowed"));
  for (const char* mode : {"columns 512 rate 10", "columns 512 rate 20", "columns 1024 rate 10",
                           "columns 1024 rate 20", "columns 2048 rate 10"}) {
    EXPECT_EQ(load(std::string("OusterOS0 { ") + mode + " }").messages, "") << mode;
  }
}

TEST(Ouster, NominalLayersAreEvenlySpread) {
  for (const auto& [name, fov] :
       {std::pair("OusterOS0", 90.0), {"OusterOS1", 45.0}, {"OusterOS2", 22.5}}) {
    const Loaded loaded = load(std::string(name) + " { lines 64 columns 2048 }");
    const NodePtr node = find(loaded.world, "Lidar");
    ASSERT_NE(node, nullptr) << loaded.messages;
    const NodeView lidar(*node, schemas());
    EXPECT_EQ(lidar.integer("numberOfLayers"), 64);
    EXPECT_EQ(lidar.integer("horizontalResolution"), 2048);
    EXPECT_NEAR(lidar.number("verticalFieldOfView") / kDegree, fov, 1e-9);
    EXPECT_TRUE(lidar.numbers("layerAngles").empty());
  }
}

// The head's speed changes the points of a turn, not the lasers' pace.
TEST(Velodynes, FireAtTheirOwnPaceAtAnySpeed) {
  const struct {
    const char* name;
    double cycle;
  } table[] = {{"VelodyneVLP-16", 55.296e-6},
               {"VelodynePuck", 55.296e-6},
               {"VelodyneHDL-32E", 46.08e-6},
               {"VelodyneHDL-64E", 48e-6}};
  for (const auto& [name, cycle] : table) {
    for (const int rpm : {600, 900}) {
      const int columns = static_cast<int>(60.0 / rpm / cycle);
      const std::string fields = " rpm " + std::to_string(rpm) + " }";
      const Properties device =
          properties_of(std::string(name) + " { beamModel \"datasheet\"" + fields);
      EXPECT_EQ(number(device, "horizontalResolution"), columns) << name << fields;
      EXPECT_NEAR(number(device, "defaultFrequency"), rpm / 60.0, 1e-12);
      const Properties nominal = properties_of(std::string(name) + " {" + fields);
      EXPECT_EQ(number(nominal, "horizontalResolution"), columns) << name << fields;
      EXPECT_NEAR(number(nominal, "defaultFrequency"), rpm / 60.0, 1e-12);
    }
    EXPECT_THAT(load(std::string(name) + " { rpm 60 }").messages,
                testing::HasSubstr("rpm 60: the head turns 300"));
  }
}

TEST(BeamTables, NominalIsAGridAtOnce) {
  const Properties device = properties_of("VelodyneVLP-32C { beamModel \"nominal\" }");
  EXPECT_EQ(std::get<std::string>(device.at("scanLaw")), "grid");
  EXPECT_EQ(number(device, "motionDistortion"), 0);
  EXPECT_EQ(number(device, "horizontalResolution"), 1808);
  EXPECT_EQ(number(device, "numberOfLayers"), 32);
}

TEST(RpLidar, OfTheDatasheetHas8000PointsASecond) {
  for (const auto& [rate, points] : {std::pair("10", 800), {"12", 666}, {"5", 1600}}) {
    const Properties device =
        properties_of(std::string("RpLidarA2 { beamModel \"datasheet\" rate ") + rate + " }");
    EXPECT_EQ(number(device, "horizontalResolution"), points);
    EXPECT_EQ(number(device, "numberOfLayers"), 1);
  }
}

// Half of the published field of view; the pattern itself is checked with the scan law.
TEST(LivoxMid40, LooksInto38Degrees) {
  const Properties device = properties_of("LivoxMid40 { }");
  EXPECT_NEAR(number(device, "fieldOfView") / kDegree, 38.4, 0.06);
  EXPECT_EQ(number(device, "horizontalResolution"), 10000);
}

}  // namespace
}  // namespace protobeam
