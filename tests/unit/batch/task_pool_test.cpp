#include "batch/task_pool.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <stdexcept>

namespace protobeam {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::size_t> first(std::size_t count) {
  std::vector<std::size_t> items(count);
  std::iota(items.begin(), items.end(), std::size_t{0});
  return items;
}

class TaskPoolTest : public testing::TestWithParam<int> {
 protected:
  TaskPool pool_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Threads, TaskPoolTest, testing::Values(1, 2, 5));

TEST_P(TaskPoolTest, each_item_is_worked_on_once_and_all_are_waited_for) {
  std::vector<std::atomic<int>> done(200);
  for (int turn = 1; turn <= 50; ++turn) {
    pool_.each(first(done.size()), [&](std::size_t i) { ++done[i]; });
    for (const auto& times : done) ASSERT_EQ(times, turn);
  }
  pool_.each({}, [](std::size_t) { FAIL(); });
}

TEST_P(TaskPoolTest, an_exception_comes_out_after_all_the_others_are_done) {
  std::atomic<int> done = 0;
  const auto work = [&](std::size_t i) {
    if (i == 3) throw std::runtime_error("three");
    ++done;
  };
  EXPECT_THROW(pool_.each(first(20), work), std::runtime_error);
  EXPECT_EQ(done, 19);
  pool_.each(first(2), work);  // and does not come again
  EXPECT_EQ(done, 21);
  pool_.send(first(5), work);
  EXPECT_THROW(pool_.take_done(5), std::runtime_error);
  EXPECT_THAT(pool_.take_done(5), IsEmpty());
}

TEST_P(TaskPoolTest, what_is_sent_comes_back_once) {
  std::set<std::size_t> left{0, 1, 2, 3, 4, 5, 6};
  pool_.send(first(7), [](std::size_t) {});
  EXPECT_EQ(pool_.under_way(), 7u);
  while (!left.empty()) {
    const auto done = pool_.take_done(2);
    EXPECT_GE(done.size(), std::min<std::size_t>(2, left.size()));
    for (const std::size_t item : done) EXPECT_EQ(left.erase(item), 1u);
    EXPECT_EQ(pool_.under_way(), left.size());
  }
  EXPECT_THAT(pool_.take_done(3), IsEmpty());
  EXPECT_THAT(pool_.take_done(0), IsEmpty());
}

TEST(TaskPool, who_waits_for_others_looks_around_meanwhile) {
  TaskPool pool(2);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> other_began = false, go_on = false;
  int looked = 0;
  pool.each(
      first(2),
      [&](std::size_t) {
        const bool other = std::this_thread::get_id() != caller;
        if (other) other_began = true;
        const std::atomic<bool>& awaited = other ? go_on : other_began;
        while (!awaited) std::this_thread::yield();
      },
      [&] {
        if (++looked == 3) go_on = true;
      });
  EXPECT_GE(looked, 3);
}

TEST(TaskPool, who_asks_looks_around_between_items_as_well) {
  TaskPool pool(1);
  int looked = 0;
  pool.each(
      first(5), [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(21)); },
      [&] { ++looked; });
  EXPECT_EQ(looked, 5);
}

TEST(TaskPool, a_slow_item_holds_nobody_up) {
  TaskPool pool(2);
  std::atomic<bool> go_on = false;
  pool.send(first(3), [&](std::size_t i) {
    while (i == 0 && !go_on) std::this_thread::yield();
  });
  EXPECT_THAT(pool.take_done(2), SizeIs(2));
  EXPECT_EQ(pool.under_way(), 1u);
  go_on = true;
  EXPECT_THAT(pool.take_done(1), ElementsAre(0u));
}

TEST(TaskPool, who_asks_does_not_wait_for_what_was_sent) {
  for (const int threads : {1, 2}) {
    TaskPool pool(threads);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> go_on = false;
    pool.send(first(2), [&](std::size_t) {
      while (!go_on && std::this_thread::get_id() != caller) std::this_thread::yield();
    });
    int done = 0;
    pool.each(first(1), [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 1);
    EXPECT_EQ(pool.under_way(), 2u);
    go_on = true;
    EXPECT_THAT(pool.take_done(2), SizeIs(2));
  }
}

TEST(TaskPool, who_waits_for_what_was_sent_looks_around_meanwhile) {
  for (const int threads : {1, 2}) {
    TaskPool pool(threads);
    const auto caller = std::this_thread::get_id();
    std::atomic<int> looked = 0;
    pool.send(first(2), [&](std::size_t) {
      if (std::this_thread::get_id() == caller) {
        std::this_thread::sleep_for(std::chrono::milliseconds(21));
      } else {
        while (looked < 2) std::this_thread::yield();
      }
    });
    EXPECT_THAT(pool.take_done(2, [&] { ++looked; }), SizeIs(2));
    EXPECT_GE(looked, 2);
  }
}

TEST(TaskPool, ends_with_work_that_nobody_waits_for) {
  std::atomic<int> done = 0;
  {
    TaskPool pool(2);
    pool.send(first(1000), [&](std::size_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    });
  }
  EXPECT_LT(done, 1000);
}

}  // namespace
}  // namespace protobeam
