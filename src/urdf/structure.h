// Who is who in a URDF: links and joints by name, and whether they are one tree.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "urdf/robot.h"

namespace protobeam::urdf {

/// Finds the links and joints of `robot.element`: names, elements, types, ends, masters of mimic
/// joints, the root. Nothing of their contents. False with errors.
bool find_structure(Robot& robot, const Limits& limits, Diagnostics& diagnostics);

/// An error when the text is one for xacro, the macro language that URDFs are often written in.
bool is_xacro(const Element& root, Diagnostics& diagnostics);

}  // namespace protobeam::urdf
