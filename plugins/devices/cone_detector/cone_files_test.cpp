// Tracks and settings in files: what is read, and what is said about broken ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cone_rig.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

const std::string kHeader = "tag,x,y,direction,x_variance,y_variance,xy_covariance\n";

/// What the device says about a track with this text; "" when it takes it.
std::string problem_of_track(const std::string& text) {
  try {
    ConeRig rig(write_file("track.csv", text));
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}
std::string problem_of_settings(const std::string& text) {
  try {
    ConeRig rig("", {{"settings", quoted(write_file("settings.yaml", text))}});
  } catch (const std::invalid_argument& problem) {
    return problem.what();
  }
  return "";
}
double property(const ConeRig& rig, const std::string& name) {
  return std::get<double>(rig.device->facts().at(name));
}

std::vector<ReadCone> truth_of(const std::string& text, ConeRig::FieldTexts fields = {}) {
  ConeRig rig(write_file("truth.csv", text), std::move(fields));
  rig.run(1);
  const auto truth = rig.channel<ReadCone>("truth");
  return {truth.begin(), truth.begin() + rig.channel<std::int32_t>("truth_count")[0]};
}

TEST(ConeTrack, ReadsEufsFiles) {
  const auto cones = truth_of(kHeader +
                              "blue,1,2,0,0.01,0.02,0.005\r\n"
                              "yellow, +3 ,-4e0,0,0,0,0\n"
                              "\n# a comment\n"
                              "orange,5,6,0,0,0,0\nbig_orange,7,8,0,0,0,0\nunknown,9,10,0,0,0,0\n"
                              "car_start,0,0,1.5,0,0,0");
  ASSERT_EQ(cones.size(), 5u);
  EXPECT_EQ(cones[0].x, 1);
  EXPECT_EQ(cones[0].y, 2);
  EXPECT_FLOAT_EQ(cones[0].xx, 0.01f);
  EXPECT_FLOAT_EQ(cones[0].xy, 0.005f);
  EXPECT_FLOAT_EQ(cones[0].yy, 0.02f);
  EXPECT_EQ(cones[1].y, -4);
  const int colors[] = {2, 1, 0, 3, -1};
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(cones[i].color, colors[i]);
}

TEST(ConeTrack, ReadsOtherColumnsAndFilesWithoutHeader) {
  EXPECT_EQ(truth_of("y,color,x\n1,2,3\n4,-1,6\n").at(1).color, -1);
  EXPECT_EQ(truth_of("y,color,x\n1,2,3\n").at(0).x, 3);
  EXPECT_EQ(truth_of("blue,1,2,0,0.01,0.01,0\n").at(0).y, 2);  // FSDS
}

TEST(ConeTrack, LiesWhereTheFieldsSay) {
  // A quarter turn: the track's x axis is the world's y axis.
  const ConeRig::FieldTexts fields = {{"trackTranslation", "10 20 0"},
                                      {"trackAngle", "1.5707963267948966"}};
  const std::string text = kHeader + "blue,1,2,0,0.01,0.04,0\ncar_start,3,0,0.5,0,0,0\n";
  const auto cone = truth_of(text, fields).at(0);
  EXPECT_FLOAT_EQ(cone.x, 8);
  EXPECT_FLOAT_EQ(cone.y, 21);
  EXPECT_FLOAT_EQ(cone.xx, 0.04f);
  EXPECT_FLOAT_EQ(cone.yy, 0.01f);
  const ConeRig rig(write_file("start.csv", text), fields);
  const auto start = std::get<std::vector<double>>(rig.device->facts().at("start"));
  EXPECT_NEAR(start[0], 10, 1e-12);
  EXPECT_NEAR(start[1], 23, 1e-12);
  EXPECT_NEAR(start[2], 0.5 + kPi / 2, 1e-12);
}

TEST(ConeTrack, NamesFileAndRowOfMistakes) {
  const auto at_row = [](int row, const std::string& what) {
    return testing::AllOf(HasSubstr("field 'track' of ConeDetector: "),
                          HasSubstr("track.csv:" + std::to_string(row) + ": "), HasSubstr(what));
  };
  EXPECT_THAT(problem_of_track(kHeader + "purple,1,2,0,0,0,0\n"),
              at_row(2, "unknown tag 'purple'; there are blue, yellow"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,2,0,0,0,0\nyelow,1,2,0,0,0,0\n"),
              at_row(3, "did you mean 'yellow'?"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,nan,2,0,0,0,0\n"),
              at_row(2, "x must be a finite number, got 'nan'"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,inf,0,0,0,0\n"), at_row(2, "y must be a finite"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,2m,0,0,0,0\n"), at_row(2, "'2m'"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,,0,0,0,0\n"), at_row(2, "no value for y"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,2\n"),
              at_row(2, "3 values in a row that needs 7"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,2,0,-1,0,0\n"), at_row(2, "negative"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1,2,0,1,1,2\n"), at_row(2, "too large"));
  EXPECT_THAT(problem_of_track(kHeader + "blue,1e9,2,0,0,0,0\n"), at_row(2, "within"));
  EXPECT_THAT(problem_of_track(kHeader + "car_start,0,0,0,0,0,0\ncar_start,0,0,0,0,0,0\n"),
              at_row(3, "car_start is there twice"));
  EXPECT_THAT(problem_of_track("tag,x\nblue,1\n"), at_row(1, "needs a column y"));
  EXPECT_THAT(problem_of_track("x,y\n1,2\n"), at_row(1, "needs a column tag"));
  EXPECT_THAT(problem_of_track("tag,x,y,x\n"), at_row(1, "column 'x' is there twice"));
  EXPECT_THAT(problem_of_track("tag,x,y,colour\n"), at_row(1, "unknown column 'colour'"));
  EXPECT_THAT(problem_of_track("x,y,color\n1,2,7\n"), at_row(2, "color must be"));
  EXPECT_THAT(problem_of_track(""), HasSubstr("no header row"));
  EXPECT_THAT(problem_of_track(kHeader), HasSubstr("track.csv: no cones"));
  EXPECT_THROW(ConeRig("/nowhere/track.csv"), std::invalid_argument);
}

TEST(ConeSettings, HaveTheDefaultsOfFeb) {
  const ConeRig rig("");
  EXPECT_EQ(property(rig, "camera_hz"), 25);
  EXPECT_EQ(property(rig, "lidar_hz"), 10);
  EXPECT_EQ(property(rig, "camera_noise_std"), 0.25);
  EXPECT_EQ(property(rig, "lidar_noise_std"), 0.15);
  EXPECT_EQ(property(rig, "camera_delay_mean"), 0.01);
  EXPECT_EQ(property(rig, "camera_delay_std"), 1e-5);
  EXPECT_EQ(property(rig, "lidar_delay_mean"), 0.01);
  EXPECT_EQ(property(rig, "lidar_delay_std"), 1e-5);
}

TEST(ConeSettings, ComeFromAFileBelowWhatIsWritten) {
  const std::string file = write_file("feb.yaml",
                                      "SimulatorPerceptionSettings:\n  camera_hz: 15\n"
                                      "  lidar_hz: 5\n  lidar_delay_std: 2e-3\n");
  const ConeRig rig("", {{"settings", quoted(file)}, {"lidar_hz", "20"}});
  EXPECT_EQ(property(rig, "camera_hz"), 15);
  EXPECT_EQ(property(rig, "lidar_hz"), 20);
  EXPECT_EQ(property(rig, "lidar_delay_std"), 2e-3);
  EXPECT_EQ(property(rig, "camera_noise_std"), 0.25);
}

TEST(ConeSettings, NamesFileAndLineOfMistakes) {
  const auto at_line = [](int line, const std::string& what) {
    return testing::AllOf(HasSubstr("field 'settings' of ConeDetector: "),
                          HasSubstr("settings.yaml:" + std::to_string(line) + ": "),
                          HasSubstr(what));
  };
  EXPECT_THAT(problem_of_settings("camera_hz: 10\ncamera_delay: 1\n"),
              at_line(2, "unknown setting 'camera_delay'"));
  EXPECT_THAT(problem_of_settings("camera_hz: 0\n"), at_line(1, "camera_hz must be"));
  EXPECT_THAT(problem_of_settings("lidar_hz: -3\n"), at_line(1, "lidar_hz must be"));
  EXPECT_THAT(problem_of_settings("\nlidar_noise_std: -1\n"),
              at_line(2, "lidar_noise_std must be"));
  EXPECT_THAT(problem_of_settings("lidar_hz: .nan\n"), at_line(1, "must be a finite number"));
  EXPECT_THAT(problem_of_settings("lidar_hz: fast\n"), at_line(1, "must be a finite number"));
  EXPECT_THAT(problem_of_settings("lidar_hz: [1, 2]\n"), at_line(1, "must be a finite number"));
  EXPECT_THAT(problem_of_settings("lidar_hz: 1\nlidar_hz: 2\n"), at_line(2, "is there twice"));
  EXPECT_THAT(problem_of_settings("lidar_hz: {\n"), HasSubstr("settings.yaml:"));
  EXPECT_THAT(problem_of_settings("- 1\n"), HasSubstr("no settings"));
  EXPECT_THAT(problem_of_settings(""), HasSubstr("no settings"));
}

TEST(ConeSettings, MustFitTogether) {
  const auto refuses = [](ConeRig::FieldTexts fields) {
    EXPECT_THROW(ConeRig("", std::move(fields)), std::invalid_argument);
  };
  refuses({{"cameraFalsePositives", "1"}});  // where?
  refuses({{"lidarMinRange", "5"}, {"lidarMaxRange", "4"}});
  refuses({{"cameraDetection", "[ 1 0 0 ]"}});
  refuses({{"cameraClassification", "[ 1.1 0 0 0 ]"}});
  refuses({{"camera_hz", "1000"}});  // 10 messages in a step, room for 8
}

}  // namespace
}  // namespace protobeam
