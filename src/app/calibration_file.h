// Calibration files of sensor suites, as the Multi-Campus Dataset has them:
//
//   body:
//     d455b_infra1:
//       T:                               # T_B_S, p_B = T_B_S p_S
//       - [-0.0144, 0.0051, 0.9999, 0.0561]
//       - ...
//       rostopic: /d455b/infra1/image_rect_raw
//       camera_model: pinhole
//       intrinsics: [383.26, 383.24, 325.96, 236.53]   # fx fy cx cy, pixels
//       distortion_model: radtan
//       distortion_coeffs: [0.0018, -0.0004, -0.0001, 0.0007]
//       resolution: [640, 480]
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/math.h"

namespace protobeam {

struct CalibratedImager {
  int width = 0, height = 0;
  /// As Kalibr calls them: "pinhole" with "radtan" or "equidistant"; "eucm" and "ds" with "none".
  std::string camera_model = "pinhole", distortion_model = "radtan";
  std::vector<double> shape{};  ///< of eucm alpha beta, of ds xi alpha: before the intrinsics
  std::array<double, 4> intrinsics{};  ///< fx fy cx cy; the middle of the first pixel is 0 0
  std::array<double, 4> distortion{};  ///< k1 k2 p1 p2; of equidistant k1 k2 k3 k4
};

struct CalibratedSensor {
  std::string name;
  Pose X_BS;
  std::optional<CalibratedImager> imager;
};

/// The file of these sensors. `remarks` are comments at its start.
std::string calibration_text(const std::vector<CalibratedSensor>& sensors,
                             const std::vector<std::string>& remarks);

/// What is known of the sensors that a file should have: width and height of imagers, else 0.
using KnownSensors = std::map<std::string, std::array<int, 2>>;

/// The sensors of a file, in its order. Mistakes go to `diagnostics`: a T that is no rigid
/// transformation, lists of a wrong size, sensors that are not known, and, unless `partial`, known
/// ones that it does not have. Throws std::runtime_error when it cannot be read.
std::vector<CalibratedSensor> read_calibration(const std::filesystem::path& file,
                                               const KnownSensors& known, bool partial,
                                               Diagnostics& diagnostics);

/// The fields `calibration` and `intrinsics` of McdAtv and McdHhs.
std::string suite_fields(const std::vector<CalibratedSensor>& sensors);

}  // namespace protobeam
