// What of a world is the same in every glTF of it: an animation's and a live page's.
#pragma once

#include <map>
#include <string>

#include "gltf/document.h"
#include "sim/scene/scene_description.h"
#include "sim/scene/scene_state.h"

namespace protobeam::web {

/// Where the file's origin is in the world: not the world's own where that lies far away, since
/// files have single precision.
Vec3 file_origin(const SceneDescription& description);

/// How the file's root is turned: its y is up.
Quat file_turn(const SceneDescription& description);

/// A lamp of the world as one of glTF, for a node in which the lamp's
/// own frame is turned by `R_NB`.
gltf::Light file_light(const Light& light, const Quat& R_NB = Quat::Identity());
/// Whether glTF can have it: those of devices change their colours.
bool is_still(const Light& light);

/// "#9fb8d0", of sRGB 0..1.
std::string css_color(const Eigen::Vector3f& color);

/// Of a group's outermost Solid; "object" where that has none.
std::string group_name(const SceneDescription& description, const SceneDescription::Group& group);

/// Names for nodes, each once: viewers find nodes by them, some without these characters.
class NodeNames {
 public:
  std::string unique(std::string name);

 private:
  std::map<std::string, int> counts_;
};

/// Of the page: the world's title, or its file's name.
std::string page_title(const SceneDescription& description);

}  // namespace protobeam::web
