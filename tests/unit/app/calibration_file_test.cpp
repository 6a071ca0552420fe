// Calibration files: what is written is read again, and what is said about wrong ones.
#include "app/calibration_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

const KnownSensors kKnown = {{"imu", {0, 0}}, {"left", {640, 480}}};

class CalibrationFile : public testing::Test {
 protected:
  std::vector<CalibratedSensor> read(const std::string& text, bool partial = true) {
    const auto file = folder_.write("calib.yaml", text);
    Diagnostics diagnostics;
    auto out = read_calibration(file, kKnown, partial, diagnostics);
    said_ = diagnostics.to_string();
    return out;
  }
  /// The message about a file with this T of the imu.
  std::string about(const std::string& T) {
    read("body:\n  imu:\n    T: " + T + "\n");
    return said_;
  }
  TemporaryFolder folder_;
  std::string said_;
};

constexpr char kLeft[] = R"(body:
  left:
    T:
    - [0, 0, 1, 0.1]
    - [1, 0, 0, -0.2]
    - [0, 1, 0, 0.3]
    - [0, 0, 0, 1]
    rostopic: /left/image
    intrinsics: [383.2, 383.1, 325.9, 236.5]
    distortion_coeffs: [0.01, -0.02, 0.003, -0.004]
    resolution: [640, 480]
)";

TEST_F(CalibrationFile, IsReadAsItIsWritten) {
  const auto sensors = read(kLeft);
  EXPECT_EQ(said_, "");
  ASSERT_EQ(sensors.size(), 1u);
  EXPECT_EQ(sensors[0].name, "left");
  EXPECT_LT((sensors[0].X_BS.p - Vec3(0.1, -0.2, 0.3)).norm(), 1e-15);
  // Forward of the image is x of the body, its right y.
  EXPECT_LT((sensors[0].X_BS.R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-15);
  EXPECT_LT((sensors[0].X_BS.R * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  EXPECT_THAT(sensors[0].imager->intrinsics, testing::ElementsAre(383.2, 383.1, 325.9, 236.5));
  EXPECT_THAT(sensors[0].imager->distortion, testing::ElementsAre(0.01, -0.02, 0.003, -0.004));

  const std::string text = calibration_text(sensors, {"a remark"});
  EXPECT_THAT(text,
              testing::StartsWith("# a remark\nbody:\n  left:\n    T:\n    - [0, 0, 1, 0.1]\n"));
  EXPECT_THAT(text, HasSubstr("    - [0, 0, 0, 1]\n    rostopic: /left\n"));
  EXPECT_EQ(calibration_text(read(text), {"a remark"}), text);
}

TEST_F(CalibrationFile, BecomesFieldsOfASuite) {
  EXPECT_EQ(suite_fields(read(kLeft)),
            "calibration [\n  \"left 0 0 1 0.1  1 0 0 -0.2  0 1 0 0.3\"\n]\n"
            "intrinsics [\n  \"left 383.2 383.1 325.9 236.5 0.01 -0.02 0.003 -0.004\"\n]\n");
}

TEST_F(CalibrationFile, SaysWhereItIsWrong) {
  EXPECT_THAT(
      about("[[1, 0, 0, 0], [0, 1, 0.01, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"),
      HasSubstr("calib.yaml:3:8: error: T of 'imu' is no rotation: its transpose times itself "
                "is off by 0.01; columns have length 1"));
  EXPECT_THAT(about("[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, -1, 0], [0, 0, 0, 1]]"),
              HasSubstr("T of 'imu' mirrors"));
  EXPECT_THAT(about("[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]"),
              HasSubstr("calib.yaml:3:8: error: T of 'imu' needs 4 rows, got 3"));
  EXPECT_THAT(about("[[1, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"),
              HasSubstr("calib.yaml:3:9: error: row 1 of T of 'imu' needs 4 numbers, got 3"));
  EXPECT_THAT(
      about("[[1, 0, 0, x], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"),
      HasSubstr("calib.yaml:3:19: error: row 1 of T of 'imu' must have finite numbers, got 'x'"));
  EXPECT_THAT(about("[[1, 0, 0, .nan], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"),
              HasSubstr("must have finite numbers, got '.nan'"));
  EXPECT_THAT(about("[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]"),
              HasSubstr("the last row of T of 'imu' must be 0, 0, 0, 1; T is 4 x 4"));
  read("body:\n  imu:\n    rostopic: /imu\n");
  EXPECT_THAT(said_, HasSubstr("calib.yaml:2:3: error: 'imu' has no T; write T: and four rows"));
  read("body:\n  lefft:\n    T: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]\n");
  EXPECT_THAT(said_,
              HasSubstr("calib.yaml:2:3: error: unknown sensor 'lefft'; did you mean 'left'?"));
  read(kLeft, false);
  EXPECT_THAT(said_, HasSubstr("error: no sensor 'imu'; write --partial to leave it as it is"));
  read("imu:\n  T: 1\n");
  EXPECT_THAT(said_, HasSubstr("no sensors; a calibration is body: and below it"));
  read("body: [\n");
  EXPECT_THAT(said_, HasSubstr("calib.yaml:"));
}

TEST_F(CalibrationFile, SaysWhatOfAnImagerIsWrong) {
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = kLeft;
    text.replace(text.find(from), from.size(), to);
    read(text);
    return said_;
  };
  EXPECT_THAT(
      with("[640, 480]", "[1280, 720]"),
      HasSubstr("calib.yaml:11:17: error: resolution of 'left' is 1280 x 720, the device has 640 "
                "x 480; intrinsics belong to a size of the image"));
  EXPECT_THAT(with("[640, 480]", "[640]"),
              HasSubstr("resolution of 'left' needs 2 numbers, got 1"));
  EXPECT_THAT(with("[383.2, 383.1, 325.9, 236.5]", "[383.2, 383.1]"),
              HasSubstr("calib.yaml:9:17: error: intrinsics of 'left' needs 4 numbers, got 2"));
  EXPECT_THAT(with("383.2, 383.1", "-383.2, 383.1"), HasSubstr("fx and fy of 'left' must be > 0"));
  EXPECT_THAT(with("-0.02, 0.003, -0.004", "-0.02"),
              HasSubstr("distortion_coeffs of 'left' needs 4 numbers, got 2"));
  EXPECT_THAT(with("    resolution", "    distortion_model: equidistant\n    resolution"),
              HasSubstr("distortion_model of 'left' is 'equidistant'; only radtan"));
}

TEST_F(CalibrationFile, RefusesAResolutionThatIsNone) {
  const std::string imu =
      "body:\n  imu:\n    T: [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]\n"
      "    intrinsics: [1, 1, 1, 1]\n    resolution: ";
  for (const char* size : {"[1.0e+300, 2]", "[-1, 2]", "[640.5, 480]"}) {
    read(imu + size + "\n");
    EXPECT_THAT(said_, HasSubstr("calib.yaml:5:17: error: resolution of 'imu' must be two whole "
                                 "numbers from 1 to 1048576, got"));
  }
}

}  // namespace
}  // namespace protobeam
