// The state hash as it grows. For simulation*.cpp only.
#pragma once

#include <cstddef>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/state_archive.h"
#include "base/xxh3.h"
#include "sim/simulation.h"

namespace protobeam {

struct Simulation::Hasher {
  XXH3_state_t* state = XXH3_createState();
  Hasher() { restart(); }
  void restart() {
    // The library leaves its buffer as it is, which goes into saved states.
    std::memset(state, 0, sizeof *state);
    XXH3_64bits_reset(state);
  }
  ~Hasher() { XXH3_freeState(state); }
  void add(const void* data, std::size_t size) { XXH3_64bits_update(state, data, size); }
  /// So many samples of a step follow.
  void expect_samples(std::size_t count) {
    samples.assign(count, std::nullopt);
    next = 0;
  }
  /// They count by their numbers, in whatever order and on whatever threads they come: each as soon as those
  /// before it have counted, beside the devices that are still at work.
  void add_sample(std::size_t number, std::span<const std::byte> data) {
    std::unique_lock lock(mutex);
    samples[number] = data;
    if (busy) return;  // that thread goes on with it
    busy = true;
    while (next < samples.size() && samples[next]) {
      const auto one = *samples[next++];
      lock.unlock();
      add(one.data(), one.size());
      lock.lock();
    }
    busy = false;
  }
  void visit_state(StateArchive& archive) {
    // A pointer into the library: no two processes have the same.
    const auto* secret = state->extSecret;
    if (!archive.restores()) state->extSecret = nullptr;
    const XXH3_state_t before = *state;
    archive.raw(state, sizeof *state);
    state->extSecret = secret;
    // What the library reads from where, and how far.
    const bool same = state->nbStripesPerBlock == before.nbStripesPerBlock &&
                      state->secretLimit == before.secretLimit && state->seed == before.seed &&
                      state->useSeed == before.useSeed;
    const bool inside = state->bufferedSize <= sizeof state->buffer &&
                        state->nbStripesSoFar <= state->nbStripesPerBlock;
    if (same && inside) return;
    *state = before;
    archive.expect(false, "a broken hash");
  }

  std::mutex mutex;  ///< of what follows
  std::vector<std::optional<std::span<const std::byte>>> samples;  ///< of this step, those that are there
  std::size_t next = 0;
  bool busy = false;  ///< a thread is in add()
};

}  // namespace protobeam
