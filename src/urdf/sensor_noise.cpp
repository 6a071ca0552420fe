#include "urdf/sensor_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "urdf/values.h"

namespace protobeam::urdf {
namespace {

/// The number of a child that counts elsewhere than in its deviation, within what has a meaning.
double part_of(Import& import, const Element& noise, const char* tag, double least) {
  const double value = child_number(noise, tag, import.diagnostics).value_or(0);
  if (value >= least && value <= kMostNoise) return value;
  import.diagnostics.error(
      noise.child(tag)->place,
      fmt::format("<{}> must be from {} to {}, got {}", tag, least, kMostNoise, value));
  return 0;
}

void note_parts(Import& import, const Element& noise,
                std::initializer_list<const char*> without_effect) {
  for (const char* part : without_effect) {
    if (child_number(noise, part, import.diagnostics).value_or(0) != 0)
      import.ignored.add(fmt::format("<{}> of a <noise>", part), noise.child(part)->place);
  }
}

double deviation_of(Import& import, const Element& noise) {
  const double deviation = child_number(noise, "stddev", import.diagnostics).value_or(0);
  if (deviation < 0)
    import.diagnostics.error(noise.child("stddev")->place,
                             fmt::format("<stddev> must be at least 0, got {}", deviation));
  if (deviation > kMostNoise)
    import.diagnostics.error(
        noise.child("stddev")->place,
        fmt::format("<stddev> must be at most {}, got {}", kMostNoise, deviation));
  return std::clamp(deviation, 0.0, kMostNoise);
}

}  // namespace

bool is_no_noise(const Element& noise) {
  const Element* type = noise.child("type");
  const Text* kind = type ? &type->text : noise.attribute("type");
  return kind && kind->value == "none";
}

double noise_of(Import& import, const Element* noise, Biases biases) {
  if (!noise || is_no_noise(*noise)) return 0;
  if (biases == Biases::kElsewhere) note_parts(import, *noise, {"mean"});
  if (biases == Biases::kNone)
    note_parts(import, *noise,
               {"mean", "bias_mean", "bias_stddev", "dynamic_bias_stddev", "precision"});
  if (biases == Biases::kSteady) note_parts(import, *noise, {"dynamic_bias_stddev", "precision"});
  return deviation_of(import, *noise);
}

SteadyErrors steady_errors(Import& import, const Element* noise) {
  if (!noise || is_no_noise(*noise)) return {};
  // The sign of the mean is drawn.
  return {part_of(import, *noise, "mean", -kMostNoise), part_of(import, *noise, "bias_stddev", 0),
          std::abs(part_of(import, *noise, "bias_mean", -kMostNoise))};
}

void add_reading_errors(Import& import, const Element* noise, NodeMaker& made,
                        const std::string& prefix) {
  if (!noise || is_no_noise(*noise)) return;
  note_parts(import, *noise, {"dynamic_bias_stddev"});
  const auto add = [&](std::string field, double value) {
    if (value == 0) return;
    if (!prefix.empty()) field = prefix + static_cast<char>(field[0] - 'a' + 'A') + field.substr(1);
    made.number(field.c_str(), value);
  };
  add("noise", deviation_of(import, *noise));
  const SteadyErrors steady = steady_errors(import, noise);
  add("offset", steady.offset);
  add("turnOnBias", steady.turn_on);
  add("turnOnMean", steady.turn_on_mean);
  add("resolution", part_of(import, *noise, "precision", 0));
}

}  // namespace protobeam::urdf
