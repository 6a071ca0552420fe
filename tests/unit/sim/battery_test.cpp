// What robots draw from their batteries, and what chargers give them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/device_data.h"
#include "sim/builder.h"
#include "sim/robot_driver.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class BatteryTest : public testing::Test {
 protected:
  void load(const std::string& text) { simulation_ = &world_.load(text); }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  double speed() { return simulation_->model().physics->angular_velocity(0).norm(); }
  /// Without a target, at so many rad/s.
  void spin(double velocity) {
    motor().model->send_command("position", {std::numeric_limits<double>::infinity()});
    motor().model->send_command("velocity", {velocity});
  }
  double energy(std::size_t robot = 0) { return simulation_->model().robots[robot].battery.energy; }
  Device& motor() { return device_named(*simulation_, "r/motor"); }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

/// A robot with a flywheel.
std::string flywheel_robot(const std::string& fields, const std::string& of_motor = "",
                           const std::string& name = "r") {
  return "Robot { name \"" + name + "\" controller \"<none>\" " + fields +
         " children [ HingeJoint { device RotationalMotor { name \"motor\" maxTorque 100 "
         "maxVelocity 100 " +
         of_motor +
         " } endPoint Solid { boundingObject Sphere { radius 0.2 } physics Physics { density -1 "
         "mass 50 } } } ] }\n";
}

TEST_F(BatteryTest, TheComputerDrawsItsPower) {
  load(flywheel_robot("battery [ 100 200 5 ] cpuConsumption 12"));
  run(2);
  EXPECT_NEAR(energy(), 100 - 12 * 2, 1e-9);
}

TEST_F(BatteryTest, MotorsDrawByTheirTorque) {
  for (const double factor : {10.0, 0.5, -2.0}) {  // Webots' e-puck has a negative one
    load(flywheel_robot("battery [ 500 1000 5 ] cpuConsumption 0",
                        "consumptionFactor " + std::to_string(factor)));
    ASSERT_EQ(motor().model->send_command("effort", {-3}), "");
    run(2);
    EXPECT_NEAR(energy(), 500 - factor * 3 * 2, 1e-9);
  }
}

TEST_F(BatteryTest, ARobotWithoutOneNeedsNone) {
  load(flywheel_robot(""));
  run(2);
  EXPECT_FALSE(simulation_->model().robots[0].battery.there);
}

TEST_F(BatteryTest, ARobotWhoseBatteryIsEmptyStops) {
  load(flywheel_robot("battery [ 10 20 5 ] cpuConsumption 10", "consumptionFactor 0"));
  spin(5);
  run(0.8);
  const physics::World& physics = *simulation_->model().physics;
  EXPECT_NEAR(physics.angular_velocity(0).norm(), 5, 1e-6);
  run(0.8);
  EXPECT_EQ(energy(), 0);
  EXPECT_NEAR(physics.angular_velocity(0).norm(), 0, 1e-6);
}

TEST_F(BatteryTest, SensorsKeepTheirLastValuesWhenItIsEmpty) {
  load("Robot { name \"r\" controller \"<none>\" battery [ 10 20 5 ] cpuConsumption 10 "
       "children [ Gyro { name \"g\" } ] physics Physics { } boundingObject Box { } }");
  Device& sensor = device_named(*simulation_, "r/g");
  simulation_->enable(sensor, 0.008);
  run(1.2);
  const auto last = sensor.frames;
  EXPECT_NEAR(static_cast<double>(last), 1 / 0.008, 2);
  simulation_->enable(sensor, 0.008);  // in vain
  run(0.8);
  EXPECT_EQ(sensor.frames, last);
}

/// A robot that runs down after 1 s, and a charger that comes by after 2.5 s and stays with it.
const std::string kChargedLate =
    "Robot { name \"r\" controller \"<none>\" battery [ 10 20 50 ] cpuConsumption 10 "
    "children [ Gyro { name \"g\" } HingeJoint { device RotationalMotor { name \"motor\" "
    "maxVelocity 100 consumptionFactor 0 } endPoint Solid { boundingObject Sphere { radius 0.2 } "
    "physics Physics { } } } ] }\n"
    "Solid { translation -3 0 5 linearVelocity 1 0 0 boundingObject Sphere { radius 0.1 } physics "
    "Physics { density -1 mass 1 } children [ Charger { translation 0 0 -5 battery [ 500 500 0 ] "
    "radius 0.5 } ] }";

// Webots: WbRobot::setCurrentEnergy.
TEST_F(BatteryTest, ARobotThatIsChargedAgainGoesOn) {
  load(kChargedLate);
  Device& sensor = device_named(*simulation_, "r/g");
  simulation_->enable(sensor, 0.008);
  run(2.2);
  ASSERT_EQ(energy(), 0);
  const auto last = sensor.frames;
  EXPECT_NEAR(static_cast<double>(last), 1 / 0.008, 2);
  run(0.6);
  ASSERT_GT(energy(), 0);
  EXPECT_GT(sensor.frames, last + 20);
  spin(5);
  run(0.4);
  EXPECT_NEAR(speed(), 5, 1e-6);
}

// Webots: WbMotor::powerOn leaves the targets as they are.
TEST_F(BatteryTest, MotorsGoOnWithTheirLastCommandWhenTheyAreChargedAgain) {
  load(kChargedLate);
  spin(5);
  run(2.2);
  ASSERT_EQ(energy(), 0);
  EXPECT_NEAR(speed(), 0, 1e-6);
  run(0.8);
  ASSERT_GT(energy(), 0);
  EXPECT_NEAR(speed(), 5, 1e-6);
}

TEST_F(BatteryTest, MotorsHaveTheCommandsThatCameWhileItWasEmpty) {
  load(kChargedLate);
  RobotDriver driver(simulation_->model(), 0);
  const auto told = [&](const char* name, double value) {
    const auto& commands = motor().model->type().commands;
    const auto number =
        std::ranges::find(commands, std::string(name), &CommandSpec::name) - commands.begin();
    constexpr std::uint16_t kMotor = 2;  // the second of its devices
    driver.apply_command(
        {kMotor, static_cast<std::uint16_t>(device_op::kFirstCommand + number), {value}, {}}, 0);
  };
  run(2.2);
  ASSERT_EQ(energy(), 0);
  told("position", std::numeric_limits<double>::infinity());
  told("velocity", -3);
  run(0.08);
  EXPECT_NEAR(speed(), 0, 1e-6);
  run(0.8);
  ASSERT_GT(energy(), 0);
  EXPECT_NEAR(speed(), 3, 1e-6);
}

TEST_F(BatteryTest, AMotorThatPushedPushesAgainWhenItIsChargedAgain) {
  load(kChargedLate);
  motor().model->send_command("effort", {0.01});
  run(2.2);
  ASSERT_EQ(energy(), 0);
  const double before = speed();
  run(0.08);
  EXPECT_NEAR(speed(), before, 1e-3 * before);
  run(0.8);
  EXPECT_GT(speed(), 1.1 * before);
}

// Its controller has stopped the motors: energy does not start them.
TEST_F(BatteryTest, MotorsOfAControllerThatHasEndedStandStillWhenTheyAreChargedAgain) {
  load(kChargedLate);
  spin(5);
  run(0.4);
  motor().model->release();
  run(2.6);
  ASSERT_GT(energy(), 0);
  EXPECT_NEAR(speed(), 0, 1e-6);
}

TEST_F(BatteryTest, ARobotThatHasRunDownIsSoInASavedState) {
  load(kChargedLate);
  simulation_->enable(device_named(*simulation_, "r/g"), 0.008);
  spin(5);
  run(1.2);
  const auto state = simulation_->save();
  WorldText other;
  Simulation& restored = other.load(kChargedLate);
  restored.restore(state);
  EXPECT_TRUE(restored.model().robots[0].battery.has_run_down);
  for (Simulation* simulation : {simulation_, &restored}) {
    const Device& sensor = device_named(*simulation, "r/g");
    const auto before = sensor.frames;
    for (int i = 0; i < 5; ++i) simulation->step();
    EXPECT_EQ(sensor.frames, before);
    for (int i = 0; i < 200; ++i) simulation->step();
    EXPECT_GT(sensor.frames, before);
    EXPECT_NEAR(simulation->model().physics->angular_velocity(0).norm(), 5, 1e-6);
  }
  EXPECT_EQ(restored.state_hash(), simulation_->state_hash());
}

TEST_F(BatteryTest, ARobotHasNotRunDownInAStateFromBefore) {
  load(kChargedLate);
  Device& sensor = device_named(*simulation_, "r/g");
  const auto state = simulation_->save();
  run(1.2);
  simulation_->restore(state);
  simulation_->enable(sensor, 0.008);
  run(0.08);
  EXPECT_GT(sensor.frames, 5);
  // A reset is a new start, too.
  run(1.2);
  simulation_->enable(sensor, 0.008);
  simulation_->reset_now({});
  simulation_->enable(device_named(*simulation_, "r/g"), 0.008);
  run(0.08);
  EXPECT_GT(device_named(*simulation_, "r/g").frames, 5);
}

TEST_F(BatteryTest, ARobotThatIsBuiltAnewKeepsItsBattery) {
  load(flywheel_robot("battery [ 10 20 5 ] cpuConsumption 10", "consumptionFactor 0"));
  run(1.2);
  Diagnostics diagnostics;
  Addition robot;
  robot.node = simulation_->model().robots[0].unit;
  ASSERT_TRUE(simulation_->rebuild_unit(
      robot, [] {}, [] {}, diagnostics));
  EXPECT_EQ(energy(), 0);
  EXPECT_TRUE(simulation_->model().robots[0].battery.has_run_down);
  // Its new motors know that they have no power.
  spin(5);
  run(0.08);
  EXPECT_NEAR(speed(), 0, 1e-6);
}

TEST_F(BatteryTest, AMotorThatPushesStopsPushingWithItsBattery) {
  load(flywheel_robot("battery [ 8 20 5 ] cpuConsumption 10", "consumptionFactor 0"));
  motor().model->send_command("effort", {2});
  run(2);
  const double inertia = 0.4 * 50 * 0.04;
  EXPECT_NEAR(speed(), 2 / inertia * 0.8, 0.02);
}

TEST_F(BatteryTest, AChargerChargesTheRobotNearIt) {
  load(flywheel_robot("battery [ 100 1000 20 ] cpuConsumption 5 translation 0.03 0 0") +
       flywheel_robot("battery [ 100 1000 20 ] cpuConsumption 5 translation 0.2 0 0", "", "far") +
       "Charger { battery [ 500 800 0 ] }");
  run(2);
  EXPECT_NEAR(energy(0), 100 + (20 - 5) * 2, 1e-9);
  EXPECT_NEAR(energy(1), 100 - 5 * 2, 1e-9);
  EXPECT_NEAR(simulation_->model().chargers[0].energy, 500 - 20 * 2, 1e-9);
}

TEST_F(BatteryTest, AChargerGivesNoMoreThanItHas) {
  load(flywheel_robot("battery [ 0.5 1000 20 ] cpuConsumption 0") +
       "Charger { battery [ 0 800 3 ] }");
  run(2);
  EXPECT_NEAR(energy(), 0.5 + 3 * 2, 1e-9);  // what it has filled by itself
}

TEST_F(BatteryTest, NothingHoldsMoreThanItsCapacity) {
  load(flywheel_robot("battery [ 90 100 20 ] cpuConsumption 0") +
       "Charger { battery [ 500 510 100 ] }");
  run(2);
  EXPECT_NEAR(energy(), 100, 1e-9);
  EXPECT_NEAR(simulation_->model().chargers[0].energy, 510, 1e-9);
}

TEST_F(BatteryTest, OneRobotIsChargedAtATime) {
  load(flywheel_robot("battery [ 100 1000 20 ] cpuConsumption 0") +
       flywheel_robot("battery [ 100 1000 20 ] cpuConsumption 0 translation 0.01 0 0", "",
                      "second") +
       "Charger { battery [ 500 800 0 ] }");
  run(0.8);
  EXPECT_NEAR(energy(0), 116, 1e-9);
  EXPECT_NEAR(energy(1), 100, 1e-9);
}

TEST_F(BatteryTest, AShortListIsABatteryThatIsNeverCharged) {
  const std::string charger = "Charger { battery [ 500 800 0 ] }";
  for (const char* list : {"[ 100 ]", "[ 100 200 ]"}) {
    load(flywheel_robot(std::string("battery ") + list + " cpuConsumption 12") + charger);
    run(2);
    EXPECT_NEAR(energy(), 100 - 12 * 2, 1e-9);
    EXPECT_EQ(simulation_->model().chargers[0].energy, 500);
    EXPECT_TRUE(world_.diagnostics().all().empty()) << world_.diagnostics().to_string();
  }
}

TEST_F(BatteryTest, ARobotWhoseBatteryIsEmptyFromTheStartGoesOn) {
  for (const char* list : {"[ 0 ]", "[ 0 20 5 ]"}) {
    load(flywheel_robot(std::string("battery ") + list + " cpuConsumption 10"));
    spin(5);
    run(0.8);
    EXPECT_NEAR(speed(), 5, 1e-6) << list;
    EXPECT_EQ(energy(), 0) << list;
  }
}

TEST_F(BatteryTest, AListOfTheWrongLengthIsNamed) {
  const auto warning = [&](const std::string& text) {
    world_.load(text);
    return world_.diagnostics().to_string();
  };
  EXPECT_THAT(warning("Robot { battery [ 1 2 3 4 ] controller \"<none>\" }"),
              HasSubstr("3:17: warning: field 'battery' of Robot holds charge, capacity and"));
  EXPECT_THAT(warning("Charger { battery [ 1 ] }"), HasSubstr("got 1 numbers: it charges nothing"));
  EXPECT_THAT(warning("Charger { battery [ 1 2 3 4 ] }"), HasSubstr("the rest is ignored"));
}

}  // namespace
}  // namespace protobeam
