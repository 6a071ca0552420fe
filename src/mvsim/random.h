// rand(), randn() and unifrnd() of a world: a pure function of the world's seed and of how many
// were drawn before, so that runs repeat.
#pragma once

#include <cstdint>

#include "base/rng.h"

namespace protobeam::mvsim {

class RandomSource {
 public:
  /// Different `stream`s do not influence each other.
  RandomSource(std::uint64_t seed, std::uint64_t stream)
      : key_{seed, hash32("mvsim", 5), 0, stream << 32} {}

  double uniform() { return protobeam::uniform(with_stream(0), index_++); }    ///< in [0, 1)
  double gaussian() { return protobeam::gaussian(with_stream(1), index_++); }  ///< mean 0, sigma 1
  /// Begins a sequence of its own for each (world seed, number).
  void randomize(std::uint32_t number) {
    key_.frame = (key_.frame >> 32 << 32) + number + 1;
    index_ = 0;
  }

 private:
  NoiseKey with_stream(std::uint32_t stream) const {
    NoiseKey key = key_;
    key.stream = stream;
    return key;
  }

  NoiseKey key_;
  std::uint64_t index_ = 0;
};

}  // namespace protobeam::mvsim
