// WheelPair, and the DifferentialWheels of old files that become Robots with one.
#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "base/libm.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/sim/device_named.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

/// Wheels of 2 cm, 5.2 cm apart, as old files have them: x along the axle, y up, -z ahead.
std::string old_wheel(const std::string& side, double x) {
  return "Solid { name \"" + side + " wheel\" translation " + std::to_string(x) +
         R"( 0.02 0 rotation 1 0 0 0.3
    boundingObject Transform { rotation 0 0 1 1.570796 children [ Cylinder { radius 0.02 height 0.005 } ] }
    physics Physics { density -1 mass 0.05 } })";
}

class DifferentialWheelsWorld : public testing::Test {
 protected:
  void load(const std::string& text, const std::string& version = "R2018a") {
    const auto file = folder_.write(
        "worlds/old.wbt", "#VRML_SIM " + version + " utf8\nWorldInfo { basicTimeStep 8 }\n" + text);
    diagnostics_ = {};
    simulation_ = Simulation::load(file, {}, diagnostics_);
    ASSERT_TRUE(simulation_) << diagnostics_.to_string();
  }
  void physical(const std::string& fields) {
    load(R"(Solid { boundingObject Plane { size 100 100 } }
DifferentialWheels { controller "<none>" )" +
         fields + " children [ " + old_wheel("left", -0.026) + old_wheel("Right", 0.026) + R"( ]
  boundingObject Transform { translation 0 0.025 0 children [ Sphere { radius 0.02 } ] }
  physics Physics { density -1 mass 0.5 centerOfMass [ 0 0.01 0 ] } })");
  }
  DeviceModel& pair() { return *device_named(*simulation_, "differential wheels").model; }
  void speeds(double left, double right) {
    EXPECT_EQ(pair().send_command("speeds", {left, right}), "");
  }
  std::array<double, 2> encoders() {
    std::vector<std::byte> data(pair().layout().size);
    Sample sample(data, pair().layout());
    pair().sample({}, sample);
    const auto values = pair().channel<double>(data, 0);
    return {values[0], values[1]};
  }
  void run(double seconds) {
    for (int i = 0; i < std::lround(seconds / 0.008); ++i) simulation_->step();
  }
  double joint_speed(const char* motor) {
    return device_named(*simulation_, motor).joint_port->velocity();
  }
  /// In the world of today: its axes.
  Pose pose() {
    for (const SolidInfo& solid : simulation_->model().solids) {
      if (solid.name == "differential wheels")
        return simulation_->model().physics->pose(solid.body);
    }
    ADD_FAILURE() << "no robot";
    return {};
  }

  TemporaryFolder folder_;
  Diagnostics diagnostics_;
  std::unique_ptr<Simulation> simulation_;
};

TEST_F(DifferentialWheelsWorld, DrivesToMinusZByTheSpeedOfItsWheels) {
  physical("speedUnit 0.1 maxSpeed 8 encoderNoise 0 encoderResolution 100");
  run(0.5);
  const Pose start = pose();
  speeds(50, 50);
  run(0.4);
  const Vec3 before = start.inverse() * pose().p;
  const auto counted = encoders();
  run(1);
  const Vec3 way = start.inverse() * pose().p - before;
  EXPECT_NEAR(way.z(), -0.02 * 5, 2e-3);
  EXPECT_NEAR(way.x(), 0, 2e-3);
  EXPECT_NEAR(encoders()[0] - counted[0], 500, 5);
  EXPECT_NEAR(encoders()[1] - counted[1], 500, 5);
  speeds(-20, 200);  // 20 rad/s are more than it can
  run(0.4);
  EXPECT_NEAR(joint_speed("left wheel motor"), -2, 0.02);
  EXPECT_NEAR(joint_speed("right wheel motor"), 8, 0.1);
}

TEST_F(DifferentialWheelsWorld, WithoutPhysicsFollowsAxleLengthAndWheelRadius) {
  load(R"(DifferentialWheels { controller "<none>" translation 0 1 0 axleLength 0.2 wheelRadius 0.05
  slipNoise 0 encoderNoise 0 encoderResolution 10 maxAcceleration 100 })");
  const Pose start = pose();
  speeds(2, 6);
  run(0.16);
  const Pose before = pose();
  const auto counted = encoders();
  run(0.8);
  // v = 0.05 (2 + 6) / 2 = 0.2 m/s, w = 0.05 (6 - 2) / 0.2 = 1 rad/s to the left.
  const Pose moved = before.inverse() * pose();
  const double chord = 2 * 0.2 * libm::sin(0.4);
  EXPECT_NEAR(moved.p.z(), -chord * libm::cos(0.4), 1e-4);
  EXPECT_NEAR(moved.p.x(), -chord * libm::sin(0.4), 1e-4);
  EXPECT_NEAR(moved.p.y(), 0, 1e-9);
  EXPECT_NEAR(2 * libm::atan2(moved.R.y(), moved.R.w()), 0.8, 1e-4);
  EXPECT_NEAR(encoders()[0] - counted[0], 16, 0.01);
  EXPECT_NEAR(encoders()[1] - counted[1], 48, 0.03);
  EXPECT_EQ((start.inverse() * pose()).p.y(), 0);
}

TEST_F(DifferentialWheelsWorld, SlipsAndMiscountsByTheirNoise) {
  load(R"(DifferentialWheels { controller "<none>" wheelRadius 0.05 encoderNoise 0.5
  encoderResolution 100 maxAcceleration 1000 })");
  speeds(4, 4);
  run(0.1);
  double least = 10, most = 0, last = encoders()[0];
  for (int i = 0; i < 200; ++i) {
    run(0.008);
    least = std::min(least, joint_speed("left wheel motor"));
    most = std::max(most, joint_speed("left wheel motor"));
  }
  // 10 % of slip is the default.
  EXPECT_NEAR(least, 3.6, 0.05);
  EXPECT_NEAR(most, 4.4, 0.05);
  // Uniform noise of 50 % in each of 200 steps: in the mean 4 rad/s, 0.29 / sqrt(200) beside it.
  EXPECT_NEAR((encoders()[0] - last) / (100 * 4 * 1.6), 1, 0.08);
  EXPECT_GT(std::abs((encoders()[0] - last) / (100 * 4 * 1.6) - 1), 1e-6);
}

TEST_F(DifferentialWheelsWorld, CountsNothingWithoutEncodersAndFromWhatTheyWereSetTo) {
  load(R"(DifferentialWheels { controller "<none>" })");
  speeds(3, 3);
  run(0.4);
  EXPECT_EQ(encoders()[0], 0);
  load(
      R"(DifferentialWheels { controller "<none>" slipNoise 0 encoderNoise 0 encoderResolution 10 })");
  speeds(3, 3);
  run(0.8);
  EXPECT_EQ(pair().send_command("encoders", {-7, 1000}), "");
  const auto set = encoders();
  EXPECT_EQ(set[0], -7);
  run(0.8);
  EXPECT_NEAR(encoders()[0], -7 + 24, 0.05);
  EXPECT_NEAR(encoders()[1], 1000 + 24, 0.05);
}

TEST_F(DifferentialWheelsWorld, GoesOnFromAState) {
  load(R"(DifferentialWheels { controller "<none>" encoderNoise 0.2 encoderResolution 10 })");
  speeds(3, -2);
  run(0.2);
  const auto state = simulation_->save();
  run(0.4);
  const auto counted = encoders();
  const auto hash = simulation_->state_hash();
  simulation_->restore(state);
  run(0.4);
  EXPECT_EQ(encoders(), counted);
  EXPECT_EQ(simulation_->state_hash(), hash);
}

TEST_F(DifferentialWheelsWorld, SaysWhichWheelsDoNotTurn) {
  load(R"(DifferentialWheels { controller "<none>"
  children [ Solid { name "left wheel" boundingObject Sphere { radius 0.02 } } ]
  boundingObject Sphere { radius 0.05 } physics Physics { } })");
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("DifferentialWheels: the Solid \"left wheel\" has no Physics: nothing turns it"));
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("no Solid \"right wheel\" among its children"));
  speeds(1, 1);
  run(0.1);
}

/// An e-puck of today in a file of a time when it was a DifferentialWheels, and had another name.
TEST_F(DifferentialWheelsWorld, AnEPuckIsOneInFilesBeforeR2018a) {
  const std::string proto = R"(PROTO E-puck [ ] { Robot { controller "<none>" children [
  HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0.026 0.02 }
    device RotationalMotor { name "left wheel motor" maxVelocity 6.28 maxTorque 1000 } endPoint Solid { } }
  HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 -0.026 0.02 }
    device RotationalMotor { name "right wheel motor" maxVelocity 6.28 maxTorque 1000 } endPoint Solid { name "b" } }
] } })";
  folder_.write("protos/E-puck.proto", "#VRML_SIM R2022a utf8\n" + proto);
  for (const char* name : {"E-puck", "EPuck"}) {
    load(std::string(name) + " { }", "V8.5");
    EXPECT_EQ(diagnostics_.to_string(), "") << name;
    speeds(500, 1000);
    run(0.4);
    EXPECT_NEAR(joint_speed("left wheel motor"), 3.14, 1e-3);
    EXPECT_NEAR(joint_speed("right wheel motor"), 6.28, 1e-3);
    EXPECT_NEAR(encoders()[1] / encoders()[0], 2, 0.02);
  }
  load("E-puck { }", "R2018a");
  EXPECT_EQ(simulation_->find_device("differential wheels"), nullptr);
}

}  // namespace
}  // namespace protobeam
