// Numbers in the text of a URDF, in the C locale, finite, with messages at their places.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/math.h"
#include "xml/element.h"

namespace protobeam::urdf {

using xml::Element;
using xml::Text;

/// Exactly `count` numbers; nothing with an error at the text. `owner`: "<box>".
std::optional<std::vector<double>> numbers_of(const Text& text, std::size_t count,
                                              const std::string& what, Diagnostics& diagnostics);

/// The numbers of an attribute, `otherwise` when it is not written. A mistake is an error, too.
double number_of(const Element& element, const char* attribute, double otherwise,
                 Diagnostics& diagnostics);
Vec3 vec3_of(const Element& element, const char* attribute, const Vec3& otherwise,
             Diagnostics& diagnostics);

/// The number that is the text of a child (`<samples>360</samples>`), or nothing.
std::optional<double> child_number(const Element& element, std::string_view tag,
                                   Diagnostics& diagnostics);
/// The three or four numbers of a colour, cut off at 0 and 1; the fourth goes to `alpha`.
std::optional<Vec3> child_colour(const Element& element, std::string_view tag,
                                 Diagnostics& diagnostics, double* alpha = nullptr);
/// The six numbers of a `<pose>`: x y z roll pitch yaw; the identity without one.
Pose child_pose(const Element& element, Diagnostics& diagnostics);

}  // namespace protobeam::urdf
