// A new product is one PROTO file: here a made-up one of five beams, in a project of its own.
//
//          z
//          |   lidar at (0, 0, 1)
//          |   *---> x          | wall x = 8
//          +--------------------|---- ground z = 0
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "base/math.h"
#include "tests/support/program.h"
#include "tests/unit/support/constants.h"

namespace protobeam::test {
namespace {

constexpr const char* kProto = R"(#VRML_SIM R2025a utf8
# A lidar of five beams that nobody makes.
PROTO FiveBeams [
  field SFString name "five"
  field SFFloat  rate 20
]
{
  Lidar {
    name IS name
    scanLaw "spinning"
    beamElevations_deg [ -20 10 -10 5 0 ]
    beamAzimuths_deg [ 0 3 -3 1.5 -1.5 ]
    beamTimes [ 0 1e-5 2e-5 3e-5 4e-5 ]
    firingPeriod 1e-4
    minRange 0.2
    maxRange 60
    defaultFrequency IS rate
  }
}
)";

constexpr const char* kFiveWorld = R"(#VRML_SIM R2025a utf8
EXTERNPROTO "../protos/FiveBeams.proto"
WorldInfo { basicTimeStep 10 }
Robot { translation 0 0 1 controller "<none>" children [ FiveBeams { } ] }
Shape { geometry Plane { size 200 200 } }
Pose { translation 8.1 0 0 children [ Shape { geometry Box { size 0.2 200 200 } } ] }
)";

TEST(NewProduct, IsOneProtoFile) {
  const TemporaryFolder folder;
  folder.write("protos/FiveBeams.proto", kProto);
  const auto world = folder.write("worlds/five.wbt", kFiveWorld);
  const auto file = folder / "sweep.csv";
  const Outcome outcome = protobeam({"scan", world.string(), "--out", file.string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("robot/five: 5 x 500 beams at 0.050 s"), std::string::npos)
      << outcome.out;

  // Layers from the top: elevation, azimuth offset and firing time of each.
  const double lasers[5][3] = {
      {10, 3, 1e-5}, {5, 1.5, 3e-5}, {0, -1.5, 4e-5}, {-10, -3, 2e-5}, {-20, 0, 0}};
  std::istringstream in(read_bytes(file));
  std::string line;
  std::getline(in, line);
  int beams = 0, hits = 0;
  while (std::getline(in, line)) {
    double v[9];
    const char* at = line.c_str();
    for (double& value : v) {
      char* end = nullptr;
      value = std::strtod(at, &end);
      at = *end == ',' ? end + 1 : end;
    }
    const auto& laser = lasers[static_cast<int>(v[0])];
    const double time = v[1] * 1e-4 + laser[2], elevation = laser[0] * kDegree;
    const double azimuth = kPi - 2 * kPi * 20 * time + laser[1] * kDegree;
    ASSERT_NEAR(std::remainder(v[2] - azimuth, 2 * kPi), 0, 2e-6) << line;
    ASSERT_NEAR(v[3], elevation, 1e-6) << line;
    const double ahead = std::cos(elevation) * std::cos(azimuth), up = std::sin(elevation);
    double range = 1e9;
    if (ahead > 0) range = 8 / ahead;
    if (up < 0) range = std::min(range, -1 / up);
    if (range > 60) range = INFINITY;
    if (std::abs(range - 60) < 0.1) continue;  // the last bit of the direction decides
    if (std::isinf(range)) {
      ASSERT_TRUE(std::isinf(v[4])) << line;
    } else {
      ASSERT_NEAR(v[4], range, 1e-4 * range) << line;
      ++hits;
    }
    ++beams;
  }
  EXPECT_GT(beams, 2480);
  EXPECT_GT(hits, 1650);  // two of five look down, the others are in reach of the wall at 166 deg
}

}  // namespace
}  // namespace protobeam::test
