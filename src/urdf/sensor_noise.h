// What a <noise> of Gazebo's sensors says.
#pragma once

#include "urdf/import.h"

namespace protobeam::urdf {

inline constexpr double kMostNoise = 1e6;

/// It says that there is none.
bool is_no_noise(const Element& noise);

/// Standard deviation of a <noise>, 0 without one. What else it says has no effect; `biased`: its
/// biases count elsewhere.
double noise_of(Import& import, const Element* noise, bool biased = false);

/// Adds the fields of ReadingErrors (device/reading_errors.h), `prefix` before their names.
void add_reading_errors(Import& import, const Element* noise, NodeMaker& made,
                        const std::string& prefix = {});

}  // namespace protobeam::urdf
