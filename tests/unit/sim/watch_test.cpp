// The buttons of a viewer, pressed while another thread runs the world.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "sim/watch/watch.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using namespace std::chrono_literals;

constexpr const char* kBall =
    R"(Solid { name "ball" physics Physics { } boundingObject Sphere { } linearVelocity 1 0 0 })";

/// A world that runs as `view` runs it.
class Running {
 public:
  explicit Running(const Watch::Settings& settings) : watch(settings), simulation_(world_.load(kBall)) {
    watch.open(simulation_);
    thread_ = std::thread([this] {
      while (true) {
        const auto order = watch.next(simulation_);
        if (order == Watch::Order::kEnd) break;
        if (order == Watch::Order::kReload) {
          ++reloads;
          continue;
        }
        simulation_.step();
        watch.show(simulation_);
        ++steps;
      }
      watch.over();
    });
  }
  ~Running() {
    watch.end();
    thread_.join();
  }
  /// Waits (up to ten seconds) until it is true.
  template <typename Condition>
  bool soon(Condition condition) {
    for (int i = 0; i < 10000; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(1ms);
    }
    return false;
  }

  Watch watch;
  std::atomic<int> steps = 0, reloads = 0;

 private:
  WorldText world_;
  Simulation& simulation_;
  std::thread thread_;
};

TEST(WatchPaused, ShowsTheFirstMomentAndStepsOneByOne) {
  Running run({true, 0, false});
  ASSERT_TRUE(run.watch.look());
  EXPECT_EQ(run.watch.frame()->step, 0);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(run.steps, 0);
  run.watch.step_once();
  run.watch.step_once();
  ASSERT_TRUE(run.soon([&] { return run.watch.frame()->step == 2; }));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(run.steps, 2);
  EXPECT_NEAR(run.watch.frame()->solids[0].X_WS.p.x(), 0.016, 1e-9);
}

TEST(WatchPaused, ShowsTheMomentAtWhichItStopped) {
  Running run({false, 0, false});
  ASSERT_TRUE(run.soon([&] { return run.steps > 20; }));
  run.watch.frame();  // taken long before the pause
  std::this_thread::sleep_for(20ms);
  run.watch.set_paused(true);
  EXPECT_TRUE(run.soon([&] { return run.watch.frame()->step == run.steps; }));
}

TEST(WatchPaused, GoesOnWhenToldTo) {
  Running run({true, 0, false});
  run.watch.set_paused(false);
  EXPECT_TRUE(run.soon([&] { return run.steps > 100; }));
  run.watch.set_paused(true);
  EXPECT_TRUE(run.soon([&] {
    const int before = run.steps;
    std::this_thread::sleep_for(5ms);
    return run.steps == before;
  }));
  EXPECT_TRUE(run.watch.status().paused);
}

TEST(WatchSpeed, IsKeptToByTheClock) {
  Running run({false, 2, false});
  const auto begin = std::chrono::steady_clock::now();
  const int before = run.steps;
  std::this_thread::sleep_for(400ms);
  const int done = run.steps - before;
  const double wall =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  // Never faster than asked for; slower only as far as a busy machine makes it.
  EXPECT_LE(done * 0.008, 2 * wall + 0.05);
  EXPECT_GT(done, 5);
  run.watch.set_speed(0);
  EXPECT_TRUE(run.soon([&] { return run.watch.status().real_time_factor > 2.5; }));
}

TEST(WatchReload, IsAskedForOnceAndOnlyWhereItIsPossible) {
  Running can({true, 1, true});
  can.watch.reload();
  EXPECT_TRUE(can.soon([&] { return can.reloads == 1; }));
  Running cannot({true, 1, false});
  cannot.watch.reload();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(cannot.reloads, 0);
}

TEST(WatchDetached, LetsAPausedWorldRunOn) {
  Running run({true, 1, false});
  run.watch.detach();
  EXPECT_TRUE(run.soon([&] { return run.steps > 1000; }));  // 8 s of simulated time: no clock either
}

TEST(WatchProblem, StaysUntilItIsTakenAway) {
  Watch watch({});
  watch.tell_problem("worlds/a.wbt:3:1: error: no");
  EXPECT_EQ(watch.status().problem, "worlds/a.wbt:3:1: error: no");
  watch.tell_problem("");
  EXPECT_EQ(watch.status().problem, "");
}

TEST(Watch, DoesNotChangeWhatHappens) {
  WorldText plain, watched;
  Simulation& a = plain.load(kBall);
  Simulation& b = watched.load(kBall);
  Watch watch({false, 0, false});
  watch.open(b);
  for (int i = 0; i < 50; ++i) {
    a.step();
    ASSERT_EQ(watch.next(b), Watch::Order::kStep);
    b.step();
    watch.show(b);
    watch.frame();
  }
  EXPECT_EQ(a.state_hash(), b.state_hash());
}

}  // namespace
}  // namespace protobeam
