#include "signal_model.h"

#include <algorithm>
#include <cmath>

#include "../throw_invalid.h"

namespace protobeam {
namespace {

bool is_on(const Fields& fields) {
  if (fields.is_set("beamModel")) return fields.string("beamModel") == "datasheet";
  constexpr const char* kFields[] = {"wavelength",     "detectionRange", "detectionReflectance",
                                     "detectionNoise", "pulseLength",    "overlapRange",
                                     "beamDivergence", "returnMode",     "intensityCode"};
  return std::any_of(std::begin(kFields), std::end(kFields),
                     [&](const char* name) { return fields.is_set(name); });
}

/// Beyond, signals of near surfaces leave the range of their type: a surface of 10 % at 1e11 m.
constexpr float kMostGain = 1e24f;

ReturnMode mode_of(const std::string& name) {
  if (name == "first") return ReturnMode::kFirst;
  if (name == "last") return ReturnMode::kLast;
  return name == "dual" ? ReturnMode::kDual : ReturnMode::kStrongest;
}

}  // namespace

std::optional<SignalModel> signal_model_of(const Fields& fields, double sigma) {
  if (!is_on(fields)) return std::nullopt;
  SignalModel model;
  model.mode_name = fields.string("returnMode");
  model.mode = mode_of(model.mode_name);
  model.code_name = fields.string("intensityCode");
  model.code = intensity_code(model.code_name);
  model.wavelength = fields.number("wavelength");
  model.divergence = fields.number("beamDivergence");
  const double pulse = fields.number("pulseLength");
  model.separation = static_cast<float>(kSpeedOfLight / 2 * pulse);
  model.min = static_cast<float>(fields.number("minRange"));
  model.max = static_cast<float>(fields.number("maxRange"));

  LinkBudget& budget = model.budget;
  if (const double r0 = fields.number("overlapRange"); r0 > 0) {
    budget.overlap = static_cast<float>(2 / (r0 * r0));
  }
  const double range = fields.number("detectionRange");
  budget.gain = 1;
  const float detection = range > 0 ? static_cast<float>(range) : model.max;
  const double reflectance = fields.number("detectionReflectance");
  budget.gain = kDetectable / (static_cast<float>(reflectance) * budget.white(detection));
  if (!(budget.gain > 0 && budget.gain <= kMostGain)) {
    throw_invalid(
        "field 'detectionRange' of Lidar (-1: maxRange): no receiver sees a reflectance of ",
        reflectance, " at ", detection, " m with overlapRange ", fields.number("overlapRange"));
  }
  budget.best = static_cast<float>(sigma);
  double jitter = pulse_jitter(pulse);
  if (const double noise = fields.number("detectionNoise"); noise >= 0) {
    if (noise < sigma) {
      throw_invalid("field 'detectionNoise' of Lidar must not be less than noise times maxRange (",
                    sigma, " m), got ", noise);
    }
    jitter = double{kDetectable} * std::sqrt(noise * noise - sigma * sigma);
  }
  budget.jitter = static_cast<float>(jitter);
  return model;
}

}  // namespace protobeam
