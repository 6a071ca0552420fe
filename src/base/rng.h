// Counter-based random numbers: each value is a pure function of its key, so that results do not
// depend on threads, order or how many other devices there are.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace protobeam {

/// Philox4x32-10: J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// What a random number of a device depends on.
struct NoiseKey {
  std::uint64_t seed = 0;    ///< WorldInfo.randomSeed or --seed
  std::uint32_t device = 0;  ///< hash of robot and device name: stable when others come and go
  std::uint32_t stream = 0;  ///< what the number is for (range noise 0, drop-out 1, ...)
  std::uint64_t frame = 0;   ///< sample number of the device
};

/// Standard normal value number `index` of the key's sequence. |value| < 6.7.
/// Pairs (2k, 2k+1) are the two Box-Muller values of one Philox block's words 0 and 1.
float gaussian(const NoiseKey& key, std::uint64_t index);
/// Uniform in [0, 1), 24 bits.
float uniform(const NoiseKey& key, std::uint64_t index);
/// Four of them: uniform(key, 4 block + i).
std::array<float, 4> uniforms(const NoiseKey& key, std::uint32_t block);
/// {gaussian(key, 2 pair), gaussian(key, 2 pair + 1)}.
std::array<float, 2> gaussian_pair(const NoiseKey& key, std::uint32_t pair);
/// out[i] = gaussian(key, first + i), bit for bit; vectorised. `first` may be any number.
void fill_gaussian(const NoiseKey& key, std::uint64_t first, std::span<float> out);
/// even[i] = gaussian(key, 2 pairs[i]), odd[i] = gaussian(key, 2 pairs[i] + 1), bit for bit;
/// vectorised, for numbers that are not consecutive.
void fill_gaussian_pairs(const NoiseKey& key, std::span<const std::uint32_t> pairs, float* even,
                         float* odd);

/// 32-bit FNV-1a, for NoiseKey::device.
constexpr std::uint32_t hash32(const char* text, std::size_t length, std::uint32_t h = 2166136261u) {
  for (std::size_t i = 0; i < length; ++i) {
    h = (h ^ static_cast<unsigned char>(text[i])) * 16777619u;
  }
  return h;
}

}  // namespace protobeam
