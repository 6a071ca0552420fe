// DifferentialWheels: robots with two wheels that had functions of their own, up to R2021a
// (deprecated since R2018a). They become Robots whose wheels hang on HingeJoints, beside the device
// that answers these functions (plugins/devices/wheel_pair).
#pragma once

#include <string_view>

#include "base/diagnostics.h"
#include "wbt/document.h"

namespace protobeam::wbt {

/// Files before it may hold DifferentialWheels.
inline constexpr Version kR2021b{2021, 1};

/// The expanded DifferentialWheels, a Robot with fields of its own, becomes one of today: its
/// Solids "left wheel" and "right wheel" turn about the axes of their rotations; without Physics
/// they are where axleLength and wheelRadius say.
void become_robot(Node& wheels, Diagnostics& diagnostics);

/// A robot of Webots that was a DifferentialWheels in files before R2018a and is a Robot in
/// `proto`: gets the device that answers as it did then.
void add_former_wheels(const Document& outside, const Document& proto, Node& robot);

/// What a PROTO of Webots that had another name before R2018a is called since; "" for all others.
std::string_view renamed_proto(const Document& document, std::string_view type);

}  // namespace protobeam::wbt
