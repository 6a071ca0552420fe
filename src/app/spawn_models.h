// Models that other programs bring into a running world: robots in URDF, models in SDF, PROTOs.
#pragma once

#include "app/world_files.h"
#include "publish/control_host.h"

namespace protobeam {

/// Reads a file by its path (relative: from the world's folder), file://, package:// or model://,
/// or the text of a URDF or SDF, in which files are named from there. Mistakes are told with their
/// places.
SpawnModel read_spawn_model(const message::simulation::Resource& resource, Simulation& simulation,
                            const WorldFileOptions& options, bool lenient);

}  // namespace protobeam
