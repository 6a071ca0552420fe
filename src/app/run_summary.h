// What `run` says at its end.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "publish/publisher.h"
#include "sim/simulation.h"

namespace protobeam {

/// For --json; `wall` is the time that the run took, s.
nlohmann::json summary_json(const Simulation& simulation, double wall);
nlohmann::json outputs_json(const Publisher& publisher);
void print_summary(const Simulation& simulation, double wall);

}  // namespace protobeam
