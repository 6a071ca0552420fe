// The state hash as it grows. For simulation*.cpp only.
#pragma once

#include <cstddef>

#include "base/state_archive.h"
#include "base/xxh3.h"
#include "sim/simulation.h"

namespace protobeam {

struct Simulation::Hasher {
  XXH3_state_t* state = XXH3_createState();
  Hasher() { XXH3_64bits_reset(state); }
  void restart() { XXH3_64bits_reset(state); }
  ~Hasher() { XXH3_freeState(state); }
  void add(const void* data, std::size_t size) { XXH3_64bits_update(state, data, size); }
  void visit_state(StateArchive& archive) {
    // A pointer into the library: no two processes have the same.
    const auto* secret = state->extSecret;
    if (!archive.restores()) state->extSecret = nullptr;
    archive.raw(state, sizeof *state);
    state->extSecret = secret;
  }
};

}  // namespace protobeam
