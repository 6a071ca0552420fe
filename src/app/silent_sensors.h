// Why outputs have nothing of a sensor: nobody has switched it on.
#pragma once

#include <string>

#include "publish/publisher.h"

namespace protobeam {

/// The sensors that outputs wanted and that have taken no sample, and how one enables them; "": none. A
/// recording without the data of a sensor looks as good as one with them.
std::string silent_sensors(const Simulation& simulation, const StreamTable& table);

/// Why the tables of --log have no samples; "": they have some.
std::string why_log_is_empty(const StreamTable& table);

}  // namespace protobeam
