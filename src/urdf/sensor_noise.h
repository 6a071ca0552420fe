// What a <noise> of Gazebo's sensors says.
#pragma once

#include <cstdint>

#include "urdf/import.h"

namespace protobeam::urdf {

inline constexpr double kMostNoise = 1e6;

/// It says that there is none.
bool is_no_noise(const Element& noise);

/// What a <noise> says of biases that counts: nothing, all but its mean, or its steady errors.
enum class Biases : std::uint8_t { kNone, kElsewhere, kSteady };

/// Standard deviation of a <noise>, 0 without one; a warning for what does not count.
double noise_of(Import& import, const Element* noise, Biases biases = Biases::kNone);

/// What a <noise> says beside its deviation.
struct SteadyErrors {
  double offset = 0, turn_on = 0, turn_on_mean = 0;
};
SteadyErrors steady_errors(Import& import, const Element* noise);

/// Adds the fields of ReadingErrors (device/reading_errors.h), `prefix` before their names.
void add_reading_errors(Import& import, const Element* noise, NodeMaker& made,
                        const std::string& prefix = {});

}  // namespace protobeam::urdf
