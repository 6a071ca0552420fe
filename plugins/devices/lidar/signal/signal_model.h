// The fields of a Lidar that say how its receiver works.
#pragma once

#include <optional>
#include <string>

#include "base/fields.h"
#include "intensity_code.h"
#include "link_budget.h"

namespace protobeam {

enum class ReturnMode { kFirst, kStrongest, kLast, kDual };

struct SignalModel {
  LinkBudget budget;
  IntensityCode code;
  ReturnMode mode = ReturnMode::kStrongest;
  std::string mode_name, code_name;
  double wavelength = 0;   ///< m
  double divergence = 0;   ///< rad, full angle where the irradiance is 1/e^2 of the middle's
  float separation = 0;    ///< m, echoes that are nearer to each other make one pulse
  float min = 0, max = 0;  ///< m
};

/// Nothing when the device is nominal: beamModel says so, or it is not written and no field of this
/// model is. `sigma` (m) and `max` (m) are those of the receiver. Throws std::invalid_argument.
std::optional<SignalModel> signal_model_of(const Fields& fields, double sigma);

}  // namespace protobeam
