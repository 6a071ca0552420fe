// Supervisors that ask and change things at random leave a world that is whole and can be reset.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/supervise_bytes.h"
#include "tests/unit/support/paths.h"

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

TEST(SupervisorFuzz, WhatWasFoundOnceDoesNoHarm) {
  const std::string corpus = source_dir() + "/tests/fuzz/corpus/supervisor";
  for (const auto& file : std::filesystem::directory_iterator(corpus)) {
    SCOPED_TRACE(file.path());
    std::ifstream in(file.path(), std::ios::binary);
    const std::vector<char> bytes(std::istreambuf_iterator<char>(in), {});
    supervise_bytes(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
}

}  // namespace
}  // namespace protobeam
