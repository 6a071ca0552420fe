// From the checked tree to bodies, visible shapes, robots and devices.
#pragma once

#include <optional>

#include "base/diagnostics.h"
#include "sim/model.h"
#include "sim/plugins.h"
#include "wbt/load.h"

namespace protobeam {

struct BuildOptions {
  int threads = 0;                    ///< of the ray scene; 0: one a core
  bool bullet_rays = false;           ///< reference engine instead of Embree
  std::optional<std::uint64_t> seed;  ///< instead of WorldInfo.randomSeed
};

/// Builds the world. Mistakes that only show now (a mesh that is missing, fields that contradict
/// each other) go to the diagnostics; with errors the model must not be used.
WorldModel build_world(const wbt::LoadedWorld& world, const SchemaRegistry& schemas,
                       PluginLoader& plugins, const BuildOptions& options,
                       Diagnostics& diagnostics);

/// Adds a Solid and what stands in it to a world that runs: no Robot, no light, nothing that moves by
/// itself. Its index in `solids`; -1 with errors, and the model is as it was.
int add_to_world(WorldModel& model, const wbt::LoadedWorld& world, const wbt::Node& solid,
                 const SchemaRegistry& schemas, PluginLoader& plugins, const BuildOptions& options,
                 Diagnostics& diagnostics);

}  // namespace protobeam
