// Where the sensors of a robot are on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/calibration_file.h"
#include "sim/model.h"

namespace protobeam {

/// All devices that are fixed to the robot's body and measure, in the order of the world's text; of those
/// with an image its intrinsics. The poses are in the robot's own frame, or in that of the sensor `body`.
/// `remarks` get sentences for the head of a file: what B is, and which devices are left out.
/// Throws std::runtime_error when there is no sensor `body` ("no sensor 'lidr' on 'car'; did you ...").
std::vector<CalibratedSensor> calibrated_sensors(const WorldModel& model, const RobotInfo& robot,
                                                 const std::string& body,
                                                 std::vector<std::string>& remarks);

}  // namespace protobeam
