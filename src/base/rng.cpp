#include "base/rng.h"

#include <algorithm>
#include <cmath>

#include "base/clones.h"
#include "base/fast_math.h"

namespace protobeam {

namespace {

struct Counter {
  explicit Counter(const NoiseKey& key)
      : c1(static_cast<std::uint32_t>(key.frame)),
        c2(static_cast<std::uint32_t>(key.frame >> 32) ^ (key.stream << 16)),
        c3(key.device),
        k0(static_cast<std::uint32_t>(key.seed)),
        k1(static_cast<std::uint32_t>(key.seed >> 32)) {}

  std::uint32_t c1, c2, c3, k0, k1;
};

/// Counter in, random words out; a loop over it is vectorised.
PROTOBEAM_INLINE void philox(std::uint32_t (&c)[4], std::uint32_t k0, std::uint32_t k1) {
#pragma GCC unroll 10
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c[2];
    c[0] = static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0;
    c[1] = static_cast<std::uint32_t>(p1);
    c[2] = static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1;
    c[3] = static_cast<std::uint32_t>(p0);
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
}

/// Cosine and sine of 2 pi n / 2^24, 0 <= n < 2^24. The quadrant is taken off in integers, exactly;
/// the polynomials are those of Cephes' sinf and cosf.
PROTOBEAM_INLINE void cos_sin(std::int32_t n, float& cosine, float& sine) {
  const std::int32_t quadrant = (n + (1 << 21)) >> 22;
  const float x =
      static_cast<float>(n - quadrant * (1 << 22)) * (6.28318530717958647692f * 0x1p-24f);
  const float z = x * x;
  const float s = ((-1.9515295891e-4f * z + 8.3321608736e-3f) * z - 1.6666654611e-1f) * z * x + x;
  const float c =
      ((2.443315711809948e-5f * z - 1.388731625493765e-3f) * z + 4.166664568298827e-2f) * z * z -
      0.5f * z + 1.0f;
  const bool odd = (quadrant & 1) != 0;
  const float turned_c = odd ? s : c, turned_s = odd ? c : s;
  cosine = ((quadrant + 1) & 2) != 0 ? -turned_c : turned_c;
  sine = (quadrant & 2) != 0 ? -turned_s : turned_s;
}

/// The two normal values of block `number`: G. Box, M. Muller, Ann. Math. Stat. 29 (1958).
PROTOBEAM_INLINE void gaussian_pair(std::uint32_t number, const Counter& counter, float& even,
                                    float& odd) {
  std::uint32_t word[4] = {number, counter.c1, counter.c2, counter.c3};
  philox(word, counter.k0, counter.k1);
  const float u = (static_cast<float>(static_cast<std::int32_t>(word[0] >> 8)) + 0.5f) * 0x1p-24f;
  const float radius = std::sqrt(-2.0f * log_f(u));
  float cosine, sine;
  cos_sin(static_cast<std::int32_t>(word[1] >> 8), cosine, sine);
  even = radius * cosine;
  odd = radius * sine;
}

constexpr std::size_t kPairs = 64;

/// Pairs first .. first + kPairs - 1, one after the other.
PROTOBEAM_CLONES void fill_pairs(const Counter& counter, std::uint32_t first, float* out) {
  float even[kPairs], odd[kPairs];
  for (std::size_t i = 0; i < kPairs; ++i) {
    gaussian_pair(first + static_cast<std::uint32_t>(i), counter, even[i], odd[i]);
  }
  for (std::size_t i = 0; i < kPairs; ++i) {
    out[2 * i] = even[i];
    out[2 * i + 1] = odd[i];
  }
}

/// Pairs of any numbers.
PROTOBEAM_CLONES void fill_pairs_of(const Counter& counter, const std::uint32_t* numbers,
                                    std::size_t n, float* even, float* odd) {
  for (std::size_t i = 0; i < n; ++i) gaussian_pair(numbers[i], counter, even[i], odd[i]);
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  std::uint32_t word[4] = {counter[0], counter[1], counter[2], counter[3]};
  philox(word, key[0], key[1]);
  return {word[0], word[1], word[2], word[3]};
}

float gaussian(const NoiseKey& key, std::uint64_t index) {
  float even, odd;
  gaussian_pair(static_cast<std::uint32_t>(index / 2), Counter(key), even, odd);
  return index % 2 == 0 ? even : odd;
}

std::array<float, 2> gaussian_pair(const NoiseKey& key, std::uint32_t pair) {
  std::array<float, 2> out;
  gaussian_pair(pair, Counter(key), out[0], out[1]);
  return out;
}

float uniform(const NoiseKey& key, std::uint64_t index) {
  const Counter counter(key);
  std::uint32_t word[4] = {static_cast<std::uint32_t>(index / 4), counter.c1, counter.c2,
                           counter.c3};
  philox(word, counter.k0, counter.k1);
  return static_cast<float>(word[index % 4] >> 8) * 0x1p-24f;
}

std::array<float, 4> uniforms(const NoiseKey& key, std::uint32_t block) {
  const Counter counter(key);
  std::uint32_t word[4] = {block, counter.c1, counter.c2, counter.c3};
  philox(word, counter.k0, counter.k1);
  std::array<float, 4> out;
  for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(word[i] >> 8) * 0x1p-24f;
  return out;
}

void fill_gaussian_pairs(const NoiseKey& key, std::span<const std::uint32_t> pairs, float* even,
                         float* odd) {
  fill_pairs_of(Counter(key), pairs.data(), pairs.size(), even, odd);
}

void fill_gaussian(const NoiseKey& key, std::uint64_t first, std::span<float> out) {
  const Counter counter(key);
  std::uint64_t pair = first / 2;
  std::size_t skip = first % 2;
  float values[2 * kPairs];
  while (!out.empty()) {
    const std::size_t count = std::min(out.size(), 2 * kPairs - skip);
    if (count == 2 * kPairs) {
      fill_pairs(counter, static_cast<std::uint32_t>(pair), out.data());
    } else {
      fill_pairs(counter, static_cast<std::uint32_t>(pair), values);
      std::copy_n(values + skip, count, out.data());
    }
    out = out.subspan(count);
    pair += kPairs;
    skip = 0;
  }
}

}  // namespace protobeam
