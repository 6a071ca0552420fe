// A URDF that was checked, written again for urdfdom.
#pragma once

#include <string>

#include "urdf/robot.h"

namespace protobeam::urdf {

/// Checks what stands in links and joints and writes it as a URDF of its own: "l7" for link 7, "j3"
/// for joint 3, numbers in the C locale, no shapes that are left out, nothing but links and joints.
/// urdfdom then never sees foreign text: it prints names and numbers as formats, and its XML reader
/// is an old one. `robot` gets the elements of the shapes, in the order in which they are written.
std::string plain_text(Robot& robot, Diagnostics& diagnostics);

}  // namespace protobeam::urdf
