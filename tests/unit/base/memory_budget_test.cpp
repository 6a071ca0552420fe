#include "base/memory_budget.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

namespace protobeam {
namespace {

/// Whatever the test leaves of it.
class MemoryBudget : public testing::Test {
 protected:
  ~MemoryBudget() override { set_memory_budget(default_memory_budget()); }
};

TEST_F(MemoryBudget, HasAgainWhatIsGivenBack) {
  set_memory_budget(100);
  take_memory(60, "a");
  EXPECT_THROW(take_memory(60, "b"), std::runtime_error);
  give_memory_back(60);
  take_memory(60, "b");
  // No more than there was: of a budget that was set since then nothing had been taken.
  set_memory_budget(100);
  give_memory_back(60);
  EXPECT_THROW(take_memory(101, "c"), std::runtime_error);
}

#ifndef PROTOBEAM_SANITIZED  // the sanitizers have heaps of their own
double resident_megabytes() {
  std::ifstream in("/proc/self/statm");
  double size = 0, resident = 0;
  in >> size >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

TEST_F(MemoryBudget, TheSystemGetsWhatIsFreeBelowWhatIsNot) {
  std::vector<std::unique_ptr<std::vector<char>>> pieces;
  for (int i = 0; i < 64 * 1024; ++i)
    pieces.push_back(std::make_unique<std::vector<char>>(1024, 'x'));
  pieces.erase(pieces.begin(), pieces.end() - 1);
  const double before = resident_megabytes();
  return_free_memory();
  EXPECT_LT(resident_megabytes(), before - 50);
}
#endif

}  // namespace
}  // namespace protobeam
