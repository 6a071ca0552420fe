// What programs may bring into a running world, as the service GetSpawnables lists it.
#pragma once

#include <string>
#include <vector>

#include "app/named_sources.h"
#include "message/simulation_entity_services.h"
#include "sim/simulation.h"

namespace protobeam {

/// PROTOs of Solids and robots by their names: those that the world declares, those of its project,
/// of `proto_path` and of the catalogue; models in URDF and SDF beside the world. Of additional
/// sources, all of these below a folder, by their paths.
message::simulation::GetSpawnables::Response list_spawnables(
    const message::simulation::GetSpawnables::Request& asked, const Simulation& simulation,
    NamedSources& sources, const std::vector<std::string>& proto_path);

}  // namespace protobeam
