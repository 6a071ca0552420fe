// What `calibration` says of lenses. Poses and the way back: mcd_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;

/// The lines of a sensor behind its T.
std::string lines_of(const std::string& file, const std::string& sensor) {
  const auto at = file.find("    rostopic: /" + sensor + "\n");
  if (at == file.npos) return "";
  std::string text;
  for (auto line = file.find('\n', at) + 1; file.compare(line, 4, "    ") == 0;) {
    const auto next = file.find('\n', line) + 1;
    text += file.substr(line, next - line);
    line = next;
  }
  return text;
}

// Kalibr's names of models, and the order of their numbers (its wiki, "Supported models"): eucm has
// alpha beta fu fv pu pv, ds xi alpha fu fv pu pv. It has no radtan with k3 or more.
TEST(Calibration, HasTheModelOfEachLens) {
  const TemporaryFolder folder;
  const std::string given = " width 64 height 48 intrinsics [ 40 41 31 23 ] lensModel ";
  const auto world = folder.write(
      "worlds/w.wbt",
      "#VRML_SIM R2025a utf8\nWorldInfo { }\nRobot { name \"a\" controller \"<none>\" children [\n"
      "Camera { name \"plain\" width 64 height 48 }\n"
      "Camera { name \"cv4\"" +
          given +
          "\"opencv\" distortion [ 0.1 0.01 0.001 0.002 ] }\n"
          "Camera { name \"cv5\"" +
          given +
          "\"opencv\" distortion [ 0.1 0.01 0.001 0.002 0.003 ] }\n"
          "Camera { name \"fish\"" +
          given +
          "\"fisheye\" distortion [ 0.1 0.01 0.001 0.002 ] }\n"
          "Camera { name \"eucm\"" +
          given +
          "\"eucm\" distortion [ 0.5 1.1 ] }\n"
          "Camera { name \"ds\"" +
          given +
          "\"double_sphere\" distortion [ -0.1 0.6 ] }\n"
          "Camera { name \"round\" projection \"cylindrical\" fieldOfView 2 }\n"
          "RangeFinder { name \"bent\" lens Lens { radialCoefficients 0.1 0.2 } }\n] }\n");
  const Outcome outcome = protobeam({"calibration", world.string()});
  ASSERT_EQ(outcome.exit, 0) << outcome.err;
  const auto with = [](const std::string& model, const std::string& intrinsics,
                       const std::string& distortion, const std::string& coefficients) {
    return "    camera_model: " + model + "\n    intrinsics: [" + intrinsics +
           "]\n    distortion_model: " + distortion + "\n    distortion_coeffs: [" + coefficients +
           "]\n    resolution: [64, 48]\n";
  };
  const std::string K = "40, 41, 31, 23", D = "0.1, 0.01, 0.001, 0.002";
  EXPECT_EQ(lines_of(outcome.out, "plain"),
            with("pinhole", "77.25463334, 77.25463334, 31.5, 23.5", "radtan", "0, 0, 0, 0"));
  EXPECT_EQ(lines_of(outcome.out, "cv4"), with("pinhole", K, "radtan", D));
  EXPECT_EQ(lines_of(outcome.out, "fish"), with("pinhole", K, "equidistant", D));
  EXPECT_EQ(lines_of(outcome.out, "eucm"), with("eucm", "0.5, 1.1, " + K, "none", ""));
  EXPECT_EQ(lines_of(outcome.out, "ds"), with("ds", "-0.1, 0.6, " + K, "none", ""));
  for (const std::string name : {"cv5", "round", "bent"}) {
    EXPECT_THAT(outcome.out, HasSubstr("    rostopic: /" + name + "\n"));
    EXPECT_EQ(lines_of(outcome.out, name), "");
    EXPECT_THAT(outcome.out,
                HasSubstr("# " + name + " has a lens that these files cannot describe: "));
  }
}

}  // namespace
}  // namespace protobeam::test
