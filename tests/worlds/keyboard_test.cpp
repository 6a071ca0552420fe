// Keys on their way from a person to controllers that run as real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <mutex>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Numbers of Webots' keys, from its reference of the Keyboard.
constexpr int kLeft = 314, kUp = 315, kRight = 316, kDown = 317, kShift = 0x10000,
              kControl = 0x20000;

class Keyboard : public testing::Test {
 protected:
  void start(const std::filesystem::path& world) {
    simulation_ = Simulation::load(world, {}, diagnostics_);
    if (!simulation_) throw std::runtime_error(diagnostics_.to_string());
    simulation_->start_controllers(
        [this](const std::string& robot, bool is_stderr, std::string_view line) {
          const std::lock_guard lock(mutex_);
          (is_stderr ? err_ : out_)[robot].emplace_back(line);
        });
    for (const auto& controller : simulation_->controllers()) {
      if (controller.failed) throw std::runtime_error(controller.what_happened);
    }
  }
  void press(std::vector<int> keys, double seconds) {
    simulation_->set_keys(std::move(keys));
    const auto steps = std::llround(seconds / simulation_->model().basic_time_step);
    for (long long i = 0; i < steps; ++i) simulation_->step();
  }
  /// Ends the controllers, each of which must have done well.
  void finish() {
    simulation_->finish();
    for (const auto& controller : simulation_->controllers()) {
      EXPECT_EQ(controller.exit, 0) << controller.what_happened;
    }
  }

  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  std::mutex mutex_;
  std::map<std::string, std::vector<std::string>> out_, err_;  // by robot; whole after finish()
  std::unique_ptr<Simulation> simulation_;
};

class Typists : public Keyboard {
 protected:
  Typists() {
    std::filesystem::create_directories(folder_.path() / "controllers");
    std::filesystem::copy(source_dir() + "/tests/worlds/project/controllers",
                          folder_.path() / "controllers", std::filesystem::copy_options::recursive);
  }
  /// Robots "0", "16", ... that look at the keyboard every so many ms, in steps of 16 ms.
  void start_typists(const std::vector<std::string>& periods, const std::string& argument = "") {
    std::string text = "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 16 }\n";
    for (const std::string& period : periods) {
      text += "Robot { name \"" + period + "\" controller \"typist\" controllerArgs [ \"" + period +
              "\" \"" + argument + "\" ] }\n";
    }
    start(folder_.write("worlds/typists.wbt", text));
  }
};

TEST_F(Typists, ReadTheKeysOneAfterAnotherWithTheirModifiers) {
  start_typists({"16"});
  press({kUp, 'A' | kShift}, 0.016);
  press({kUp, 'A' | kShift | kControl, 'B'}, 0.016);
  press({}, 0.016);
  finish();
  EXPECT_THAT(out_["16"], ElementsAre("16: 315 65+shift", "32: 315 65+shift+control 66", "48:"));
  EXPECT_THAT(err_["16"], IsEmpty());
}

TEST_F(Typists, KeepASampleForItsPeriodAndSeeTheNextOneThen) {
  start_typists({"48"});
  press({kLeft}, 0.080);  // at 48 ms, the first sample, and until the one at 96 ms
  press({'X'}, 0.048);    // at 96 ms and until the one at 144 ms
  press({}, 0.032);
  finish();
  EXPECT_THAT(out_["48"], ElementsAre("16:", "32:", "48: 314", "64: 314", "80: 314", "96: 88",
                                      "112: 88", "128: 88", "144:", "160:"));
}

TEST_F(Typists, ReadTheSameKeysAgainAfterAStepThatTakesNoTime) {
  start_typists({"16"}, "again");
  press({kUp}, 0.032);
  finish();
  EXPECT_THAT(out_["16"], ElementsAre("16: 315 | 315", _));  // the second read of 32 ms is the end
}

TEST_F(Typists, EachHaveTheirOwnPeriod) {
  start_typists({"0", "16", "32"});
  press({kDown}, 0.032);
  finish();
  EXPECT_THAT(out_["0"], ElementsAre("16:", "32:"));
  EXPECT_THAT(out_["16"], ElementsAre("16: 317", "32: 317"));
  EXPECT_THAT(out_["32"], ElementsAre("16:", "32: 317"));
}

TEST_F(Typists, ReadSevenKeysOfTen) {
  start_typists({"16"});
  press({'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'}, 0.016);
  finish();
  EXPECT_THAT(out_["16"], ElementsAre("16: 48 49 50 51 52 53 54"));
}

/// worlds/teleop.wbt, on which a rover stands at the origin and looks along x.
class Teleop : public Keyboard {
 protected:
  void start_teleop() { start(source_dir() + "/worlds/teleop.wbt"); }
  Pose rover() {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == "rover") return simulation_->model().physics->pose(solid.body);
    }
    throw std::runtime_error("no rover");
  }
  double heading() {
    const Vec3 ahead = rover().R * Vec3::UnitX();
    return std::atan2(ahead.y(), ahead.x());
  }
};

TEST_F(Teleop, GainsAndLosesSpeedByOneMetrePerSecondEachSecond) {
  start_teleop();
  press({}, 0.5);
  EXPECT_NEAR(rover().p.head<2>().norm(), 0, 1e-3);
  // 1 s of 1 m/s^2, 1 s at 1 m/s: 0.5 m + 1 m. Commands act one step (10 ms) late.
  press({kUp}, 2);
  EXPECT_NEAR(rover().p.x(), 1.5, 0.03);
  EXPECT_NEAR(rover().p.y(), 0, 0.01);
  // Released: 1 s until it stands, 0.5 m further.
  press({}, 2);
  EXPECT_NEAR(rover().p.x(), 2, 0.03);
  const double at_rest = rover().p.x();
  press({}, 0.5);
  EXPECT_NEAR(rover().p.x(), at_rest, 1e-3);
  // The same way back.
  press({kDown}, 2);
  press({}, 2);
  EXPECT_NEAR(rover().p.x(), 0, 0.05);
  EXPECT_NEAR(heading(), 0, 0.02);
  finish();
  EXPECT_THAT(out_["rover"], ElementsAre(HasSubstr("arrow keys drive, space or S stops")));
  EXPECT_THAT(err_["rover"], IsEmpty());
}

TEST_F(Teleop, TurnsToTheSideOfTheKey) {
  start_teleop();
  // Friction decides how far: 0.8 rad/s within a fifth.
  press({kLeft}, 2);
  press({}, 1);
  EXPECT_NEAR(heading(), 1.6, 0.32);
  EXPECT_LT(rover().p.head<2>().norm(), 0.1);
  press({kRight}, 2);
  press({}, 1);
  EXPECT_NEAR(heading(), 0, 0.1);
  finish();
}

TEST_F(Teleop, StopsAtOnceByEitherKeyAndWithAnyModifier) {
  start_teleop();
  for (const int stop : {int{' '}, int{'S'}, 'S' | kShift}) {
    press({kUp}, 1.5);
    const Vec3 before = rover().p;
    press({kUp, stop}, 1);
    // The motors slow the wheels by 20 rad/s^2 x 0.15 m = 3 m/s^2: 1 / (2 x 3) m, and one step.
    EXPECT_NEAR((rover().p - before).norm(), 1.0 / 6 + 0.01, 0.02);
    press({kDown}, 1.5);
    press({kLeft, stop}, 1);
    EXPECT_NEAR(heading(), 0, 0.01);
  }
  finish();
}

TEST_F(Teleop, RunsTheSameWayWithTheSameKeys) {
  const auto hash_with = [this](const std::vector<int>& keys) {
    start_teleop();
    press(keys, 0.3);
    finish();
    return simulation_->state_hash();
  };
  const auto hash = hash_with({kUp});
  EXPECT_EQ(hash_with({kUp}), hash);
  EXPECT_NE(hash_with({}), hash);
}

TEST_F(Keyboard, ThatNobodyLooksAtChangesNothing) {
  const auto hash_with = [this](const std::vector<int>& keys) {
    start(source_dir() + "/worlds/yard.wbt");
    press(keys, 0.3);
    finish();
    return simulation_->state_hash();
  };
  EXPECT_EQ(hash_with({kUp}), hash_with({}));
}

TEST_F(Teleop, GoesAsFarInSmallStepsAsInLargeOnes) {
  for (const char* step : {"4", "40"}) {
    start(folder_.write("worlds/flat.wbt", std::string(R"(#VRML_SIM R2025a utf8
EXTERNPROTO ")") + source_dir() + R"(/protos/robots/Rover.proto"
WorldInfo { basicTimeStep )" + step + R"( }
Solid { boundingObject Plane { size 20 20 } }
Rover { controller "teleop" }
)"));
    press({kUp}, 2);
    EXPECT_NEAR(rover().p.x(), 1.5, 0.09) << step;  // two steps late
    press({}, 2);
    EXPECT_NEAR(rover().p.x(), 2, 0.03) << step;
    finish();
  }
}

}  // namespace
}  // namespace protobeam::test
