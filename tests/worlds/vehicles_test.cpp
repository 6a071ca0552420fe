// Vehicles as programs drive them: the catalogue on its eights, and controllers that check what
// they feel, in C and C++.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

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
  std::mutex mutex;
  std::string complaints;
  simulation->start_controllers(
      [&](const std::string& robot, bool is_error, std::string_view line) {
        const std::lock_guard lock(mutex);
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

// docs/vehicles.rst of MVSim, and its definitions where that page is silent.
TEST(Vehicles, OfTheCatalogueHaveTheFiguresOfTheirSources) {
  struct Figures {
    const char* name;
    double chassis;  // kg
    std::size_t wheels;
    double wheel_mass, diameter, width;  // kg, m
    double wheelbase, rear_track;        // m
    double steering;                     // deg
    std::vector<double> driven;
  };
  const Figures table[] = {{"TurtleBot3 Burger", 1, 2, 0.1, 0.066, 0.03, 0, 0.16, 0, {1, 1}},
                           {"Jackal", 10, 4, 1, 0.2, 0.03, 0.26, 0.32, 0, {1, 1, 1, 1}},
                           {"small robot", 15, 2, 4, 0.4, 0.2, 0, 1, 0, {1, 1}},
                           {"AgriCobiot 2", 97, 4, 5.35, 0.406, 0.164, 0.62, 0.4, 35, {1, 1, 0, 0}},
                           {"car", 800, 4, 6, 0.62, 0.3, 1.3, 2, 30, {1, 1, 1, 1}},
                           {"pickup", 2000, 4, 6, 0.8, 0.2, 3.5, 1.8, 40, {0, 0, 1, 1}},
                           {"truck", 7500, 4, 80, 1, 0.6, 3.7, 1.85, 42, {1, 1, 0, 0}}};
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(source_tree() / "worlds/vehicles.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  for (const Figures& wanted : table) {
    SCOPED_TRACE(wanted.name);
    const VehicleHost* vehicle = simulation->find_vehicle(wanted.name);
    ASSERT_NE(vehicle, nullptr);
    const VehicleLayout& layout = vehicle->vehicle().layout();
    EXPECT_DOUBLE_EQ(layout.chassis_mass, wanted.chassis);
    ASSERT_EQ(layout.wheels.size(), wanted.wheels);
    EXPECT_DOUBLE_EQ(layout.wheels[0].mass, wanted.wheel_mass);
    EXPECT_DOUBLE_EQ(layout.wheels[0].diameter, wanted.diameter);
    EXPECT_DOUBLE_EQ(layout.wheels[0].width, wanted.width);
    EXPECT_DOUBLE_EQ(layout.wheels[0].position_V.y() - layout.wheels[1].position_V.y(),
                     wanted.rear_track);
    if (wanted.wheels == 4) {
      EXPECT_DOUBLE_EQ(layout.wheels[2].position_V.x() - layout.wheels[0].position_V.x(),
                       wanted.wheelbase);
    }
    for (const Wheel& wheel : layout.wheels) {  // they stand on the ground
      EXPECT_DOUBLE_EQ(wheel.position_V.z(), wheel.radius());
    }
    const Device& device = simulation->model()
                               .robots[static_cast<std::size_t>(vehicle->robot())]
                               .devices[static_cast<std::size_t>(vehicle->device())];
    EXPECT_EQ(std::get<std::vector<double>>(device.model->facts().at("drivenWheels")), wanted.driven);
    EXPECT_NEAR(std::get<double>(device.model->facts().at("maxSteering")) * 180 / kPi, wanted.steering,
                1e-9);
  }
}

TEST(Vehicles, SteeredChildrenTurnWithTheSteeringAndNotWithTheWheel) {
  Diagnostics diagnostics;
  const auto simulation = Simulation::load(source_tree() / "worlds/vehicles.wbt", {}, diagnostics);
  ASSERT_TRUE(simulation) << diagnostics.to_string();
  simulation->start_controllers([](const std::string&, bool, std::string_view) {});
  while (simulation->time() < 5) simulation->step();
  const VehicleHost& car = *simulation->find_vehicle("car");
  const WheelState& wheel = car.vehicle().wheels()[2];
  ASSERT_GT(wheel.yaw, 0.1);
  int mudguards = 0;
  for (const VisualGroup& group : simulation->model().visuals) {
    if (group.vehicle < 0 || group.wheel != 2 || !group.only_steers ||
        simulation->model().vehicles[static_cast<std::size_t>(group.vehicle)] != &car) {
      continue;
    }
    ++mudguards;
    const Pose X_VG = car.X_WV().inverse() * simulation->pose_of(group);
    const Vec3 ahead = X_VG.R * Vec3::UnitX();
    EXPECT_NEAR(ahead.x(), std::cos(wheel.yaw), 1e-9);
    EXPECT_NEAR(ahead.y(), std::sin(wheel.yaw), 1e-9);
    EXPECT_NEAR(ahead.z(), 0, 1e-9);
  }
  EXPECT_EQ(mudguards, 1);
  simulation->finish();
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

struct Ride {
  int exit = -1;         ///< of its controller
  std::string out, err;  ///< what that wrote
  double speed = 0;      ///< m/s, forward, at the end
  double fastest = 0;
};

/// `seconds` of a world with one car, beside the controllers of this folder.
Ride ride(const std::string& world, double seconds, std::uint64_t seed = 5) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "controllers");
  std::filesystem::copy(source_tree() / "tests/worlds/project/controllers",
                        folder.path() / "controllers", std::filesystem::copy_options::recursive);
  Ride result;
  SimulationOptions options;
  options.build.seed = seed;
  Diagnostics diagnostics;
  const auto simulation =
      Simulation::load(folder.write("worlds/car.wbt", world), options, diagnostics);
  if (!simulation) {
    ADD_FAILURE() << diagnostics.to_string();
    return result;
  }
  std::mutex mutex;
  simulation->start_controllers([&](const std::string&, bool is_error, std::string_view line) {
    const std::lock_guard lock(mutex);
    (is_error ? result.err : result.out) += std::string(line) + "\n";
  });
  const VehicleHost& vehicle = *simulation->find_vehicle("car");
  while (simulation->time() < seconds) {
    simulation->step();
    result.speed = vehicle.twist().vx;
    result.fastest = std::max(result.fastest, result.speed);
  }
  simulation->finish();
  result.exit = simulation->controllers().at(0).exit;
  return result;
}

constexpr const char* kTwist = "FrontSteerPid { kp 800 maxTorque 200 }";

std::string steersman(const std::string& arguments) {
  return "controller \"steersman\" controllerArgs [" + arguments + "]";
}
std::string chauffeur(const std::string& argument) {
  return "translation 0 30 0 controller \"chauffeur\" controllerArgs [\"" + argument + "\"]";
}

TEST(VehicleController, DrivesAndStopsWhenItsCommandsAreTooOld) {
  const std::string weight = std::to_string(440 * 9.81);
  const Ride result = ride(car(steersman("\"ahead\" \"" + weight + "\""), kTwist), 12);
  EXPECT_EQ(result.out, "0 failures\n") << result.err;
  EXPECT_EQ(result.exit, 0);
}

TEST(VehicleController, IsToldThatItTouchedTheWall) {
  const Ride result = ride(car(steersman("\"crash\""), kTwist), 16);
  EXPECT_EQ(result.out, "0 failures\n") << result.err;
}

TEST(VehicleController, IsToldOnceWhyItsCommandIsRefused) {
  const Ride result = ride(car(steersman("\"torque\""), kTwist), 3);
  EXPECT_EQ(result.out, "0 failures\n");
  EXPECT_EQ(result.err,
            "'drive': the controller FrontSteerPid takes twists, not a torque set-point\n");
  EXPECT_EQ(result.exit, 0);
}

TEST(VehicleController, ThatEndsLeavesAVehicleThatStops) {
  // Commands of this one hold for ever.
  const Ride result = ride(
      car(steersman("\"leave\""), "FrontSteerPid { kp 800 maxTorque 200 commandTimeout 0 }"), 8);
  EXPECT_EQ(result.exit, 0);
  EXPECT_NEAR(result.fastest, 1, 0.05);
  EXPECT_NEAR(result.speed, 0, 0.05);  // it rolls out below stopSpeed
}

struct Told {
  double x, y, yaw, true_x, true_y, true_yaw;
};

Told odometry(const std::string& drive_fields, std::uint64_t seed = 5) {
  const Ride result = ride(car(steersman("\"odometry\""), kTwist, drive_fields), 6, seed);
  Told told{};
  const int read = std::sscanf(result.out.c_str(), "told %lf %lf %lf there %lf %lf %lf", &told.x,
                               &told.y, &told.yaw, &told.true_x, &told.true_y, &told.true_yaw);
  EXPECT_EQ(read, 6) << result.out << result.err;
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
  const Told noisy = odometry(noise), again = odometry(noise), other = odometry(noise, 6);
  EXPECT_EQ(noisy.x, again.x);
  EXPECT_NE(noisy.x, plain.x);
  EXPECT_NE(noisy.x, other.x);
  EXPECT_EQ(noisy.true_x, other.true_x);
  // About 4 m of way and 1 rad of turn: sigma 0.022 rad; five of them are never met.
  EXPECT_NEAR(noisy.yaw, plain.yaw, 5 * 0.01 * std::sqrt(5));
}

TEST(WebotsCar, CruisesAtItsSpeedAndTurnsAsAckermannSays) {
  const Ride result = ride(car(chauffeur("cruise"), "FrontSteer { kp 800 maxTorque 200 }"), 16);
  EXPECT_EQ(result.out, "0 failures\n") << result.err;
  EXPECT_EQ(result.err, "");
}

TEST(WebotsCar, CruisesOnAControllerOfTwistsToo) {
  const Ride result = ride(car(chauffeur("cruise"), kTwist), 16);
  EXPECT_EQ(result.out, "0 failures\n") << result.err;
}

TEST(WebotsCar, GainsSpeedByItsThrottleInAGear) {
  const Ride result = ride(car(chauffeur("throttle"), "RawControl { maxTorque 200 }"), 12);
  EXPECT_EQ(result.out, "0 failures\n") << result.err;
  EXPECT_EQ(result.err, "");
}

}  // namespace
}  // namespace protobeam::test
