// The buttons of a viewer, pressed while another thread runs the world.
#include "sim/scene/viewer_bridge.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <limits>
#include <thread>

#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using namespace std::chrono_literals;

constexpr const char* kFallingBall =
    R"(Solid { name "ball" physics Physics { } boundingObject Sphere { } linearVelocity 1 0 0 })";

/// A world that runs as `view` runs it.
class Running {
 public:
  explicit Running(const ViewerBridge::Settings& settings)
      : bridge(settings), simulation_(world_.load(kFallingBall)) {
    bridge.publish_world(simulation_);
    thread_ = std::thread([this] {
      while (true) {
        const auto order = bridge.wait_for_step(simulation_);
        if (order == ViewerBridge::Command::kEnd) break;
        if (order == ViewerBridge::Command::kReload) {
          ++reloads;
          continue;
        }
        simulation_.step();
        bridge.publish_state(simulation_);
        ++steps;
      }
      bridge.report_end();
    });
  }
  ~Running() {
    bridge.request_end();
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

  ViewerBridge bridge;
  std::atomic<int> steps = 0, reloads = 0;

 private:
  WorldText world_;
  Simulation& simulation_;
  std::thread thread_;
};

TEST(ViewerBridgePaused, ShowsTheFirstMomentAndStepsOneByOne) {
  Running run({true, 0, false});
  ASSERT_TRUE(run.bridge.description());
  EXPECT_EQ(run.bridge.state()->step, 0);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(run.steps, 0);
  run.bridge.step_once();
  run.bridge.step_once();
  ASSERT_TRUE(run.soon([&] { return run.bridge.state()->step == 2; }));
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(run.steps, 2);
  EXPECT_NEAR(run.bridge.state()->solids[0].X_WS.p.x(), 0.016, 1e-9);
}

TEST(ViewerBridgePaused, ShowsTheMomentAtWhichItStopped) {
  Running run({false, 0, false});
  ASSERT_TRUE(run.soon([&] { return run.steps > 20; }));
  run.bridge.state();  // taken long before the pause
  std::this_thread::sleep_for(20ms);
  run.bridge.set_paused(true);
  ASSERT_TRUE(run.soon([&] { return run.bridge.status().settled; }));
  EXPECT_EQ(run.bridge.state()->step, run.steps);
}

TEST(ViewerBridgePaused, GoesOnWhenToldTo) {
  Running run({true, 0, false});
  run.bridge.set_paused(false);
  EXPECT_TRUE(run.soon([&] { return run.steps > 100; }));
  run.bridge.set_paused(true);
  EXPECT_TRUE(run.soon([&] {
    const int before = run.steps;
    std::this_thread::sleep_for(5ms);
    return run.steps == before;
  }));
  EXPECT_TRUE(run.bridge.status().paused);
}

TEST(ViewerBridgeSpeed, IsKeptToByTheClock) {
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
  run.bridge.set_speed(0);
  EXPECT_TRUE(run.soon([&] { return run.bridge.status().real_time_factor > 2.5; }));
}

TEST(ViewerBridgeSpeed, IsKeptToWhenTheWorldChangesInEachStep) {
  WorldText world;
  Simulation& simulation = world.load(kFallingBall);
  ViewerBridge bridge({false, 1, false});
  bridge.publish_world(simulation);
  const auto begin = std::chrono::steady_clock::now();
  while (simulation.time() < 0.4) {
    ASSERT_EQ(bridge.wait_for_step(simulation), ViewerBridge::Command::kStep);
    simulation.step();
    bridge.publish_world(simulation);
    bridge.publish_state(simulation);
  }
  EXPECT_GT(std::chrono::steady_clock::now() - begin, 350ms);
  EXPECT_GT(bridge.status().real_time_factor, 0);
  EXPECT_LT(bridge.status().real_time_factor, 1.5);
}

TEST(ViewerBridgeSpeed, NearNothingMeansToWait) {
  Running run({false, 1e-300, false});
  ASSERT_TRUE(run.soon([&] { return run.steps == 1; }));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(std::clock() - before, 0.1 * CLOCKS_PER_SEC) << "it does not sleep";
  EXPECT_EQ(run.steps, 1);
  run.bridge.set_speed(0);
  EXPECT_TRUE(run.soon([&] { return run.steps > 100; }));
}

TEST(WindowTexts, HaveNumbersThatStayTheirs) {
  WindowTexts texts;
  for (int i = 0; i < 10'003; ++i) texts.add({"r", std::to_string(i)});
  EXPECT_EQ(texts.first(), 3u);
  EXPECT_EQ(texts.end(), 10'003u);
  EXPECT_EQ(texts[5000].text, "5000");
  EXPECT_EQ(texts.take().size(), 10'000u);
  EXPECT_EQ(texts.first(), 10'003u);
  texts.add({"r", std::string(40'000'000, 'x')});
  texts.add({"r", std::string(40'000'000, 'y')});
  EXPECT_EQ(texts.first(), 10'004u) << "too many bytes";
  EXPECT_EQ(texts[10'004].text.front(), 'y');
}

TEST(ViewerBridgeReload, IsAskedForOnceAndOnlyWhereItIsPossible) {
  Running can({true, 1, true});
  can.bridge.request_reload();
  EXPECT_TRUE(can.soon([&] { return can.reloads == 1; }));
  Running cannot({true, 1, false});
  cannot.bridge.request_reload();
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(cannot.reloads, 0);
}

TEST(ViewerBridgeDetached, LetsAPausedWorldRunOn) {
  Running run({true, 1, false});
  run.bridge.detach();
  EXPECT_TRUE(
      run.soon([&] { return run.steps > 1000; }));  // 8 s of simulated time: no clock either
}

TEST(ViewerBridgeProblem, StaysUntilItIsTakenAway) {
  ViewerBridge bridge({});
  bridge.report_problem("worlds/a.wbt:3:1: error: no");
  EXPECT_EQ(bridge.status().problem, "worlds/a.wbt:3:1: error: no");
  bridge.report_problem("");
  EXPECT_EQ(bridge.status().problem, "");
}

TEST(ViewerBridge, DoesNotChangeWhatHappens) {
  WorldText plain, watched;
  Simulation& a = plain.load(kFallingBall);
  Simulation& b = watched.load(kFallingBall);
  ViewerBridge bridge({false, 0, false});
  bridge.publish_world(b);
  for (int i = 0; i < 50; ++i) {
    a.step();
    ASSERT_EQ(bridge.wait_for_step(b), ViewerBridge::Command::kStep);
    b.step();
    bridge.publish_state(b);
    bridge.state();
  }
  EXPECT_EQ(a.state_hash(), b.state_hash());
}

TEST(SceneObserver, HidesTheHelixThatAPropellerDoesNotShow) {
  WorldText world;
  Simulation& simulation = world.load(
      "Robot { controller \"<none>\" children [ Propeller { "
      "device RotationalMotor { name \"motor\" maxVelocity 100 } fastHelixThreshold 50 "
      "thrustConstants 0 0 torqueConstants 0 0 "
      "slowHelix Solid { children [ Shape { geometry Box { } } ] } "
      "fastHelix Solid { children [ Shape { geometry Sphere { } } ] } } ] }");
  const auto description = describe_scene(simulation, 1);
  const SceneObserver observer(simulation, *description);
  ASSERT_EQ(description->groups.size(), 2u);
  EXPECT_EQ(observer.state(simulation)->hidden, (std::vector<bool>{false, true}));
  DeviceModel& motor = *simulation.find_device("robot/motor")->model;
  ASSERT_EQ(motor.send_command("position", {std::numeric_limits<double>::infinity()}), "");
  ASSERT_EQ(motor.send_command("velocity", {60}), "");
  simulation.step();
  simulation.step();
  EXPECT_EQ(observer.state(simulation)->hidden, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace protobeam
