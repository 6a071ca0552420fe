// Materials that a <script> names in files of OGRE, as worlds of Gazebo Classic have them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sdf/context.h"

namespace protobeam::sdf {

/// What the first pass of a material says.
struct ScriptLook {
  std::optional<Vec3> diffuse, ambient, emissive;
  double alpha = 1;
  std::string texture;        ///< name of a picture; "": none
  Vec2 scale = Vec2::Ones();  ///< of the picture, in its own size
};

/// The material of that name in the text of a .material file.
std::optional<ScriptLook> look_in(std::string_view text, std::string_view name);

/// The material that a <script> names, in the .material files and folders of its <uri>s, and the
/// picture's address among them; nothing when it is in none of them.
std::optional<ScriptLook> look_of(Context& context, const Element& script);

}  // namespace protobeam::sdf
