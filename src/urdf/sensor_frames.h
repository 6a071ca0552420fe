// In which frames of ROS the data of sensors are.
#pragma once

#include <string>
#include <vector>

#include "urdf/import.h"

namespace protobeam::urdf {

/// The frame that the text names for the data of a sensor on `link`: that of a link in which they
/// are, or one that no link has, which becomes a Solid among `nodes`, the children of the link.
/// "": they have that of the device, with a warning when the text names another.
std::string frame_of_data(Import& import, const Link& link, const Element& sensor,
                          const std::string& device, const Pose& X_LD,
                          std::vector<wbt::NodePtr>& nodes);

}  // namespace protobeam::urdf
