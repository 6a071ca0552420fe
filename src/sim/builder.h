// From the checked tree to bodies, visible shapes, robots and devices.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/diagnostics.h"
#include "sim/model.h"
#include "sim/plugins.h"
#include "sim/shapes.h"
#include "wbt/load.h"

namespace protobeam {

struct BuildOptions {
  int threads = 0;                    ///< of the ray scene; 0: one a core
  bool bullet_rays = false;           ///< the slow reference engine
  bool beam_caster = true;            ///< off: Embree traces all rays
  std::optional<std::uint64_t> seed;  ///< instead of WorldInfo.randomSeed
};

/// Builds the world. Mistakes that only show now (a mesh that is missing, fields that contradict
/// each other) go to the diagnostics; with errors the model must not be used.
WorldModel build_world(const wbt::LoadedWorld& world, const SchemaRegistry& schemas,
                       PluginLoader& plugins, const BuildOptions& options, ShapeFactory& shapes,
                       Diagnostics& diagnostics);

/// What is to come into a world that runs.
struct Addition {
  const wbt::Node* node = nullptr;  ///< of the tree, which keeps it
  Pose X_WP;                        ///< of its parent
  Vec3 scale = Vec3::Ones();        ///< of its parent
  double old_body_scale = 1;        ///< of wbt::Node, from the world to its parent
  bool without_solids = false;      ///< topmost Solids in it are there already
  std::vector<const wbt::Node*> links;  ///< DistanceJoints and RevoluteJoints to make again
  std::map<const wbt::Node*, int> robot_numbers;  ///< that they get, if these are free
  /// When it is made anew: with devices whose samples are as large as before, or not at all.
  bool same_samples = false;
};

/// Builds it and all that is in it. False with errors, and the model is as it was.
bool add_to_world(WorldModel& model, const wbt::LoadedWorld& world, const Addition& what,
                  const SchemaRegistry& schemas, PluginLoader& plugins, const BuildOptions& options,
                  ShapeFactory& shapes, Diagnostics& diagnostics);

/// Makes the shapes of a group anew, out of the tree as it is now. False with errors.
bool look_again(WorldModel& model, VisualGroup& group, const SchemaRegistry& schemas,
                PluginLoader& plugins, const BuildOptions& options, ShapeFactory& shapes,
                Diagnostics& diagnostics);

/// Reads a Background, Fog or Atmosphere, or the contactProperties of a WorldInfo, again.
void read_again(WorldModel& model, const wbt::Node& node, const SchemaRegistry& schemas,
                PluginLoader& plugins, const BuildOptions& options, ShapeFactory& shapes,
                Diagnostics& diagnostics);

/// Takes out what came of a unit (see WorldModel), in time and memory of what it is.
void remove_from_world(WorldModel& model, const wbt::Node& unit);

/// The light that the node is, in that frame of a body.
Light light_from(const wbt::NodeView& node, physics::BodyId body, const Pose& X_BF,
                 const Vec3& scale);
/// The sun of sensors that see daylight: the first DirectionalLight.
std::optional<Sun> sun_of(const std::vector<Light>& lights);

}  // namespace protobeam
