// Vehicles as programs drive them: the catalogue on its eights, and controllers that check what
// they feel, in C and C++.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>

#include "sim/simulation.h"
#include "tests/support/program.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::filesystem::path source_tree() { return PROTOBEAM_SOURCE_DIR; }

/// Follows a vehicle from where it starts, x ahead and y left, along an eight of two circles.
class EightWatcher {
 public:
  EightWatcher(const VehicleHost& vehicle, double radius)
      : vehicle_(vehicle), X_SW_(vehicle.X_WV().inverse()), radius_(radius) {}

  void look(double time) {
    collided_ = collided_ || vehicle_.collided();
    if (passed_ == 4) return;
    // Far side of the left circle, the middle, far side of the right circle, the middle.
    const double y[] = {2 * radius_, 0, -2 * radius_, 0};
    const Vec3 p = X_SW_ * vehicle_.X_WV().p;
    if (std::hypot(p.x(), p.y() - y[passed_]) > 0.25 * radius_) return;
    if (++passed_ == 4) time_ = time;
  }
  int passed() const { return passed_; }
  bool collided() const { return collided_; }
  double time() const { return time_; }

 private:
  const VehicleHost& vehicle_;
  Pose X_SW_;
  double radius_;
  int passed_ = 0;
  bool collided_ = false;
  double time_ = 0;
};

TEST(Vehicles, OfTheCatalogueComeRoundTheirEights) {
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(source_tree() / "worlds/vehicles.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  // Radius and time on the way at the speed of the world's controllerArgs; 2 s to gain speed.
  struct Lap {
    double radius, speed;
  };
  const std::map<std::string, Lap> laps = {{"TurtleBot3 Burger", {0.3, 0.15}},
                                           {"Jackal", {1, 0.8}},
                                           {"small robot", {1.5, 1}},
                                           {"AgriCobiot 2", {2, 1}},
                                           {"car", {3.5, 2.5}},
                                           {"pickup", {7, 4}},
                                           {"truck", {12, 5}}};
  std::map<std::string, EightWatcher> watchers;
  for (const auto& [name, lap] : laps) {
    const VehicleHost* vehicle = simulation->find_vehicle(name);
    ASSERT_NE(vehicle, nullptr) << name;
    watchers.emplace(name, EightWatcher(*vehicle, lap.radius));
  }
  std::string complaints;
  simulation->start_controllers(
      [&](const std::string& robot, bool is_error, std::string_view line) {
        if (is_error) complaints += robot + ": " + std::string(line) + "\n";
      });
  while (simulation->time() < 36) {
    simulation->step();
    for (auto& [name, watcher] : watchers) watcher.look(simulation->time());
  }
  simulation->finish();
  for (const auto& [name, watcher] : watchers) {
    EXPECT_EQ(watcher.passed(), 4) << name;
    EXPECT_FALSE(watcher.collided()) << name;
    const Lap& lap = laps.at(name);
    EXPECT_NEAR(watcher.time(), 4 * kPi * lap.radius / lap.speed, 5) << name;
  }
  EXPECT_EQ(complaints, "");
  for (const ControllerReport& report : simulation->controllers()) {
    EXPECT_FALSE(report.failed) << report.robot << ": " << report.what_happened;
  }
}

/// A car of 440 kg on the plane with a wall 8 m ahead.
std::string car(const std::string& controller, const std::string& drive_controller,
                const std::string& drive_fields = "") {
  const auto wheel = [](double x, double y) {
    return "VehicleWheel { position " + std::to_string(x) + " " + std::to_string(y) +
           " 0.3 mass 10 width 0.2 diameter 0.6 }\n";
  };
  return R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 10 randomSeed 5 }
Solid { name "ground" boundingObject Plane { size 100 100 } }
Solid { name "wall" translation 12 0 1 boundingObject Box { size 0.5 20 2 } }
Robot {
  name "car"
  )" + controller +
         R"(
  children [
    AckermannDrive {
      maxSteeringAngle 0.5
      controller )" +
         drive_controller + "\n" + drive_fields + "wheels [" + wheel(0, 0.6) + wheel(0, -0.6) +
         wheel(1.5, 0.6) + wheel(1.5, -0.6) + R"(]
    }
  ]
  boundingObject Pose { translation 0.75 0 0.6 children [ Box { size 2.2 1 0.5 } ] }
  physics Physics { density -1 mass 400 }
}
)";
}

Outcome run(const std::string& world, const std::string& duration,
            std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "controllers");
  std::filesystem::copy(source_tree() / "tests/worlds/project/controllers",
                        folder.path() / "controllers", std::filesystem::copy_options::recursive);
  std::vector<std::string> words = {"run", folder.write("worlds/car.wbt", world).string(),
                                    "--duration", duration};
  words.insert(words.end(), more.begin(), more.end());
  return protobeam(words);
}

constexpr const char* kTwist = "FrontSteerPid { kp 800 maxTorque 200 }";

TEST(VehicleController, DrivesAndStopsWhenItsCommandsAreTooOld) {
  const double weight = 440 * 9.81;
  const Outcome outcome = run(
      car("controller \"steersman\" controllerArgs [\"ahead\" \"" + std::to_string(weight) + "\"]",
          kTwist),
      "12");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[car] 0 failures"));
}

TEST(VehicleController, IsToldThatItTouchedTheWall) {
  const Outcome outcome =
      run(car("controller \"steersman\" controllerArgs [\"crash\"]", kTwist), "16");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[car] 0 failures"));
}

TEST(VehicleController, IsToldOnceWhyItsCommandIsRefused) {
  const Outcome outcome =
      run(car("controller \"steersman\" controllerArgs [\"torque\"]", kTwist), "3");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  const std::string line =
      "'drive': the controller FrontSteerPid takes twists, not a torque set-point";
  const std::string all = outcome.out + outcome.err;
  const auto first = all.find(line);
  ASSERT_NE(first, std::string::npos) << all;
  EXPECT_EQ(all.find(line, first + 1), std::string::npos) << all;
}

TEST(VehicleController, ThatEndsLeavesAVehicleThatStops) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "controllers");
  std::filesystem::copy(source_tree() / "tests/worlds/project/controllers",
                        folder.path() / "controllers", std::filesystem::copy_options::recursive);
  // Commands of this one hold for ever.
  const auto world = folder.write("worlds/car.wbt",
                                  car("controller \"steersman\" controllerArgs [\"leave\"]",
                                      "FrontSteerPid { kp 800 maxTorque 200 commandTimeout 0 }"));
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(world, {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  simulation->start_controllers([](const std::string&, bool, std::string_view) {});
  const VehicleHost& vehicle = *simulation->find_vehicle("car");
  double fastest = 0;
  while (simulation->time() < 8) {
    simulation->step();
    fastest = std::max(fastest, vehicle.twist().vx);
  }
  simulation->finish();
  EXPECT_NEAR(fastest, 1, 0.05);
  EXPECT_NEAR(vehicle.twist().vx, 0, 0.02);
}

struct Told {
  double x, y, yaw, true_x, true_y, true_yaw;
};

Told odometry(const std::string& drive_fields, const std::string& seed = "5") {
  const Outcome outcome =
      run(car("controller \"steersman\" controllerArgs [\"odometry\"]", kTwist, drive_fields), "8",
          {"--seed", seed});
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  Told told{};
  const auto at = outcome.out.find("told ");
  if (at == std::string::npos ||
      std::sscanf(outcome.out.c_str() + at, "told %lf %lf %lf there %lf %lf %lf", &told.x, &told.y,
                  &told.yaw, &told.true_x, &told.true_y, &told.true_yaw) != 6) {
    ADD_FAILURE() << outcome.out;
  }
  return told;
}

TEST(VehicleOdometry, IsThatOfTheWheelsScaledAndStrayingBySeed) {
  const Told plain = odometry("");
  EXPECT_NEAR(plain.x, plain.true_x, 0.05);
  EXPECT_NEAR(plain.y, plain.true_y, 0.05);
  EXPECT_NEAR(plain.yaw, plain.true_yaw, 0.02);
  EXPECT_GT(plain.true_yaw, 0.5);

  const Told scaled = odometry("odometryScale 1 1 1.5\n");
  EXPECT_NEAR(scaled.yaw, 1.5 * plain.yaw, 1e-6);
  EXPECT_EQ(scaled.true_x, plain.true_x);

  const std::string noise = "odometryNoise 0.02 0.02 0.01\n";
  const Told noisy = odometry(noise), again = odometry(noise), other = odometry(noise, "6");
  EXPECT_EQ(noisy.x, again.x);
  EXPECT_NE(noisy.x, plain.x);
  EXPECT_NE(noisy.x, other.x);
  EXPECT_EQ(noisy.true_x, other.true_x);
  // About 4 m of way and 1 rad of turn: sigma 0.045 m and 0.022 rad; five of them are never met.
  EXPECT_NEAR(noisy.yaw, plain.yaw, 5 * 0.01 * std::sqrt(5));
}

TEST(WebotsCar, CruisesAtItsSpeedAndTurnsAsAckermannSays) {
  const Outcome outcome =
      run(car("translation 0 30 0 controller \"chauffeur\" controllerArgs [\"cruise\"]",
              "FrontSteer { kp 800 maxTorque 200 }"),
          "16");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("[car] 0 failures"));
}

TEST(WebotsCar, CruisesOnAControllerOfTwistsToo) {
  const Outcome outcome = run(
      car("translation 0 30 0 controller \"chauffeur\" controllerArgs [\"cruise\"]", kTwist), "16");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
}

TEST(WebotsCar, GainsSpeedByItsThrottleInAGear) {
  const Outcome outcome =
      run(car("translation 0 30 0 controller \"chauffeur\" controllerArgs [\"throttle\"]",
              "RawControl { maxTorque 200 }"),
          "12");
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("does nothing")));
}

}  // namespace
}  // namespace protobeam::test
