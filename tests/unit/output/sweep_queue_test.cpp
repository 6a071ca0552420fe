#include "output/sweep_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace protobeam {
namespace {

TimedSweep sweep_at(double time, std::vector<BeamReturn> beams = std::vector<BeamReturn>(3)) {
  TimedSweep sweep;
  sweep.start_time = time;
  sweep.beams = std::move(beams);
  return sweep;
}

TEST(SweepQueue, WorksInOrderOnAnotherThread) {
  SweepQueue queue;
  std::vector<double> seen;
  std::set<std::thread::id> threads;
  for (int i = 0; i < 500; ++i) {
    queue.push(sweep_at(i), [&](const TimedSweep& sweep) {
      seen.push_back(sweep.start_time);
      threads.insert(std::this_thread::get_id());
    });
  }
  queue.finish();
  ASSERT_EQ(seen.size(), 500u);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(threads.size(), 1u);
  EXPECT_FALSE(threads.contains(std::this_thread::get_id()));
}

TEST(SweepQueue, HoldsUpWhoPushesMoreThanItMayKeep) {
  SweepQueue queue;
  std::counting_semaphore<100> gate(0);
  std::atomic<int> begun{0}, pushed{0};
  std::thread pushes([&] {
    for (int i = 0; i < 10; ++i) {
      queue.push(sweep_at(i), [&](const TimedSweep&) {
        ++begun;
        gate.acquire();
      });
      ++pushed;
    }
  });
  // One at work, and those that wait.
  while (begun < 1 || pushed < 1 + static_cast<int>(SweepQueue::kMost)) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(pushed, 1 + static_cast<int>(SweepQueue::kMost));
  gate.release(10);
  pushes.join();
  queue.finish();
  EXPECT_EQ(begun, 10);
}

TEST(SweepQueue, GivesMemoryBack) {
  SweepQueue queue;
  EXPECT_TRUE(queue.memory().empty());
  const BeamReturn* place = nullptr;
  queue.push(sweep_at(0), [&](const TimedSweep& sweep) { place = sweep.beams.data(); });
  queue.finish();
  EXPECT_EQ(queue.memory().data(), place);
  EXPECT_TRUE(queue.memory().empty());
}

TEST(SweepQueue, TellsWhatWorkThrowsOnceAndDoesNothingThen) {
  SweepQueue queue;
  int done = 0;
  const auto push = [&](bool fails) {
    queue.push(sweep_at(0), [&done, fails](const TimedSweep&) {
      if (fails) throw std::runtime_error("cannot write x: No space left on device");
      ++done;
    });
  };
  push(false);
  push(true);
  const auto push_until_it_tells = [&] {
    for (;;) push(false);
  };
  EXPECT_THROW(push_until_it_tells(), std::runtime_error);
  push(false);
  EXPECT_NO_THROW(queue.finish());
  EXPECT_EQ(done, 1);

  SweepQueue other;
  other.push(sweep_at(0), [](const TimedSweep&) { throw std::runtime_error("no"); });
  EXPECT_THROW(other.finish(), std::runtime_error);
}

TEST(SweepQueue, IsDroppedWithoutWaitingForMore) {
  std::atomic<int> begun{0};
  {
    SweepQueue queue;
    queue.push(sweep_at(0), [&](const TimedSweep&) { ++begun; });
  }
  EXPECT_LE(begun, 1);
}

}  // namespace
}  // namespace protobeam
