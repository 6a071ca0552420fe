#include "base/philox.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(PROTOBEAM_SANITIZED)
#include <immintrin.h>
#define PROTOBEAM_PHILOX_LANES
#endif

namespace protobeam {
namespace {

#ifdef PROTOBEAM_PHILOX_LANES

// Each word has a lane of 64 bits, of which only the lower 32 count: multiplications ignore the
// others. GCC makes three multiplications of one where it vectorises philox() itself, or packs and
// unpacks lanes in each round. Four vectors at a time, since each waits for its own multiplication.
#define PROTOBEAM_PHILOX_WORDS(TARGET, BYTES, MULTIPLY)                                            \
  __attribute__((target(TARGET))) void find_words(                                                 \
      const PhiloxCounter& counter, const std::uint32_t(&numbers)[kPhiloxNumbers],                 \
      std::size_t count, std::int32_t(&first)[kPhiloxNumbers],                                     \
      std::int32_t(&second)[kPhiloxNumbers]) {                                                     \
    using Lanes = std::uint64_t __attribute__((vector_size(BYTES)));                               \
    using Halves = std::uint32_t __attribute__((vector_size((BYTES) / 2), aligned(4), may_alias)); \
    constexpr std::size_t kLanes = (BYTES) / 8, kVectors = 4;                                      \
    static_assert(kPhiloxNumbers % (kLanes * kVectors) == 0);                                      \
    for (std::size_t begin = 0; begin < count; begin += kLanes * kVectors) {                       \
      Lanes c0[kVectors], c1[kVectors], c2[kVectors], c3[kVectors];                                \
      for (std::size_t v = 0; v < kVectors; ++v) {                                                 \
        const auto* from = reinterpret_cast<const Halves*>(numbers + begin + v * kLanes);          \
        c0[v] = __builtin_convertvector(*from, Lanes);                                             \
        c1[v] = Lanes{} + counter.c1, c2[v] = Lanes{} + counter.c2, c3[v] = Lanes{} + counter.c3;  \
      }                                                                                            \
      std::uint32_t k0 = counter.k0, k1 = counter.k1;                                              \
      for (int round = 0; round < 10; ++round) {                                                   \
        _Pragma("GCC unroll 4") for (std::size_t v = 0; v < kVectors; ++v) {                       \
          const auto p0 = MULTIPLY(c0[v], kPhiloxMultiplier0);                                     \
          const auto p1 = MULTIPLY(c2[v], kPhiloxMultiplier1);                                     \
          c0[v] = (p1 >> 32) ^ c1[v] ^ k0, c1[v] = p1;                                             \
          c2[v] = (p0 >> 32) ^ c3[v] ^ k1, c3[v] = p0;                                             \
        }                                                                                          \
        k0 += kPhiloxWeyl0, k1 += kPhiloxWeyl1;                                                    \
      }                                                                                            \
      for (std::size_t v = 0; v < kVectors; ++v) {                                                 \
        const std::size_t at = begin + v * kLanes;                                                 \
        *reinterpret_cast<Halves*>(first + at) = __builtin_convertvector(c0[v], Halves) >> 8;      \
        *reinterpret_cast<Halves*>(second + at) = __builtin_convertvector(c1[v], Halves) >> 8;     \
      }                                                                                            \
    }                                                                                              \
  }

#define PROTOBEAM_MULTIPLY_512(a, by) \
  (Lanes)(_mm512_maskz_mul_epu32(0xff, (__m512i)(a), _mm512_set1_epi64(static_cast<long long>(by))))
#define PROTOBEAM_MULTIPLY_256(a, by) \
  (Lanes)(_mm256_mul_epu32((__m256i)(a), _mm256_set1_epi64x(static_cast<long long>(by))))
#define PROTOBEAM_MULTIPLY_128(a, by) \
  (Lanes)(_mm_mul_epu32((__m128i)(a), _mm_set1_epi64x(static_cast<long long>(by))))

PROTOBEAM_PHILOX_WORDS("arch=x86-64-v4", 64, PROTOBEAM_MULTIPLY_512)
PROTOBEAM_PHILOX_WORDS("arch=x86-64-v3", 32, PROTOBEAM_MULTIPLY_256)
PROTOBEAM_PHILOX_WORDS("default", 16, PROTOBEAM_MULTIPLY_128)

#else

void find_words(const PhiloxCounter& counter, const std::uint32_t (&numbers)[kPhiloxNumbers],
                std::size_t count, std::int32_t (&first)[kPhiloxNumbers],
                std::int32_t (&second)[kPhiloxNumbers]) {
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t word[4] = {numbers[i], counter.c1, counter.c2, counter.c3};
    philox(word, counter.k0, counter.k1);
    first[i] = static_cast<std::int32_t>(word[0] >> 8),
    second[i] = static_cast<std::int32_t>(word[1] >> 8);
  }
}

#endif

}  // namespace

// A function with versions is chosen well only where all of them are seen.
void philox_words(const PhiloxCounter& counter, const std::uint32_t (&numbers)[kPhiloxNumbers],
                  std::size_t count, std::int32_t (&first)[kPhiloxNumbers],
                  std::int32_t (&second)[kPhiloxNumbers]) {
  find_words(counter, numbers, count, first, second);
}

}  // namespace protobeam
