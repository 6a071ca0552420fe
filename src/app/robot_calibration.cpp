#include "app/robot_calibration.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/diagnostics.h"
#include "base/libm.h"

namespace protobeam {
namespace {

/// A constant fact about the device of that type; null when it has none.
template <class T>
const T* fact(const Device& device, const char* name) {
  const auto found = device.model->facts().find(name);
  return found == device.model->facts().end() ? nullptr : std::get_if<T>(&found->second);
}

/// None, with a remark, where calibration files have no words for its lens.
std::optional<CalibratedImager> imager_of(const Device& device, std::vector<std::string>& remarks) {
  const auto* width = fact<double>(device, "width");
  const auto* height = fact<double>(device, "height");
  const auto* fov = fact<double>(device, "fov");
  const auto* told = fact<std::string>(device, "lens");
  const std::string lens = told ? *told : "pinhole";
  if (!width || !height || !fov || (lens == "pinhole" && *fov >= kPi)) return {};
  const auto cannot = [&](const std::string& what) {
    remarks.push_back(device.name + " has a lens that these files cannot describe: " + what);
    return std::nullopt;
  };
  CalibratedImager out;
  out.width = static_cast<int>(*width);
  out.height = static_cast<int>(*height);
  // Square pixels, and the optical axis in the middle of the image.
  const double f = *width / 2 / libm::tan(*fov / 2);
  out.intrinsics = {f, f, (*width - 1) / 2, (*height - 1) / 2};
  const auto* K = fact<std::vector<double>>(device, "intrinsics");
  const auto* D = fact<std::vector<double>>(device, "distortion");
  if (K && K->size() == 4) std::ranges::copy(*K, out.intrinsics.begin());
  if (lens == "pinhole") return out;
  if (!D) return cannot(lens);
  if (lens == "eucm" || lens == "double_sphere") {
    out.camera_model = lens == "eucm" ? "eucm" : "ds";
    out.distortion_model = "none";
    out.shape = *D;
    return out;
  }
  if (D->size() > out.distortion.size()) return cannot(lens + " with k3 or more");
  if (lens == "fisheye") out.distortion_model = "equidistant";
  std::ranges::copy(*D, out.distortion.begin());
  return out;
}

}  // namespace

std::vector<CalibratedSensor> calibrated_sensors(const WorldModel& model, const RobotInfo& robot,
                                                 const std::string& body,
                                                 std::vector<std::string>& remarks) {
  const SolidInfo& solid = model.solids[static_cast<std::size_t>(robot.solid)];
  std::vector<CalibratedSensor> out;
  for (const Device& device : robot.devices) {
    if (device.joint >= 0 || device.free_axis || !device.model->type().has_sample() ||
        device.model->type().moves_robot) {
      continue;
    }
    if (device.body != solid.body) {
      remarks.push_back(device.name + " is behind a joint: it has no fixed place");
      continue;
    }
    out.push_back({device.name, solid.X_BS.inverse() * device.X_BD * device.model->data_frame(),
                   imager_of(device, remarks)});
  }
  if (body.empty()) {
    remarks.push_back("T_B_S of the sensors of '" + robot.name + "'; B is the robot's own frame");
    return out;
  }
  std::vector<std::string> names;
  for (const CalibratedSensor& sensor : out) names.push_back(sensor.name);
  const auto found = std::ranges::find(names, body);
  if (found == names.end()) {
    const std::string hint = did_you_mean(body, names);
    throw std::runtime_error(
        fmt::format("no sensor '{}' on '{}'; {}", body, robot.name,
                    hint.empty() ? fmt::format("there are {}", fmt::join(names, ", ")) : hint));
  }
  const Pose X_BR = out[static_cast<std::size_t>(found - names.begin())].X_BS.inverse();
  for (CalibratedSensor& sensor : out) sensor.X_BS = X_BR * sensor.X_BS;
  remarks.push_back("T_B_S of the sensors of '" + robot.name + "'; B is " + body);
  return out;
}

}  // namespace protobeam
