// How surfaces look that Gazebo's own scripts of materials describe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/math.h"
#include "xml/element.h"

namespace protobeam::urdf {

struct GazeboLook {
  Vec3 colour = Vec3::Zero();  ///< diffuse
  double transparency = 0;
  bool glows = false;  ///< in its colour
};

/// Of a script by its name, "Gazebo/Orange"; nothing for one that Gazebo does not have.
std::optional<GazeboLook> gazebo_look(std::string_view script);

/// The script that a <material> of <gazebo> names, in its text or as in SDF; or "".
std::string gazebo_script(const xml::Element& material);

/// "did you mean 'Gazebo/Grey'?" or "".
std::string near_gazebo_look(const std::string& script);

}  // namespace protobeam::urdf
