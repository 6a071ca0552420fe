// Tags and attributes that a URDF does not have: slips, and extensions of other programs.
#pragma once

#include "urdf/import.h"

namespace protobeam::urdf {

/// Notes in import.ignored what of <robot>, its links, joints and materials has no meaning. What is
/// in <gazebo>, <ros2_control> and <transmission> is not looked at.
void note_unknown(Import& import);

}  // namespace protobeam::urdf
