// Vehicles on ground of all kinds, against what follows from mechanics on paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <sstream>
#include <string>

#include "sim/simulation.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

constexpr double kMass = 24;  // kg, of car()
const std::string kFloor = "Solid { name \"floor\" boundingObject Plane { } }\n";

std::string text(const auto&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

/// Four wheels of 0.1 m radius at (+-0.25, +-0.3) under a box.
std::string car(const std::string& drive = "DifferentialDrive", const std::string& fields = "",
                const std::string& placed = "") {
  std::string wheels;
  for (const char* p : {"-0.25 0.3", "-0.25 -0.3", "0.25 0.3", "0.25 -0.3"}) {
    wheels += text("VehicleWheel { position ", p, " 0.1 diameter 0.2 width 0.05 mass 1 }\n");
  }
  return text("Robot { controller \"<none>\" ", placed,
              placed.find("name ") == std::string::npos ? " name \"car\"" : "",
              " boundingObject Pose { translation 0 0 0.17 children [ Box { size 0.6 0.5 0.1 } ] }"
              " physics Physics { density -1 mass 20 }\nchildren [ ",
              drive, " { linearDamping 0 angularDamping 0 ", fields, " wheels [ ", wheels,
              "] } ] }\n");
}

const std::string kRaw = "controller RawControl { commandTimeout 0 } ";

class Ground : public testing::Test {
 protected:
  Simulation& load(const std::string& world, const SimulationOptions& options = {}) {
    const auto file = folder_.write(
        "worlds/test.wbt", "#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep 5 }\n" + world);
    Diagnostics diagnostics;
    simulation_ = Simulation::load(file, options, diagnostics);
    if (!simulation_) throw std::runtime_error(diagnostics.to_string());
    return *simulation_;
  }
  VehicleHost& vehicle(const char* name = "car") { return *simulation_->find_vehicle(name); }
  void run(double seconds) {
    for (long n = std::lround(seconds / 0.005); n > 0; --n) simulation_->step();
  }
  void order(const DriveCommand& command) { EXPECT_EQ(vehicle().command(command), ""); }
  Vec3 position() { return vehicle().X_WV().p; }
  Vec3 velocity() { return vehicle().X_WV().R * vehicle().velocity_V(); }
  double speed() { return vehicle().twist().vx; }

  /// Radius of the circle through three places on the way, `apart` s from each other.
  double radius(double apart) {
    const Vec2 a = position().head<2>();
    run(apart);
    const Vec2 b = position().head<2>();
    run(apart);
    const Vec2 c = position().head<2>();
    const Vec2 u = b - a, v = c - a;
    const double area = std::abs(u.x() * v.y() - u.y() * v.x()) / 2;
    return u.norm() * v.norm() * (c - b).norm() / (4 * area);
  }
  /// What ground and suspension do to the vehicle.
  Vec3 force_of_ground() {
    Vec3 sum = Vec3::Zero();
    for (const WheelInWorld& wheel : vehicle().wheels()) {
      sum += wheel.suspension_force * wheel.ground.normal_W + wheel.force_W;
    }
    return sum;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Simulation> simulation_;
};

//   d        a bicycle model: the rear axle's middle runs on a circle of L / tan d
TEST_F(Ground, AckermannTurnsAboutThePointWhereItsAxlesMeet) {
  load(kFloor + car("AckermannDrive", "controller FrontSteer { kp 20 ki 20 commandTimeout 0 } ",
                    "translation 0.25 0 0"));
  order(SpeedCommand{0.5, 0.3});
  run(3);
  const double wheelbase = 0.5, to_axle = 0.25;  // V's origin is ahead of the rear axle here
  EXPECT_NEAR(radius(1.5), std::hypot(wheelbase / std::tan(0.3), to_axle), 0.03);
}

TEST_F(Ground, DifferentialTurnsOnSpeedByYawRate) {
  const std::string wheels =
      "wheels [ VehicleWheel { position 0 0.3 0.1 diameter 0.2 mass 1 } VehicleWheel { position 0 "
      "-0.3 0.1 diameter 0.2 mass 1 } ]";
  load(kFloor +
       "Robot { name \"car\" controller \"<none>\" boundingObject Pose { translation 0 0 "
       "0.17 children [ Box { size 0.4 0.4 0.1 } ] } physics Physics { density -1 mass 20 "
       "} children [ DifferentialDrive { controller TwistPid { kp 20 ki 40 commandTimeout "
       "0 } " +
       wheels + " } ] }");
  order(Twist{0.6, 0, 0.4});
  run(4);
  EXPECT_NEAR(radius(2), 0.6 / 0.4, 0.015);
  EXPECT_NEAR(vehicle().odometry().vx, 0.6, 0.01);
  EXPECT_NEAR(vehicle().odometry().omega, 0.4, 0.01);
}

TEST_F(Ground, HoldsACarOnASlopeWithoutCreeping) {
  for (const double heading : {0.0, 0.7, kPi / 2, kPi}) {
    const double slope = 0.35;  // rad; tan is below mu
    load(text("Solid { rotation 0 1 0 ", -slope, " boundingObject Plane { } }\n") +
         text("Solid { name \"x\" }\n") + car("DifferentialDrive", kRaw, [&] {
           const Quat R = axis_angle(Vec3::UnitY(), -slope) * axis_angle(Vec3::UnitZ(), heading);
           const Eigen::AngleAxisd turn(R);
           return text("rotation ", turn.axis().transpose(), " ", turn.angle());
         }()));
    run(1);
    const Vec3 start = position();
    run(10);
    EXPECT_LT((position() - start).norm(), 1e-4) << heading;
  }
}

//  sideways down a slope that friction cannot hold: a = g (sin - mu cos)
TEST_F(Ground, SlidesDownAsCoulombSays) {
  const double slope = 0.6, mu = 0.4;
  load(text("Solid { rotation 1 0 0 ", slope, " boundingObject Plane { } }\n") +
       car("DifferentialDrive",
           text(kRaw, "wheelLoad \"dynamic\" tyre DefaultFriction { mu ", mu, " } "),
           text("rotation 1 0 0 ", slope)));
  run(0.5);
  const double before = velocity().norm();
  run(1);
  const double expected = kGravity * (std::sin(slope) - mu * std::cos(slope));
  EXPECT_NEAR(velocity().norm() - before, expected, 0.02 * expected);
  EXPECT_NEAR(velocity().normalized().dot(Vec3(0, -std::cos(slope), -std::sin(slope))), 1, 1e-3);
}

//  all wheels locked: v^2 / (2 mu g)
TEST_F(Ground, StopsWithinTheDistanceThatFrictionAllows) {
  for (const char* load_mode : {"static", "dynamic"}) {
    const double v = 5, mu = 0.5;
    load(kFloor +
         car("DifferentialDrive",
             text(kRaw, "wheelLoad \"", load_mode, "\" tyre DefaultFriction { mu ", mu, " } "),
             text("linearVelocity ", v, " 0 0")));
    order(TorqueCommand{{-1000, -1000}, 0});
    while (speed() > 0 && simulation_->time() < 5) simulation_->step();
    EXPECT_NEAR(position().x(), v * v / (2 * mu * kGravity), 0.03) << load_mode;
    EXPECT_NEAR(simulation_->time(), v / (mu * kGravity), 0.015) << load_mode;
  }
}

TEST_F(Ground, IsAsSlipperyAsItsRegionSays) {
  load(kFloor + "PropertyRegion { min 1 -100 -1 max 100 100 1 friction 0.1 }\n" +
       car("DifferentialDrive", kRaw, "linearVelocity 5 0 0 translation 3 0 0"));
  order(TorqueCommand{{-1000, -1000}, 0});
  run(1);
  EXPECT_NEAR(speed(), 5 - 0.1 * kGravity, 0.02);
}

// All mass in the middle, wheels far out: each of them alone stops more of a turn than there is.
TEST_F(Ground, IsLeftWithoutTremorByWheelsFarOut) {
  load(kFloor +
       "Robot { name \"car\" translation 0 0 0 linearVelocity 2 0 0\n"
       "boundingObject Pose { translation 0 0 0.3 children [ Box { size 0.1 0.1 0.1 } ] }\n"
       "physics Physics { density -1 mass 20 }\n"
       "children [ DifferentialDrive { wheels [\n"
       "VehicleWheel { position -0.5 0.4 0.1 diameter 0.2 width 0.05 mass 0.2 }\n"
       "VehicleWheel { position -0.5 -0.4 0.1 diameter 0.2 width 0.05 mass 0.2 }\n"
       "VehicleWheel { position 0.5 0.4 0.1 diameter 0.2 width 0.05 mass 0.2 }\n"
       "VehicleWheel { position 0.5 -0.4 0.1 diameter 0.2 width 0.05 mass 0.2 } ] } ] }\n");
  order(TorqueCommand{{0.3, 0.2}, 0});
  run(0.5);
  double turned = 0;
  for (int i = 0; i < 100; ++i) {
    run(0.005);
    turned = std::max(turned, std::abs(vehicle().twist().omega));
  }
  EXPECT_LT(turned, 0.02);  // the left motors are a little stronger
}

std::string hill() {
  std::string heights;
  for (int y = 0; y <= 20; ++y) {
    for (int x = 0; x <= 20; ++x) {
      const double dx = x * 0.5 - 5, dy = y * 0.5 - 5;
      heights += text(1.2 * std::exp(-(dx * dx + dy * dy) / 8), " ");
    }
  }
  return "Solid { translation -5 -5 0 boundingObject ElevationGrid { xDimension 21 yDimension 21 "
         "xSpacing 0.5 ySpacing 0.5 height [ " +
         heights + "] } }\n";
}

TEST_F(Ground, CarriesTheWholeWeight) {
  const std::string ramp =
      "Solid { name \"ramp\" translation 1.15 0 0 rotation 0 1 0 -0.2 boundingObject Box { size 2 "
      "3 "
      "0.1 } }\n";
  struct Place {
    const char* name;
    std::string ground, placed;
  };
  const Place places[] = {
      {"flat", kFloor, ""},
      {"slope", "Solid { rotation 0 1 0 -0.2 boundingObject Plane { } }\n", "rotation 0 1 0 -0.2"},
      {"hill", hill(), "translation 1.3 0.8 1.2"},
      {"ramp", kFloor + ramp, "translation 0 0 0.02"}};
  const double weight = kMass * kGravity;
  for (const Place& place : places) {
    for (const std::string wheel_load : {"static", "dynamic"}) {
      SCOPED_TRACE(place.name + (" " + wheel_load));
      load(place.ground + car("DifferentialDrive",
                              text(kRaw, "tyre DefaultFriction { bearingDamping 2 } wheelLoad \"",
                                   wheel_load, "\" "),
                              place.placed));
      run(3);
      const Vec3 start = position(), force = force_of_ground();
      double along = 0, normal = 0, loads = 0;
      for (const WheelInWorld& wheel : vehicle().wheels()) {
        loads += wheel.normal_load;
        normal += wheel.suspension_force * wheel.ground.normal_W.z();
        along += wheel.force_W.z();
      }
      EXPECT_NEAR(force.z(), weight, 0.01 * weight);
      EXPECT_LT(force.head<2>().norm(), 0.01 * weight);
      if (wheel_load == "static") {
        EXPECT_NEAR(loads, weight, 0.01 * weight);
      } else {
        EXPECT_NEAR(normal + along, weight, 0.01 * weight);
      }
      run(5);
      EXPECT_LT((position() - start).norm(), 2e-3) << "it creeps";
    }
  }
}

TEST_F(Ground, LoadsTheLowerWheelsMore) {
  const double slope = 0.3;
  load(text("Solid { rotation 0 1 0 ", -slope, " boundingObject Plane { } }\n") +
       car("DifferentialDrive", kRaw + "wheelLoad \"dynamic\" ", text("rotation 0 1 0 ", -slope)));
  run(3);
  // Moments about the front wheels' line: N_rear 2a = m g (a cos + h sin).
  const double a = 0.25, h = (20 * 0.17 + 4 * 0.1) / 24;
  const double rear = kMass * kGravity * (a * std::cos(slope) + h * std::sin(slope)) / (2 * a) / 2;
  EXPECT_NEAR(vehicle().wheels()[0].normal_load, rear, 0.01 * rear);
  EXPECT_NEAR(vehicle().wheels()[1].normal_load, rear, 0.01 * rear);
}

TEST_F(Ground, CatchesACarThatFalls) {
  load(kFloor + car("DifferentialDrive", kRaw, "translation 0 0 0.5"));
  const double fall = std::sqrt(2 * 0.5 / kGravity);
  while (!vehicle().wheels()[0].ground.touches && simulation_->time() < 1) simulation_->step();
  EXPECT_NEAR(simulation_->time(), fall, 0.015);
  for (const WheelInWorld& wheel : vehicle().wheels()) EXPECT_TRUE(wheel.ground.touches);
  run(2);
  EXPECT_NEAR(position().z(), 0, 1e-4);
  EXPECT_LT(velocity().norm(), 1e-3);
  EXPECT_GT((vehicle().X_WV().R * Vec3::UnitZ()).z(), 0.9999);
}

//  a body of 24 kg on four springs: f = sqrt(4 k / m) / (2 pi)
TEST_F(Ground, BouncesOnSoftSpringsAtTheirFrequency) {
  const double spring = 2000;
  std::string soft = car("DifferentialDrive", kRaw, "translation 0 0 0.01");
  const std::string wheel = "VehicleWheel { ";
  for (auto at = soft.find(wheel); at != soft.npos; at = soft.find(wheel, at + wheel.size())) {
    soft.insert(at + wheel.size(), text("suspensionSpringConstant ", spring,
                                        " suspensionDampingConstant 0 suspensionTravel 0.1 "));
  }
  load(kFloor + soft);
  double last = 0.01;
  std::vector<double> crossings;
  while (crossings.size() < 6 && simulation_->time() < 5) {
    simulation_->step();
    const double z = position().z();
    if ((z > 0) != (last > 0)) crossings.push_back(simulation_->time());
    last = z;
  }
  ASSERT_EQ(crossings.size(), 6u);
  const double period = (crossings[5] - crossings[1]) / 2;
  const double expected = 2 * kPi / std::sqrt(4 * spring / kMass);
  EXPECT_NEAR(period, expected, 0.03 * expected);
}

TEST_F(Ground, DrivesAlikeInLongSteps) {
  Vec3 end[2];
  for (const int step : {5, 32}) {
    const auto file = folder_.write(
        "worlds/step.wbt",
        text("#VRML_SIM R2025a utf8\nWorldInfo { basicTimeStep ", step, " }\n", kFloor,
             car("DifferentialDrive", "controller TwistPid { kp 20 commandTimeout 0 } ")));
    Diagnostics diagnostics;
    simulation_ = Simulation::load(file, {}, diagnostics);
    ASSERT_TRUE(simulation_) << diagnostics.to_string();
    order(Twist{0.5, 0, 0.3});
    while (simulation_->time() < 3.199) simulation_->step();
    end[step == 32] = position();
  }
  EXPECT_GT(end[0].norm(), 1);
  EXPECT_LT((end[0] - end[1]).norm(), 0.01);
}

TEST_F(Ground, TakesAKerbWheelByWheelWithoutAJump) {
  const double kerb = 0.05;
  load(kFloor +
       text("Solid { name \"kerb\" translation 2 0 ", kerb / 2, " boundingObject Box { size 2 4 ",
            kerb, " } }\n") +
       car("DifferentialDrive", "controller TwistPid { kp 20 ki 20 commandTimeout 0 } "));
  order(Twist{0.4, 0, 0});
  // The circle of a wheel meets the edge this far before its centre, and rolls over it at the
  // speed v tan there: nothing is faster than that.
  const double before = std::sqrt(0.1 * 0.1 - (0.1 - kerb) * (0.1 - kerb));
  const double fastest = 0.45 * before / (0.1 - kerb);
  double last = 0, top = 0, first = 0;
  while (position().x() < 2 && simulation_->time() < 10) {
    simulation_->step();
    const double z = position().z();
    if (first == 0 && z > 0.002) first = position().x() + 0.25;
    EXPECT_LT(std::abs(z - last), 2 * fastest * 0.005);
    top = std::max(top, z);
    last = z;
  }
  EXPECT_NEAR(first, 1 - before, 0.02);
  EXPECT_NEAR(position().z(), kerb, 1e-3);
  EXPECT_LT(top, kerb + 0.02);
  EXPECT_FALSE(vehicle().collided());
}

TEST_F(Ground, StopsACarAtAStepThatIsTooHigh) {
  load(kFloor +
       text("Solid { name \"wall\" translation 2 0 0.2 boundingObject Box { size 2 4 0.4 } }") +
       car("DifferentialDrive", "controller TwistPid { kp 20 ki 20 commandTimeout 0 } "));
  order(Twist{0.5, 0, 0});
  run(6);
  EXPECT_NEAR(position().x(), 1 - 0.3, 0.02);
  EXPECT_TRUE(vehicle().collided());
  EXPECT_NEAR(position().z(), 0, 0.02);
}

TEST_F(Ground, GivesTheSameHashForAnyNumberOfThreads) {
  std::uint64_t hashes[2];
  for (int threads : {1, 2}) {
    SimulationOptions options;
    options.build.threads = threads;
    load(hill() + car("DifferentialDrive", "controller TwistPid { kp 20 commandTimeout 0 } ",
                      "translation 1.3 0.8 1.2"),
         options);
    order(Twist{0.5, 0, 0.4});
    run(4);
    EXPECT_GT(speed(), 0.2);
    hashes[threads - 1] = simulation_->state_hash();
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

TEST_F(Ground, CarriesACarAwayOnAMovingPlatform) {
  load(R"(Robot { name "lift" controller "<none>" children [
    SliderJoint { jointParameters JointParameters { axis 0 1 0 }
      device LinearMotor { name "motor" maxVelocity 1 acceleration 1 }
      endPoint Solid { name "deck" translation 0 0 0.95 boundingObject Box { size 4 4 0.1 } } } ] }
)" + car("DifferentialDrive", kRaw, "translation 0 0 1"));
  run(0.5);
  const auto& model = simulation_->model();
  model.physics->set_motor_position(0, 0, physics::kUnlimited);
  model.physics->set_motor_velocity(0, 0, 0.8);
  run(3);
  EXPECT_GT(position().y(), 1.9);
  EXPECT_NEAR(position().y(), model.physics->joint_position(0, 0), 0.01);
  EXPECT_NEAR(position().z(), 1, 1e-3);
}

TEST_F(Ground, LetsTwoCarsCollide) {
  load(kFloor +
       car("DifferentialDrive", "controller TwistPid { kp 20 commandTimeout 0 } ", "name \"a\"") +
       car("DifferentialDrive", kRaw, "name \"b\" translation 2 0 0"));
  EXPECT_EQ(vehicle("a").command(Twist{1, 0, 0}), "");
  bool a = false, b = false;
  for (int i = 0; i < 800; ++i) {
    simulation_->step();
    if (i == 100) {
      EXPECT_FALSE(vehicle("a").collided());
    }
    a = a || vehicle("a").collided();
    b = b || vehicle("b").collided();
  }
  EXPECT_TRUE(a);
  EXPECT_TRUE(b);
  const double gap = vehicle("b").X_WV().p.x() - vehicle("a").X_WV().p.x();
  EXPECT_GT(gap, 0.59) << "they drive through each other";
}

TEST_F(Ground, KeepsACarFiniteThatDrivesOffAnEdge) {
  for (const double yaw_rate : {0.0, 0.8}) {
    load(kFloor +
         "Solid { name \"table\" translation 0 0 0.5 boundingObject Box { size 2 2 1 } }\n" +
         car("DifferentialDrive", "controller TwistPid { kp 20 commandTimeout 0 } ",
             "translation 0 0 1"));
    order(Twist{1, 0, yaw_rate});
    for (int i = 0; i < 2000; ++i) {
      simulation_->step();
      ASSERT_TRUE(position().allFinite());
      ASSERT_LT(velocity().norm(), 20);
    }
    EXPECT_LT(position().z(), 0.6);
    EXPECT_GT(position().z(), -0.05);
    EXPECT_THAT(simulation_->broken_bodies(), testing::IsEmpty());
  }
}

TEST_F(Ground, MovesByDecreeAlongTheGroundAndFallsByItself) {
  load("Solid { rotation 0 1 0 -0.2 boundingObject Plane { } }\n" +
       car("DifferentialDrive", "controller TwistIdeal { commandTimeout 0 } ",
           "rotation 0 1 0 -0.2"));
  order(Twist{1, 0, 0});
  run(3);
  EXPECT_NEAR(position().norm(), 3, 0.01);
  EXPECT_NEAR(position().z(), 3 * std::sin(0.2), 0.01);
  load(
      car("DifferentialDrive", "controller TwistIdeal { commandTimeout 0 } ", "translation 0 0 9"));
  order(Twist{1, 0, 0});
  run(1);
  EXPECT_NEAR(position().z(), 9 - kGravity / 2, 0.05);
}

TEST_F(Ground, KeepsNumbersThatBreakAWheelOutOfTheWorld) {
  load(kFloor + car("DifferentialDrive", kRaw));
  order(TorqueCommand{{1.7e308, -1.7e308}, 0});
  run(2);
  EXPECT_THAT(simulation_->broken_bodies(), testing::ElementsAre("car"));
  EXPECT_TRUE(position().allFinite());
  EXPECT_TRUE(velocity().allFinite());
}

TEST_F(Ground, CarriesARobotOfTwoWheelsUpright) {
  load(kFloor +
       "Robot { name \"car\" controller \"<none>\" boundingObject Pose { translation 0.05 0 0.2 "
       "children [ Box { size 0.4 0.4 0.2 } ] } physics Physics { density -1 mass 15 } children [ "
       "DifferentialDrive { controller RawControl { torque [ 3 3 ] } wheels [ VehicleWheel { "
       "position 0 0.5 0.2 } VehicleWheel { position 0 -0.5 0.2 } ] } ] }");
  run(3);
  EXPECT_GT(position().x(), 1);
  EXPECT_GT((vehicle().X_WV().R * Vec3::UnitZ()).z(), 0.9999);
}

/// A tricycle whose box stands about (x, 0), 0.1 to 0.7 m high.
std::string tricycle(double x, const std::string& fields) {
  return text(
      kFloor, "Robot { name \"car\" controller \"<none>\" boundingObject Pose { translation ", x,
      " 0 0.4 children [ Box { size 0.3 0.5 0.6 } ] } physics Physics { density -1 mass 20 }",
      " children [ DifferentialDrive { controller RawControl { commandTimeout 0 } ", fields,
      " wheels [ VehicleWheel { position 0 0.3 0.1 diameter 0.2 mass 1 } VehicleWheel { ",
      "position 0 -0.3 0.1 diameter 0.2 mass 1 } VehicleWheel { position 0.35 0 0.05 ",
      "diameter 0.1 mass 0.5 } ] } ] }\n");
}

TEST_F(Ground, WhatDoesNotTiltKeepsItsWheelsOnTheGroundHoweverHardItSpeedsUp) {
  const auto lowest_load = [&](const std::string& fields) {
    load(tricycle(0.08, fields));
    order(TorqueCommand{{4, 6}});
    double lowest = 1e9;
    for (int i = 0; i < 100; ++i) {
      run(0.005);
      for (const WheelInWorld& wheel : vehicle().wheels()) {
        lowest = std::min(lowest, wheel.suspension_force);
      }
    }
    return lowest;
  };
  EXPECT_EQ(lowest_load(""), 0);
  EXPECT_GT(lowest_load("tilts FALSE"), 40);
  const double upright = (vehicle().X_WV().R * Vec3::UnitZ()).z();
  EXPECT_GT(upright, std::cos(1e-3));
}

TEST_F(Ground, WhatDoesNotTiltStandsBesideItsCentreOfMassToo) {
  load(tricycle(-0.2, ""));
  run(1);
  EXPECT_LT((vehicle().X_WV().R * Vec3::UnitZ()).z(), std::cos(0.1));
  load(tricycle(-0.2, "tilts FALSE"));
  run(1);
  EXPECT_GT((vehicle().X_WV().R * Vec3::UnitZ()).z(), std::cos(1e-3));
  for (const WheelInWorld& wheel : vehicle().wheels()) EXPECT_GT(wheel.normal_load, 0);
}

}  // namespace
}  // namespace protobeam
