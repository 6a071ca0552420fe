// A world as a page loads it, and what says afterwards how things move in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "web/scene_parts.h"
#include "web/sky_pictures.h"

namespace protobeam::web {

/// Made once for each SceneDescription.
struct WorldFile {
  /// What has a node of its own, "n<its index>": a group, or a body that lamps shine from.
  struct Item {
    int group = -1;                              ///< of SceneDescription::groups; -1: a body
    physics::BodyId body = physics::kWorldBody;  ///< that lamps shine from
  };
  /// A shape that a device colours.
  struct Lamp {
    std::size_t emitter;  ///< of SceneState::emissions
    std::size_t shape;
    std::shared_ptr<const Material> material;
  };

  int load = 0;  ///< of the description
  std::shared_ptr<const SceneDescription> description;
  std::string glb;
  std::shared_ptr<const SkyPictures> sky;  ///< null: one colour
  Vec3 origin = Vec3::Zero();  ///< of the file, in the world
  std::vector<Item> items;
  std::vector<int> shapes;  ///< the Solid of each shape, the node "s<its index>"; -1: none
  std::vector<std::size_t> first_shapes;  ///< by group, where in `shapes` its own begin
  std::vector<Lamp> lamps;
};

/// `state` is of the same load. `before`: a file of an earlier load, whose pictures of the sky are
/// taken where they are the same; may be null.
WorldFile make_world_file(std::shared_ptr<const SceneDescription> description,
                          const SceneState& state, const WorldFile* before = nullptr);

/// {"op": "world", ...}: what the page knows beside the file.
std::string world_message(const WorldFile& world);

}  // namespace protobeam::web
