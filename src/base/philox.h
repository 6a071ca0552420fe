// Philox4x32-10: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clones.h"
#include "base/rng.h"

namespace protobeam {

/// The counter but for its first word, and the key.
struct PhiloxCounter {
  explicit PhiloxCounter(const NoiseKey& key)
      : c1(static_cast<std::uint32_t>(key.frame)),
        c2(static_cast<std::uint32_t>(key.frame >> 32) ^ (key.stream << 16)),
        c3(key.device),
        k0(static_cast<std::uint32_t>(key.seed)),
        k1(static_cast<std::uint32_t>(key.seed >> 32)) {}

  std::uint32_t c1, c2, c3, k0, k1;
};

inline constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53u, kPhiloxMultiplier1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxWeyl0 = 0x9E3779B9u, kPhiloxWeyl1 = 0xBB67AE85u;

/// Counter in, random words out.
PROTOBEAM_INLINE void philox(std::uint32_t (&c)[4], std::uint32_t k0, std::uint32_t k1) {
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{kPhiloxMultiplier0} * c[0];
    const std::uint64_t p1 = std::uint64_t{kPhiloxMultiplier1} * c[2];
    c[0] = static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0;
    c[1] = static_cast<std::uint32_t>(p1);
    c[2] = static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1;
    c[3] = static_cast<std::uint32_t>(p0);
    k0 += kPhiloxWeyl0;
    k1 += kPhiloxWeyl1;
  }
}

/// How many numbers philox_words() takes at once: so many can be read and written.
inline constexpr std::size_t kPhiloxNumbers = 64;

/// The first two words of the blocks that begin with numbers[0 .. count), without their lowest 8
/// bits: 24 bits each. Behind `count` the arrays hold anything.
void philox_words(const PhiloxCounter& counter, const std::uint32_t (&numbers)[kPhiloxNumbers],
                  std::size_t count, std::int32_t (&first)[kPhiloxNumbers],
                  std::int32_t (&second)[kPhiloxNumbers]);

}  // namespace protobeam
