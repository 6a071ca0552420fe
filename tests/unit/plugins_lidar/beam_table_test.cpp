// The lasers of a device: as fields, as a file, and every way to write them wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lidar_fixture.h"
#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using testing::ElementsAre;
using testing::StrEq;

using FieldTexts = std::map<std::string, std::string>;

/// A spinning lidar of 10 columns with these fields.
FieldTexts spinning(FieldTexts more) {
  more.insert({{"scanLaw", "\"spinning\""}, {"horizontalResolution", "10"}, {"maxRange", "50"}});
  return more;
}

void expect_refused(const FieldTexts& fields, const std::string& message) {
  EXPECT_EQ(message_of<std::invalid_argument>([&] { make_sensor("Lidar", fields); }), message);
}

std::vector<double> numbers(const DeviceModel& sensor, const std::string& property) {
  return std::get<std::vector<double>>(sensor.properties().at(property));
}

TEST(BeamTable, FieldsAreTheMakersTable) {
  const auto lidar =
      make_sensor("Lidar", spinning({{"beamElevations_deg", "[ -15, 1, -13 ]"},
                                     {"beamAzimuths_deg", "[ 0, 1.5, -1.5 ]"},
                                     {"beamOrigins", "[ 0.1 0 0, 0.1 0 0.2, 0.1 0.02 0 ]"},
                                     {"beamTimes", "[ 0, 2e-6, 4e-6 ]"},
                                     {"beamRings", "[ 7, 9, 8 ]"}}));
  EXPECT_THAT(numbers(*lidar, "beamElevations_deg"),
              ElementsAre(testing::DoubleNear(-15, 1e-12), testing::DoubleNear(1, 1e-12),
                          testing::DoubleNear(-13, 1e-12)));
  EXPECT_THAT(numbers(*lidar, "beamOrigins"), ElementsAre(0.1, 0, 0, 0.1, 0, 0.2, 0.1, 0.02, 0));
  EXPECT_THAT(numbers(*lidar, "beamTimes"), ElementsAre(0, 2e-6, 4e-6));
  EXPECT_THAT(numbers(*lidar, "beamRings"), ElementsAre(7, 9, 8));
  EXPECT_EQ(std::get<double>(lidar->properties().at("numberOfLayers")), 3);
  EXPECT_NEAR(std::get<double>(lidar->properties().at("verticalFieldOfView")), 16 * kPi / 180,
              1e-12);
}

TEST(BeamTable, RingsCountFromTheLowestBeamUnlessGiven) {
  const auto lidar = make_sensor("Lidar", spinning({{"beamElevations_deg", "[ -15, 1, -13, 3 ]"}}));
  EXPECT_THAT(numbers(*lidar, "beamRings"), ElementsAre(0, 2, 1, 3));
}

TEST(BeamTable, FileAndFieldsAreTheSame) {
  const TemporaryFolder folder;
  const auto file = folder.write("beams.csv",
                                 "# made up\r\n"
                                 "time, elevation_deg,azimuth_deg,y,x,z,ring\r\n"
                                 "\r\n"
                                 "0,-15,+0.5,0.01,0.1,0.2,4\r\n"
                                 "# between\r\n"
                                 "2.5e-6,1,-0.5,0,0.1,0,5");
  const auto from_file =
      make_sensor("Lidar", spinning({{"beamTable", "[ \"" + file.string() + "\" ]"}}));
  const auto from_fields =
      make_sensor("Lidar", spinning({{"beamElevations_deg", "[ -15, 1 ]"},
                                     {"beamAzimuths_deg", "[ 0.5, -0.5 ]"},
                                     {"beamOrigins", "[ 0.1 0.01 0.2, 0.1 0 0 ]"},
                                     {"beamTimes", "[ 0, 2.5e-6 ]"},
                                     {"beamRings", "[ 4, 5 ]"}}));
  EXPECT_EQ(from_file->properties(), from_fields->properties());
}

TEST(BeamTable, ElevationsAreEnough) {
  const TemporaryFolder folder;
  const auto file = folder.write("beams.csv", "elevation_deg\n10\n-90\n90\n");
  const auto lidar = make_sensor("Lidar", spinning({{"beamTable", "\"" + file.string() + "\""}}));
  EXPECT_THAT(numbers(*lidar, "beamAzimuths_deg"), ElementsAre(0, 0, 0));
  EXPECT_THAT(numbers(*lidar, "beamRings"), ElementsAre(1, 0, 2));
}

TEST(BeamTable, WithoutOneThereIsALevelBeam) {
  const auto lidar = make_sensor("Lidar", spinning({}));
  EXPECT_THAT(numbers(*lidar, "beamElevations_deg"), ElementsAre(0));
  EXPECT_EQ(lidar->layout().size, 10u * 24);
}

TEST(BeamTable, RefusesFieldsThatDoNotFit) {
  expect_refused(spinning({{"beamElevations_deg", "[ 1, 2, 3 ]"}, {"beamTimes", "[ 0, 1e-6 ]"}}),
                 "field 'beamTimes' of Lidar has 2 values for 3 beams (beamElevations_deg)");
  expect_refused(
      spinning({{"beamElevations_deg", "[ 1, 2 ]"}, {"beamOrigins", "[ 0 0 1, 0 0 2, 0 0 3 ]"}}),
      "field 'beamOrigins' of Lidar has 3 values for 2 beams (beamElevations_deg)");
  expect_refused(spinning({{"beamRings", "[ 1, 2 ]"}}),
                 "field 'beamRings' of Lidar needs beamElevations_deg, one value for each beam");
  expect_refused(spinning({{"beamElevations_deg", "[ 1, 91 ]"}}),
                 "beam 1 (counted from 0) of Lidar: elevation 91 degrees is outside [-90, 90]");
  expect_refused(spinning({{"beamElevations_deg", "[ nan, 1 ]"}}),
                 "beam 0 (counted from 0) of Lidar: every value must be a finite number");
  expect_refused(spinning({{"beamElevations_deg", "[ 1 ]"}, {"beamOrigins", "[ 0 inf 0 ]"}}),
                 "beam 0 (counted from 0) of Lidar: every value must be a finite number");
  expect_refused(spinning({{"beamElevations_deg", "[ 1, 2 ]"}, {"beamTimes", "[ 0, -1e-6 ]"}}),
                 "beam 1 (counted from 0) of Lidar: time -1e-06 s is negative");
  expect_refused(
      {{"scanLaw", "\"spinning\""},
       {"maxRange", "50"},
       {"firingPeriod", "5e-5"},
       {"beamElevations_deg", "[ 1, 2 ]"},
       {"beamTimes", "[ 0, 6e-5 ]"}},
      "field 'defaultFrequency' of Lidar: at 10 Hz a firing sequence lasts 5e-05 s, and beam 1 "
      "(counted from 0) of Lidar fires after 6e-05 s");
  expect_refused(spinning({{"beamElevations_deg", "[ 4, 1, 4 ]"}}),
                 "beam 2 (counted from 0) of Lidar: the same elevation, azimuth and time as beam 0 "
                 "(counted from 0) of Lidar");
}

TEST(BeamTable, EqualAnglesAtAnotherTimeAreAnotherBeam) {
  EXPECT_NO_THROW(make_sensor("Lidar", spinning({{"beamElevations_deg", "[ 4, 4, 4 ]"},
                                                 {"beamAzimuths_deg", "[ 0, 1, 0 ]"},
                                                 {"beamTimes", "[ 0, 0, 1e-6 ]"}})));
}

TEST(BeamTable, RefusesFilesWithTheirLine) {
  const TemporaryFolder folder;
  const auto expect = [&](const std::string& text, const std::string& message) {
    const auto file = folder.write("t.csv", text).string();
    SCOPED_TRACE(text);
    expect_refused(spinning({{"beamTable", "[ \"" + file + "\" ]"}}), file + message);
  };
  expect("", ": no header row; write elevation_deg,azimuth_deg,...");
  expect("elevation_deg\n# none\n", ": no beams, only a header row");
  expect("azimuth_deg,x\n1,2\n", ":1: a beam table needs a column elevation_deg");
  expect("elevation_deg,azimut_deg\n",
         ":1: no column 'azimut_deg' in a beam table; did you mean 'azimuth_deg'?");
  expect("elevation_deg,colour\n",
         ":1: no column 'colour' in a beam table; it has "
         "elevation_deg,azimuth_deg,x,y,z,time,ring");
  expect("elevation_deg,x,x\n", ":1: column 'x' is there twice");
  expect("\nelevation_deg,x\n1,2\n3\n", ":4: 1 values in a row, the header has 2 columns");
  expect("elevation_deg,x\n1,2,3\n", ":2: 3 values in a row, the header has 2 columns");
  expect("elevation_deg,x\n1,\n", ":2: no value for x");
  expect("elevation_deg,x\n1,2m\n", ":2: x must be a number, got '2m'");
  expect("elevation_deg\n1\n0x1p3\n", ":3: elevation_deg must be a number, got '0x1p3'");
  expect("elevation_deg\nnan\n", ":2: elevation_deg must be a number, got 'nan'");
  expect("elevation_deg,ring\n1,1.5\n", ":2: ring 1.5 is not a whole number");
  expect("elevation_deg\n1\n-90.5\n", ":3: elevation -90.5 degrees is outside [-90, 90]");
  expect("elevation_deg,time\n1,-1\n", ":2: time -1 s is negative");
  const auto twice = folder.write("t.csv", "elevation_deg\n1\n2\n1\n").string();
  expect_refused(spinning({{"beamTable", "[ \"" + twice + "\" ]"}}),
                 twice + ":4: the same elevation, azimuth and time as " + twice + ":2");
  const auto none = (folder / "none.csv").string();
  expect_refused(spinning({{"beamTable", "[ \"" + none + "\" ]"}}),
                 "field 'beamTable' of Lidar: cannot read " + none + ": No such file or directory");
  expect_refused(spinning({{"beamTable", "[ \"a.csv\", \"b.csv\" ]"}}),
                 "field 'beamTable' of Lidar must be one file, got 2");
  expect_refused(spinning({{"beamTable", "[ \"a.csv\" ]"}, {"beamTimes", "[ 0 ]"}}),
                 "field 'beamTimes' of Lidar: the beams are in beamTable already; leave one out");
}

TEST(BeamTable, BelongsToLawsThatFireOneBeamAfterTheOther) {
  expect_refused({{"beamElevations_deg", "[ 1 ]"}},
                 "field 'beamElevations_deg' of Lidar does nothing with scanLaw \"grid\"; leave it "
                 "out");
  expect_refused({{"motionDistortion", "TRUE"}},
                 "field 'motionDistortion' of Lidar does nothing with scanLaw \"grid\"; leave it "
                 "out");
  expect_refused(spinning({{"numberOfLayers", "16"}}),
                 "field 'numberOfLayers' of Lidar does nothing with scanLaw \"spinning\"; leave it "
                 "out");
}

}  // namespace
}  // namespace protobeam
