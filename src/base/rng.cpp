#include "base/rng.h"

#include <cmath>

namespace protobeam {

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> c,
                                        std::array<std::uint32_t, 2> k) {
  constexpr std::uint32_t kM0 = 0xD2511F53u, kM1 = 0xCD9E8D57u;
  constexpr std::uint32_t kW0 = 0x9E3779B9u, kW1 = 0xBB67AE85u;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{kM0} * c[0], p1 = std::uint64_t{kM1} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
    k[0] += kW0;
    k[1] += kW1;
  }
  return c;
}

namespace {

std::array<std::uint32_t, 4> block(const NoiseKey& key, std::uint64_t number) {
  return philox4x32({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(key.frame),
                     static_cast<std::uint32_t>(key.frame >> 32) ^ (key.stream << 16), key.device},
                    {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)});
}

}  // namespace

float gaussian(const NoiseKey& key, std::uint64_t index) {
  const auto words = block(key, index / 2);
  const float u1 = (static_cast<float>(words[0] >> 8) + 0.5f) * 0x1p-24f;
  const float u2 = static_cast<float>(words[1] >> 8) * 0x1p-24f;
  const float radius = std::sqrt(-2.0f * std::log(u1));
  const float angle = 6.28318530717958647692f * u2;
  return radius * (index % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

float uniform(const NoiseKey& key, std::uint64_t index) {
  return static_cast<float>(block(key, index / 4)[index % 4] >> 8) * 0x1p-24f;
}

void fill_gaussian(const NoiseKey& key, std::uint64_t first, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = gaussian(key, first + i);
}

}  // namespace protobeam
