#include "base/rng.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/clones.h"
#include "base/fast_math.h"
#include "base/philox.h"

namespace protobeam {

namespace {

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

/// The two normal values of a block's words: G. Box, M. Muller, Ann. Math. Stat. 29 (1958). Words
/// have 24 bits.
PROTOBEAM_INLINE void normal_pair(std::int32_t first, std::int32_t second, float& even,
                                  float& odd) {
  const float u = (static_cast<float>(first) + 0.5f) * 0x1p-24f;
  const float radius = std::sqrt(-2.0f * log_f(u));
  float cosine, sine;
  cos_sin(second, cosine, sine);
  even = radius * cosine;
  odd = radius * sine;
}

PROTOBEAM_CLONES void find_normals(const std::int32_t* first, const std::int32_t* second,
                                   std::size_t n, float* __restrict even, float* __restrict odd) {
  for (std::size_t i = 0; i < n; ++i) normal_pair(first[i], second[i], even[i], odd[i]);
}

/// One after the other.
PROTOBEAM_CLONES void put_pairs(const float* even, const float* odd, float* __restrict out) {
  for (std::size_t i = 0; i < kPhiloxNumbers; ++i) {
    out[2 * i] = even[i];
    out[2 * i + 1] = odd[i];
  }
}

std::array<float, 2> pair_of(const PhiloxCounter& counter, std::uint32_t number) {
  std::uint32_t word[4] = {number, counter.c1, counter.c2, counter.c3};
  philox(word, counter.k0, counter.k1);
  std::array<float, 2> out;
  normal_pair(static_cast<std::int32_t>(word[0] >> 8), static_cast<std::int32_t>(word[1] >> 8),
              out[0], out[1]);
  return out;
}

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key) {
  std::uint32_t word[4] = {counter[0], counter[1], counter[2], counter[3]};
  philox(word, key[0], key[1]);
  return {word[0], word[1], word[2], word[3]};
}

float gaussian(const NoiseKey& key, std::uint64_t index) {
  return pair_of(PhiloxCounter(key), static_cast<std::uint32_t>(index / 2))[index % 2];
}

std::array<float, 2> gaussian_pair(const NoiseKey& key, std::uint32_t pair) {
  return pair_of(PhiloxCounter(key), pair);
}

float uniform(const NoiseKey& key, std::uint64_t index) {
  const PhiloxCounter counter(key);
  std::uint32_t word[4] = {static_cast<std::uint32_t>(index / 4), counter.c1, counter.c2,
                           counter.c3};
  philox(word, counter.k0, counter.k1);
  return static_cast<float>(word[index % 4] >> 8) * 0x1p-24f;
}

std::array<float, 4> uniforms(const NoiseKey& key, std::uint32_t block) {
  const PhiloxCounter counter(key);
  std::uint32_t word[4] = {block, counter.c1, counter.c2, counter.c3};
  philox(word, counter.k0, counter.k1);
  std::array<float, 4> out;
  for (int i = 0; i < 4; ++i) out[i] = static_cast<float>(word[i] >> 8) * 0x1p-24f;
  return out;
}

void fill_gaussian_pairs(const NoiseKey& key, std::span<const std::uint32_t> pairs, float* even,
                         float* odd) {
  const PhiloxCounter counter(key);
  std::uint32_t numbers[kPhiloxNumbers] = {};
  std::int32_t first[kPhiloxNumbers], second[kPhiloxNumbers];
  for (std::size_t begin = 0; begin < pairs.size(); begin += kPhiloxNumbers) {
    const std::size_t n = std::min(kPhiloxNumbers, pairs.size() - begin);
    std::copy_n(pairs.data() + begin, n, numbers);
    philox_words(counter, numbers, n, first, second);
    find_normals(first, second, n, even + begin, odd + begin);
  }
}

void fill_gaussian(const NoiseKey& key, std::uint64_t first, std::span<float> out) {
  const PhiloxCounter counter(key);
  std::uint32_t numbers[kPhiloxNumbers];
  std::iota(numbers, numbers + kPhiloxNumbers, static_cast<std::uint32_t>(first / 2));
  std::size_t skip = first % 2;
  std::int32_t words[2][kPhiloxNumbers];
  float even[kPhiloxNumbers], odd[kPhiloxNumbers], values[2 * kPhiloxNumbers];
  while (!out.empty()) {
    philox_words(counter, numbers, kPhiloxNumbers, words[0], words[1]);
    find_normals(words[0], words[1], kPhiloxNumbers, even, odd);
    const std::size_t count = std::min(out.size(), 2 * kPhiloxNumbers - skip);
    const bool whole = count == 2 * kPhiloxNumbers;
    put_pairs(even, odd, whole ? out.data() : values);
    if (!whole) std::copy_n(values + skip, count, out.data());
    out = out.subspan(count);
    for (std::uint32_t& number : numbers) number += kPhiloxNumbers;
    skip = 0;
  }
}

}  // namespace protobeam
