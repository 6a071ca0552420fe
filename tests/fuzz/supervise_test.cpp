// Supervisors that ask and change things at random leave a world that is whole and can be reset.
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "tests/fuzz/supervise_bytes.h"

namespace protobeam {
namespace {

// PROTOBEAM_SUPERVISOR_SEEDS: how many programs.
TEST(SupervisorFuzz, RandomRequestsDoNoHarm) {
  const char* wanted = std::getenv("PROTOBEAM_SUPERVISOR_SEEDS");
  const int seeds = wanted ? std::atoi(wanted) : 60;
  for (int seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    std::vector<std::uint8_t> bytes(600);
    std::uint64_t state = static_cast<std::uint64_t>(seed) + 1;
    for (std::uint8_t& byte : bytes) {  // Knuth's MMIX generator
      state = state * 6364136223846793005u + 1442695040888963407u;
      byte = static_cast<std::uint8_t>(state >> 56);
    }
    supervise_bytes(bytes.data(), bytes.size());
  }
}

}  // namespace
}  // namespace protobeam
