#include "base/shared_store.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <atomic>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/shared_vector.h"
#include "base/zeroed_bytes.h"

namespace protobeam {
namespace {

TEST(SharedStore, ThingsGoWithTheirLastUser) {
  SharedStore<std::string, const int> store;
  int made = 0;
  const auto make = [&] { return std::make_shared<const int>(++made); };
  auto first = store.get("a", make), second = store.get("a", make);
  const auto other = store.get("b", make);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, other);
  EXPECT_EQ(store.size(), 2u);
  first.reset();
  EXPECT_EQ(*store.get("a", make), 1);
  second.reset();
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(*store.get("a", make), 3);
}

TEST(SharedStore, ThreadsThatAskAtOnceGetTheSame) {
  for (int round = 0; round < 50; ++round) {
    SharedStore<int, const int> store;
    std::vector<std::shared_ptr<const int>> got(4);
    std::atomic<int> waiting{4};
    std::vector<std::thread> threads;
    for (auto& mine : got) {
      threads.emplace_back([&] {
        for (--waiting; waiting > 0;) std::this_thread::yield();
        mine = store.get(7, [] { return std::make_shared<const int>(7); });
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::set(got.begin(), got.end()).size(), 1u);
  }
}

TEST(SharedStore, AForkedProcessMakesItsOwn) {
  SharedStore<int, const int> store;
  const auto mine = store.get(1, [] { return std::make_shared<const int>(1); });
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(*store.get(1, [] { return std::make_shared<const int>(2); }));
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(SharedVector, HasItsMemoryInCommonWithThoseOfTheSameBits) {
  const SharedVector<float> first({1, 2, 0}), second({1, 2, 0}), other({1, 2, -0.0f});
  EXPECT_EQ(first.data(), second.data());
  EXPECT_NE(first.data(), other.data());
  EXPECT_EQ(second.size(), 3u);
  EXPECT_EQ(second[1], 2);
  EXPECT_TRUE(SharedVector<float>().empty());
}

TEST(ZeroedBytes, AreZero) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{100}, std::size_t{1} << 22}) {
    const ZeroedBytes bytes(size);
    EXPECT_EQ(bytes.size(), size);
    for (const std::byte b : bytes) ASSERT_EQ(b, std::byte{0});
  }
}

}  // namespace
}  // namespace protobeam
