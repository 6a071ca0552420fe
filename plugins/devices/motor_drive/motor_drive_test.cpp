// MotorDrive in worlds: what wheels do for a twist, and where they say that the robot is.
#include <gmock/gmock.h>

#include <cmath>

#include "message/geometry_msgs.h"
#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

constexpr double kStep = 0.008;  // s

std::string wheel(const std::string& motor, double x, double y, const std::string& limits = "") {
  return fmt::format(R"(
  HingeJoint {{
    jointParameters HingeJointParameters {{ axis 0 1 0 anchor {0} {1} 0.05 }}
    device RotationalMotor {{ name "{2}" maxVelocity 100 {3} }}
    endPoint Solid {{
      name "{2} wheel" translation {0} {1} 0.05
      boundingObject Sphere {{ radius 0.05 }}
      physics Physics {{ density -1 mass 0.2 }}
    }}
  }})",
                     x, y, motor, limits);
}

/// A robot of two wheels of 0.05 m that are 0.3 m apart, and a smooth ball behind.
std::string cart(const std::string& fields = "", const std::string& limits = "") {
  return R"(Robot { name "cart" controller "<none>" children [)" + wheel("left", 0, 0.15, limits) +
         wheel("right", 0, -0.15, limits) +
         R"(
    MotorDrive { leftMotors "left" rightMotors "right" wheelRadius 0.05 wheelSeparation 0.3 )" +
         fields + R"( } ]
  boundingObject Group { children [
    Pose { translation 0 0 0.08 children [ Box { size 0.2 0.2 0.05 } ] }
    Pose { translation -0.1 0 0.02 children [ Sphere { radius 0.02 } ] } ] }
  contactMaterial "ball"
  physics Physics { density -1 mass 3 centerOfMass [ -0.02 0 0.05 ] } })";
}
const std::string kFloor = R"(Solid { name "floor" boundingObject Plane { size 100 100 } })";
const std::string kSmooth = R"(contactProperties [
  ContactProperties { material1 "ball" coulombFriction 0 } ])";

class MotorDriveWorld : public testing::Test {
 protected:
  void load(const std::string& text, const std::string& info = "gravity 0") {
    simulation_ = &world_.load(text, info);
  }
  std::string problem_of(const std::string& text) {
    try {
      load(text);
    } catch (const std::runtime_error& problem) {
      return problem.what();
    }
    return "";
  }
  DeviceModel& drive() { return *device_named(*simulation_, "drive").model; }
  std::string twist(double vx, double vy, double w) {
    return drive().send_command("twist", {vx, vy, w});
  }
  void run(double seconds) {
    const double until = simulation_->time() + seconds;
    while (simulation_->time() < until - 1e-9) simulation_->step();
  }
  double speed(const std::string& motor) {
    return device_named(*simulation_, motor).joint_port->velocity();
  }
  WheelOdometry odometry() { return drive().odometry().value(); }
  Pose truth() {
    const WorldModel& model = simulation_->model();
    for (const SolidInfo& solid : model.solids) {
      if (solid.name == "cart") return model.physics->pose(solid.body) * solid.X_BS;
    }
    throw std::runtime_error("no cart");
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(MotorDriveWorld, TurnsWheelsByTheTwist) {
  load(cart());
  EXPECT_EQ(twist(0.5, 0, 0.4), "");
  run(0.2);
  EXPECT_NEAR(speed("left"), (0.5 - 0.06) / 0.05, 1e-3);
  EXPECT_NEAR(speed("right"), (0.5 + 0.06) / 0.05, 1e-3);
  EXPECT_NEAR(odometry().vx, 0.5, 1e-4);
  EXPECT_NEAR(odometry().yaw_rate, 0.4, 1e-3);
  EXPECT_EQ(odometry().vy, 0);
}

TEST_F(MotorDriveWorld, ChangesSpeedAndYawRateEachByItsOwnLimits) {
  load(
      cart("commandTimeout 0 speedLimits [ -0.1 0.6 ] accelerationLimits [ -2 1 ] "
           "yawAccelerationLimits [ -0.5 0.5 ]"));
  twist(3, 0, 0.4);
  run(0.4);
  EXPECT_NEAR(odometry().vx, 0.4, 0.01);
  EXPECT_NEAR(odometry().yaw_rate, 0.2, 0.01);
  run(1);
  EXPECT_NEAR(odometry().vx, 0.6, 1e-3);
  EXPECT_NEAR(odometry().yaw_rate, 0.4, 1e-3);
  twist(-3, 0, 0.4);
  run(0.2);
  EXPECT_NEAR(odometry().vx, 0.2, 0.02);
  run(0.5);
  EXPECT_NEAR(odometry().vx, -0.1, 1e-3);
  EXPECT_THAT(problem_of(cart("accelerationLimits [ 1 2 ]")),
              HasSubstr("field 'accelerationLimits' must be empty or the least, at most 0, and the "
                        "greatest, at least 0"));
  EXPECT_THAT(problem_of(cart("jerkLimits [ -1 ]")), HasSubstr("field 'jerkLimits' must be empty"));
}

TEST_F(MotorDriveWorld, DrivesACircleAndTellsWhereItIs) {
  load(kFloor + cart(), kSmooth);
  const double v = 0.3, w = 0.5, R = v / w;
  for (int i = 0; i < 8; ++i) {  // a half turn takes 2 pi s
    twist(v, 0, w);
    run(kPi / w / 8);
  }
  const Pose X = truth();
  EXPECT_NEAR(X.p.x(), 0, 0.02 * R);
  EXPECT_NEAR(X.p.y(), 2 * R, 0.02 * R);
  const OdometryPose pose = odometry().pose;
  const double slip = 0.02 * kPi * R;  // of the way
  EXPECT_NEAR(pose.x, X.p.x(), slip);
  EXPECT_NEAR(pose.y, X.p.y(), slip);
  EXPECT_NEAR(std::abs(pose.yaw), kPi, 0.04);
}

TEST_F(MotorDriveWorld, KeepsToTheCurveWhenAMotorIsTooSlow) {
  load(cart("", "maxVelocity 10"));
  twist(1, 0, 2);  // 14 and 26 rad/s
  run(0.5);
  EXPECT_NEAR(speed("right"), 10, 1e-3);
  EXPECT_NEAR(speed("left"), 10.0 * 14 / 26, 1e-3);
}

TEST_F(MotorDriveWorld, SpeedsUpNoFasterThanAllowed) {
  load(cart("maxAcceleration 0.5"));
  twist(0.4, 0, 0);
  run(0.4);
  EXPECT_NEAR(speed("left"), 0.5 * 0.4 / 0.05, 0.1);
  twist(0.4, 0, 0);
  run(0.6);
  EXPECT_NEAR(speed("left"), 0.4 / 0.05, 1e-3);
}

TEST_F(MotorDriveWorld, GoesAndTurnsNoFasterThanItMay) {
  load(cart("maxVelocity 0.3 maxYawRate 0.5"));
  twist(2, 0, -0.4);
  run(0.2);
  EXPECT_NEAR(odometry().vx, 0.3, 1e-4);
  EXPECT_NEAR(odometry().yaw_rate, -0.4, 1e-3);  // each has its own limit
  twist(-2, 0, -4);
  run(0.2);
  EXPECT_NEAR(odometry().vx, -0.3, 1e-4);
  EXPECT_NEAR(odometry().yaw_rate, -0.5, 1e-3);
}

TEST_F(MotorDriveWorld, StopsWhenNobodyRenewsTheTwist) {
  load(cart("commandTimeout 0.5"));
  twist(0.4, 0, 0);
  run(0.48);
  EXPECT_NEAR(speed("left"), 8, 1e-3);
  run(0.1);
  EXPECT_NEAR(speed("left"), 0, 1e-3);
  load(cart("commandTimeout 0"));
  twist(0.4, 0, 0);
  run(5);
  EXPECT_NEAR(speed("left"), 8, 1e-3);
  drive().release();
  run(0.1);
  EXPECT_NEAR(speed("left"), 0, 1e-3);
}

TEST_F(MotorDriveWorld, LeavesMotorsToTheControllerBeforeTheFirstTwist) {
  load(cart());
  DeviceModel& left = *device_named(*simulation_, "left").model;
  left.send_command("position", {std::numeric_limits<double>::infinity()});
  left.send_command("velocity", {3});
  run(1);
  EXPECT_NEAR(speed("left"), 3, 1e-3);
  EXPECT_NEAR(odometry().pose.yaw, -3 * 0.05 / 0.3, 0.01);  // the right one holds
  EXPECT_NEAR(odometry().yaw_rate, -0.5, 1e-3);
}

TEST_F(MotorDriveWorld, TurnsMecanumWheelsAsRosDoes) {
  load(R"(Robot { name "cart" controller "<none>" children [)" + wheel("fl", 0.2, 0.15) +
       wheel("rl", -0.2, 0.15) + wheel("fr", 0.2, -0.15) + wheel("rr", -0.2, -0.15) + R"(
    MotorDrive { kinematics "mecanum" leftMotors [ "fl" "rl" ] rightMotors [ "fr" "rr" ]
      wheelRadius 0.05 wheelSeparation 0.3 wheelbase 0.4 } ]
    boundingObject Box { size 0.2 0.2 0.05 } physics Physics { density -1 mass 20 } })");
  const double vx = 0.2, vy = -0.1, w = 0.3, r = 0.05;
  twist(vx, vy, w);
  run(0.2);
  // ros2_controllers, mecanum_drive_controller.cpp: the sum of the half distances between wheels.
  const double k = 0.15 + 0.2;
  EXPECT_NEAR(speed("fl"), (vx - vy - k * w) / r, 1e-3);
  EXPECT_NEAR(speed("fr"), (vx + vy + k * w) / r, 1e-3);
  EXPECT_NEAR(speed("rl"), (vx + vy - k * w) / r, 1e-3);
  EXPECT_NEAR(speed("rr"), (vx - vy + k * w) / r, 1e-3);
  EXPECT_NEAR(odometry().vx, vx, 1e-4);
  EXPECT_NEAR(odometry().vy, vy, 1e-4);
  EXPECT_NEAR(odometry().yaw_rate, w, 1e-3);
}

/// A youBot rolls on wheels that slip along their rollers (contact rules as in Webots' youbot.wbt):
/// it goes where the twist says only if no sign is wrong.
TEST_F(MotorDriveWorld, RollsSidewaysOnMecanumWheels) {
  const std::string rules = [] {
    std::string out;
    for (const auto* wheel : {"Interior -0.785398", "Exterior 0.785398"}) {
      const std::string name(wheel, 8);
      out += "ContactProperties { material1 \"" + name +
             "WheelMat\" coulombFriction [ 0 2 0 ] bounce 0 forceDependentSlip [ 10 0 ] "
             "frictionRotation " +
             std::string(wheel + 9) + " 0 }\n";
    }
    return out;
  }();
  load(kFloor + R"(Youbot { name "cart" controller "<none>" translation 0 0 0.105 bodySlot [
    MotorDrive { kinematics "mecanum" leftMotors [ "wheel2" "wheel4" ] rightMotors [ "wheel1" "wheel3" ]
      wheelRadius 0.05 wheelSeparation 0.316 wheelbase 0.456 commandTimeout 0 } ] })",
       "contactProperties [ " + rules + " ]");
  run(0.5);
  const Pose start = truth();
  twist(0, 0.2, 0);
  run(2);
  const Vec3 aside = truth().p - start.p;
  EXPECT_NEAR(aside.x(), 0, 0.02);
  EXPECT_NEAR(aside.y(), 0.4, 0.02);
  twist(0.2, 0, 0);
  run(2);
  const Vec3 ahead = truth().p - start.p - aside;
  EXPECT_NEAR(ahead.x(), 0.4, 0.02);
  EXPECT_NEAR(ahead.y(), 0, 0.02);
  EXPECT_NEAR(odometry().pose.x, 0.4, 0.02);
  EXPECT_NEAR(odometry().pose.y, 0.4, 0.02);
}

const char* const kMecanum = R"(
    MotorDrive { kinematics "mecanum" leftMotors [ "fl" "rl" ] rightMotors [ "fr" "rr" ]
      wheelRadius 0.05 wheelSeparation 0.3 wheelbase 0.4 pushesRobot TRUE } ]
    contactMaterial "ball"
    boundingObject Pose { translation 0 0 0.1 children [ Box { size 0.2 0.2 0.05 } ] }
    physics Physics { density -1 mass 5 centerOfMass [ 0.03 0 0.1 ] } })";

TEST_F(MotorDriveWorld, PushesARobotOnMecanumWheels) {
  std::string text = kFloor + R"(Robot { name "cart" controller "<none>" children [)" +
                     wheel("fl", 0.2, 0.15) + wheel("rl", -0.2, 0.15) + wheel("fr", 0.2, -0.15) +
                     wheel("rr", -0.2, -0.15) + kMecanum;
  const std::string made = R"(endPoint Solid { contactMaterial "ball")";
  for (std::size_t at = 0; (at = text.find("endPoint Solid {", at)) != std::string::npos;
       at += made.size())
    text.replace(at, 16, made);
  load(text, kSmooth);
  run(0.2);
  const Vec3 start = truth().p;
  for (int i = 0; i < 4; ++i) {
    twist(0.1, 0.2, 0);
    run(0.5);
  }
  Vec3 moved = truth().p - start;
  EXPECT_NEAR(moved.x(), 0.2, 0.01);
  EXPECT_NEAR(moved.y(), 0.4, 0.02);
  EXPECT_NEAR(odometry().pose.y, 0.4, 0.01);
  for (int i = 0; i < 4; ++i) {
    twist(0, 0, 0.4);
    run(0.5);
  }
  EXPECT_NEAR(2 * std::atan2(truth().R.z(), truth().R.w()), 0.8, 0.03);
  EXPECT_GT((truth().R * Vec3::UnitZ()).z(), 0.999);
}

std::string sled(const std::string& fields = "") {
  return R"(Robot { name "cart" translation 0 0 0.05 controller "<none>" children [
    MotorDrive { kinematics "planar" )" +
         fields + R"( } ] contactMaterial "ball" boundingObject Box { size 0.4 0.3 0.1 }
    physics Physics { density -1 mass 8 centerOfMass [ 0.05 0 0.02 ] } })";
}

TEST_F(MotorDriveWorld, PushesARobotWithoutWheels) {
  load(kFloor + sled(), kSmooth);
  run(0.1);
  for (int i = 0; i < 4; ++i) {
    twist(0.3, -0.1, 0.5);
    run(0.5);
  }
  // Along a circle of the twist, whose yaw is 1 rad by now.
  const double ahead = 0.3, aside = -0.1, w = 0.5;
  const Pose X = truth();
  EXPECT_NEAR(2 * std::atan2(X.R.z(), X.R.w()), 1, 0.01);
  EXPECT_NEAR(X.p.x(), (ahead * std::sin(1) - aside * (1 - std::cos(1))) / w, 0.01);
  EXPECT_NEAR(X.p.y(), (ahead * (1 - std::cos(1)) + aside * std::sin(1)) / w, 0.01);
  EXPECT_NEAR(odometry().pose.x, X.p.x(), 1e-3);
  EXPECT_NEAR(odometry().pose.y, X.p.y(), 1e-3);
  EXPECT_NEAR(odometry().pose.yaw, 1, 0.01);
  EXPECT_NEAR(odometry().vy, aside, 1e-3);
  twist(0, 0, 0);
  run(0.2);
  EXPECT_NEAR(odometry().vx, 0, 1e-3);
  EXPECT_NEAR(odometry().yaw_rate, 0, 1e-3);
}

TEST_F(MotorDriveWorld, PushesAgainstFrictionAndASlopeButNotThroughAWall) {
  load(kFloor + sled("maxAcceleration 0.5"), "gravity 9.81");  // friction 1
  twist(0.2, 0, 0);
  run(0.8);
  EXPECT_NEAR(odometry().vx, 0.2, 0.01);
  load(
      R"(Solid { name "floor" rotation 0 1 0 0.1 boundingObject Plane { size 100 100 } })" + sled(),
      kSmooth);
  run(1);
  const Vec3 held = truth().p;
  run(1);
  EXPECT_LT((truth().p - held).norm(), 1e-3);
  load(kFloor + sled() +
           R"(Solid { name "wall" translation 0.5 0 0.5 boundingObject Box { size 0.1 2 1 } })",
       kSmooth);
  for (int i = 0; i < 6; ++i) {
    twist(0.4, 0, 0);
    run(0.5);
  }
  EXPECT_NEAR(truth().p.x(), 0.25, 0.02);
  EXPECT_GT((truth().R * Vec3::UnitZ()).z(), 0.99);
}

TEST_F(MotorDriveWorld, PushesOnFromAState) {
  load(kFloor + sled("maxAcceleration 0.5"), kSmooth);
  twist(0.4, 0.1, 0.3);
  run(0.2);
  const auto state = simulation_->save();
  run(0.6);
  const auto hash = simulation_->state_hash();
  const OdometryPose pose = odometry().pose;
  simulation_->restore(state);
  run(0.6);
  EXPECT_EQ(simulation_->state_hash(), hash);
  EXPECT_EQ(odometry().pose.yaw, pose.yaw);
}

TEST_F(MotorDriveWorld, TakesTwistsOfOtherPrograms) {
  load(cart());
  auto subscriptions = drive().subscriptions({});
  ASSERT_EQ(subscriptions.size(), 1u);
  EXPECT_EQ(subscriptions[0].name, "cmd_vel");
  message::Twist wanted;
  wanted.linear.x = 0.25;
  subscriptions[0].take(message::to_cdr(wanted));
  run(0.1);
  EXPECT_NEAR(speed("right"), 5, 1e-3);
  wanted.linear.x = std::numeric_limits<double>::quiet_NaN();
  subscriptions[0].take(message::to_cdr(wanted));
  run(0.1);
  EXPECT_NEAR(speed("right"), 5, 1e-3);
}

TEST_F(MotorDriveWorld, GoesOnFromAState) {
  load(cart("maxAcceleration 0.5"));
  twist(0.4, 0, 0.3);
  run(0.2);
  const auto state = simulation_->save();
  run(0.6);
  const OdometryPose pose = odometry().pose;
  const auto hash = simulation_->state_hash();
  simulation_->restore(state);
  EXPECT_LT(odometry().pose.x, pose.x);
  run(0.6);
  EXPECT_EQ(odometry().pose.x, pose.x);
  EXPECT_EQ(odometry().pose.yaw, pose.yaw);
  EXPECT_EQ(simulation_->state_hash(), hash);
}

std::string steered_wheel(const std::string& motor, double y) {
  return fmt::format(R"(
  HingeJoint {{
    jointParameters HingeJointParameters {{ axis 0 0 1 anchor 0.4 {0} 0.05 }}
    device RotationalMotor {{ name "{1}" maxVelocity 3 }}
    endPoint Solid {{
      name "{1} knuckle" translation 0.4 {0} 0.05 physics Physics {{ density -1 mass 0.2
        inertiaMatrix [ 2e-4 2e-4 2e-4, 0 0 0 ] centerOfMass [ 0 0 0 ] }}
      children HingeJoint {{
        jointParameters HingeJointParameters {{ axis 0 1 0 }}
        endPoint Solid {{
          name "{1} wheel" boundingObject Sphere {{ radius 0.05 }} physics Physics {{ density -1 mass 0.2 }}
        }} }} }} }})",
                     y, motor);
}

/// A car with a wheelbase of 0.4 m whose rear wheels, 0.3 m apart, drive; it steers two wheels that
/// are 0.24 m apart, or one in the middle.
std::string car(bool two_steer, const std::string& fields = "") {
  const std::string front =
      two_steer ? steered_wheel("sl", 0.12) + steered_wheel("sr", -0.12) : steered_wheel("s", 0);
  return R"(Robot { name "cart" controller "<none>" children [)" + wheel("left", 0, 0.15) +
         wheel("right", 0, -0.15) + front + R"(
    MotorDrive { kinematics "ackermann" leftMotors "left" rightMotors "right" wheelRadius 0.05
      wheelSeparation 0.3 wheelbase 0.4 commandTimeout 0 steeringMotors [ )" +
         (two_steer ? R"("sl" "sr")" : R"("s")") + " ] " + fields + R"( } ]
  boundingObject Pose { translation 0.2 0 0.12 children [ Box { size 0.5 0.2 0.05 } ] }
  physics Physics { density -1 mass 5 centerOfMass [ 0.2 0 0.1 ] } })";
}

class SteeredCar : public MotorDriveWorld, public testing::WithParamInterface<bool> {};

TEST_P(SteeredCar, DrivesTheCircleOfItsTwist) {
  load(kFloor + car(GetParam(), "steeringSeparation 0.24"), kSmooth);
  const double v = 0.4, w = 0.3, R = v / w;
  twist(v, 0, w);
  run(0.6);
  const Pose start = truth();
  const OdometryPose told = odometry().pose;
  for (int i = 0; i < 8; ++i) {
    twist(v, 0, w);
    run(kPi / w / 8);
  }
  // Half a circle later it is at the other end of its diameter.
  const Vec3 way = start.inverse() * truth().p;
  EXPECT_NEAR(way.y(), 2 * R, 0.02 * R);
  EXPECT_NEAR(way.x(), 0, 0.03 * R);
  const OdometryPose now = odometry().pose;
  EXPECT_NEAR(std::hypot(now.x - told.x, now.y - told.y), 2 * R, 0.02 * R);
  EXPECT_NEAR(odometry().yaw_rate, w, 0.002);
  // Its wheels do not scrub: they are at right angles to the way to the middle of the turn.
  EXPECT_NEAR(speed("left"), (v - w * 0.15) / 0.05, 0.01);
  EXPECT_NEAR(speed("right"), (v + w * 0.15) / 0.05, 0.01);
  const auto angle = [&](const char* motor) {
    return device_named(*simulation_, motor).joint_port->position();
  };
  if (GetParam()) {
    EXPECT_NEAR(angle("sl"), std::atan(0.4 / (R - 0.12)), 1e-3);
    EXPECT_NEAR(angle("sr"), std::atan(0.4 / (R + 0.12)), 1e-3);
  } else {
    EXPECT_NEAR(angle("s"), std::atan(0.4 / R), 1e-3);
  }
}

TEST_P(SteeredCar, BacksUpByTheSameCircle) {
  load(kFloor + car(GetParam(), "steeringSeparation 0.24"), kSmooth);
  twist(-0.4, 0, 0.3);
  run(0.6);
  const double before = odometry().pose.yaw;
  twist(-0.4, 0, 0.3);
  run(0.9);
  EXPECT_NEAR(odometry().pose.yaw - before, 0.27, 0.003);
  EXPECT_LT(truth().p.x(), -0.3);
}

INSTANTIATE_TEST_SUITE_P(wheels, SteeredCar, testing::Bool());

TEST_F(MotorDriveWorld, SteersNoFurtherThanItMay) {
  load(kFloor + car(false, "maxSteeringAngle 0.3"), kSmooth);
  twist(0.2, 0, 2);  // atan(0.4 * 2 / 0.2) = 1.3 rad
  run(0.8);
  EXPECT_NEAR(device_named(*simulation_, "s").joint_port->position(), 0.3, 1e-3);
  EXPECT_NEAR(odometry().yaw_rate, 0.2 * std::tan(0.3) / 0.4, 1e-3);
  twist(0, 0, -1);  // it cannot turn on the spot
  run(0.8);
  EXPECT_NEAR(device_named(*simulation_, "s").joint_port->position(), -0.3, 1e-3);
  EXPECT_NEAR(odometry().vx, 0, 1e-3);
}

TEST_F(MotorDriveWorld, SteersByTheAngleOfItsTwist) {
  load(kFloor + car(false, "twistSteers TRUE maxSteeringAngle 0.3"), kSmooth);
  const auto angle = [&] { return device_named(*simulation_, "s").joint_port->position(); };
  twist(0.2, 0, 0.25);
  run(0.8);
  EXPECT_NEAR(angle(), 0.25, 1e-3);
  EXPECT_NEAR(odometry().yaw_rate, 0.2 * std::tan(0.25) / 0.4, 1e-3);
  twist(-0.2, 0, 0.25);  // backwards to the other side, as in gazebo_ros_ackermann_drive
  run(0.8);
  EXPECT_NEAR(angle(), -0.25, 1e-3);
  twist(0, 0, 2);
  run(0.8);
  EXPECT_NEAR(angle(), 0.3, 1e-3);
}

TEST_F(MotorDriveWorld, TellsAFiniteCurveOfWheelsThatAreTurnedAcross) {
  load(kFloor + car(true), kSmooth);
  twist(0.2, 0, 0);
  run(0.1);
  for (const double angle : {1.2, kPi / 2, 2.5, -kPi / 2}) {
    for (const char* motor : {"sl", "sr"})
      device_named(*simulation_, motor).model->send_command("position", {angle});
    run(1.5);
    // At most about one of the driven wheels, 0.15 m from the middle.
    EXPECT_LE(std::abs(odometry().yaw_rate), std::abs(odometry().vx) / 0.15 + 1e-9) << angle;
  }
}

TEST_F(MotorDriveWorld, RidesABicycleAsItsOnlyDrivenWheelTurns) {
  load(R"(Robot { name "cart" controller "<none>" children [)" + wheel("rear", 0, 0) +
       steered_wheel("s", 0) + R"(
    MotorDrive { kinematics "ackermann" leftMotors "rear" steeringMotors "s" wheelRadius 0.05
      wheelbase 0.4 commandTimeout 0 } ] physics Physics { density -1 mass 5 centerOfMass [ 0.2 0 0.1 ] } })");
  twist(0.4, 0, 0.3);
  run(0.6);
  EXPECT_NEAR(speed("rear"), 0.4 / 0.05, 1e-3);
  EXPECT_NEAR(odometry().vx, 0.4, 1e-3);
  EXPECT_NEAR(odometry().yaw_rate, 0.3, 1e-3);
}

/// Its front wheel, 0.4 m ahead of the two others, is steered and driven.
std::string tricycle(const std::string& fields) {
  return R"(Robot { name "cart" controller "<none>" children [
    HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 anchor 0.4 0 0.05 }
      device RotationalMotor { name "steer" maxVelocity 20 }
      endPoint Solid { translation 0.4 0 0.05 children [
        HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 }
          device RotationalMotor { name "pull" maxVelocity 100 }
          endPoint Solid { name "front" boundingObject Sphere { radius 0.05 } physics Physics { density -1 mass 0.4 } } } ]
        physics Physics { density -1 mass 0.2 inertiaMatrix [ 0.001 0.001 0.001 0 0 0 ] } } }
    HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0.15 0.05 }
      endPoint Solid { name "l" translation 0 0.15 0.05 boundingObject Sphere { radius 0.05 } physics Physics { density -1 mass 0.2 } } }
    HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 -0.15 0.05 }
      endPoint Solid { name "r" translation 0 -0.15 0.05 boundingObject Sphere { radius 0.05 } physics Physics { density -1 mass 0.2 } } }
    MotorDrive { kinematics "tricycle" leftMotors "pull" steeringMotors "steer" wheelRadius 0.05 wheelbase 0.4
      commandTimeout 0 )" +
         fields + R"( } ]
  boundingObject Pose { translation 0.15 0 0.12 children [ Box { size 0.3 0.2 0.05 } ] }
  physics Physics { density -1 mass 3 centerOfMass [ 0.15 0 0.06 ] } })";
}

TEST_F(MotorDriveWorld, DrivesATricycleByItsSteeredWheel) {
  for (const double v : {0.2, -0.2}) {
    SCOPED_TRACE(v);
    load(kFloor + tricycle("maxSteeringAngle 1.2"), "");
    const double w = 0.3;
    twist(v, 0, w);
    run(2);
    const Pose start = truth();
    const OdometryPose told = odometry().pose;
    run(kPi / w);
    // Half a circle later it is at the other end of its diameter.
    EXPECT_NEAR((start.inverse() * truth().p).norm(), 2 * 0.2 / w, 0.02);
    const OdometryPose now = odometry().pose;
    EXPECT_NEAR(std::hypot(now.x - told.x, now.y - told.y), 2 * 0.2 / w, 0.01);
    EXPECT_NEAR(odometry().vx, v, 1e-3);
    EXPECT_NEAR(odometry().yaw_rate, w, 2e-3);
    // The front wheel goes along a circle of its own.
    const double angle = device_named(*simulation_, "steer").joint_port->position();
    EXPECT_NEAR(angle, std::copysign(std::atan(0.4 * w / 0.2), v), 1e-3);
    EXPECT_NEAR(speed("pull") * 0.05, std::copysign(std::hypot(0.2, 0.4 * w), v), 2e-3);
  }
}

TEST_F(MotorDriveWorld, TurnsATricycleOnTheSpotIfItMaySteerAcross) {
  load(kFloor + tricycle("maxSteeringAngle 1.5707"), "");
  twist(0, 0, 0.5);
  run(1);
  const Pose start = truth();
  const double yaw = odometry().pose.yaw;
  run(2);
  const Pose moved = start.inverse() * truth();
  EXPECT_NEAR(moved.p.head<2>().norm(), 0, 0.01);
  EXPECT_NEAR(2 * std::atan2(moved.R.z(), moved.R.w()), 1, 0.03);
  EXPECT_NEAR(odometry().pose.yaw - yaw, 1, 0.01);
  load(kFloor + tricycle("maxSteeringAngle 1"), "");
  twist(0, 0, 0.5);
  run(1);
  EXPECT_NEAR(speed("pull"), 0, 1e-6);
}

TEST_F(MotorDriveWorld, TellsWhatMotorsATricycleMisses) {
  EXPECT_THAT(
      problem_of(R"(Robot { children [ MotorDrive { kinematics "tricycle" leftMotors [ "a" "b" ]
          steeringMotors "c" } ] })"),
      HasSubstr("field 'leftMotors' of MotorDrive must name the motor where its kinematics "
                "is tricycle, got 2"));
}

TEST_F(MotorDriveWorld, TellsWhatMotorsItMisses) {
  EXPECT_THAT(
      problem_of(R"(Robot { name "cart" controller "<none>" children [)" +
                 wheel("left wheel", 0, 0.15) +
                 R"( MotorDrive { leftMotors "left wheell" rightMotors "left wheel" } ] })"),
      testing::AllOf(HasSubstr("error: field 'leftMotors' of MotorDrive: robot 'cart' has no "
                               "motor 'left wheell' that turns a wheel"),
                     HasSubstr("did you mean 'left wheel'?")));
  EXPECT_THAT(problem_of(R"(Robot { controller "<none>" children [ MotorDrive { } ] })"),
              HasSubstr("field 'leftMotors' of MotorDrive must name the motors of these wheels"));
  EXPECT_THAT(
      problem_of(R"(Robot { controller "<none>" children [
          MotorDrive { kinematics "mecanum" leftMotors [ "a" "b" "c" ] rightMotors [ "a" "b" ] } ] })"),
      HasSubstr("field 'leftMotors' of MotorDrive must name two motors, front and rear, got 3"));
  EXPECT_THAT(
      problem_of(R"(Robot { controller "<none>" children [
          MotorDrive { kinematics "ackermann" leftMotors "a" rightMotors "b" } ] })"),
      HasSubstr("field 'steeringMotors' of MotorDrive must name one motor or two, left and right, "
                "got 0"));
  EXPECT_THAT(problem_of(R"(Robot { controller "<none>" children [
          MotorDrive { leftMotors "a" rightMotors "b" steeringMotors "c" } ] })"),
              HasSubstr("must name none unless its kinematics is ackermann, got 1"));
  EXPECT_THAT(problem_of(R"(Robot { controller "<none>" children [
          MotorDrive { kinematics "tank" } ] })"),
              HasSubstr("'kinematics'"));
}

}  // namespace
}  // namespace protobeam
