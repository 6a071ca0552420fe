// A device of a world by its path, for tests that cannot go on without it.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string_view>

#include "sim/simulation.h"

namespace protobeam {

/// Throws when there is none: as where the plugin of its type has not been built.
inline Device& device_named(Simulation& simulation, std::string_view path) {
  if (Device* found = simulation.find_device(path)) return *found;
  throw std::runtime_error(
      fmt::format("no device '{}' in this world, which has [{}]: is the plugin of its type built?",
                  path, fmt::join(simulation.device_paths(), ", ")));
}

}  // namespace protobeam
