// What `run` says at its end.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/collision_log.h"
#include "sim/simulation.h"

namespace protobeam {

class Publisher;

/// `wall`: s on the clock. Keys are described in docs/outputs.md.
nlohmann::json summary_json(Simulation& simulation, const CollisionLog& collisions, double wall);
nlohmann::json outputs_json(const Publisher& publisher);
/// Devices, controllers, collisions and speed, for people.
void print_summary(Simulation& simulation, const CollisionLog& collisions, double wall);

}  // namespace protobeam
