// Joints as they are written, against closed forms: balls, hinges of two axes, coupled motors,
// backlash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "tests/unit/sim/device_named.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class JointTest : public testing::Test {
 protected:
  void load(const std::string& text, bool lenient = false) {
    SimulationOptions options;
    options.lenient = lenient;
    simulation_ = &world_.load(text, "gravity 0", options);
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  /// As a program says it, to the motor and to those that are coupled to it.
  void command(const std::string& motor, const char* name, double number) {
    Device* device = simulation_->find_device(motor);
    ASSERT_NE(device, nullptr) << motor;
    const auto& devices = simulation_->model().robots[0].devices;
    const auto op = device_op::kFirstCommand + find_command(device->model->type().commands, name);
    RobotDriver driver(simulation_->model(), 0);
    driver.apply_command({static_cast<std::uint16_t>(device - devices.data() + 1),
                          static_cast<std::uint16_t>(op),
                          {number},
                          {}},
                         0);
  }
  double fact(const std::string& device, const char* name) {
    return std::get<double>(device_named(*simulation_, device).model->properties().at(name));
  }
  physics::World& physics() { return *simulation_->model().physics; }
  Pose physics_pose(const std::string& name) { return physics().pose(body(name)); }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(JointTest, WhatAJointMovesMayStandInSlots) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ HingeJoint { "
      "device RotationalMotor { name \"m\" } endPoint Slot { endPoint Slot { endPoint Solid { "
      "name \"flap\" boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } "
      "} } } } ] }");
  ASSERT_NE(body("flap"), physics::kWorldBody);
  command("m", "position", 0.7);
  run(4);
  EXPECT_LT(physics().pose(body("flap")).R.angularDistance(axis_angle(Vec3::UnitX(), 0.7)), 2e-3);
}

// As in Webots: WbHingeJoint::applyToOdeMinAndMaxStop.
TEST_F(JointTest, StopsOfAHingeInTheWrongOrderAreExchanged) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ HingeJoint { "
      "jointParameters HingeJointParameters { minStop 0.4 maxStop -0.3 } "
      "device RotationalMotor { name \"m\" } endPoint Solid { name \"flap\" "
      "boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } } } ] }");
  EXPECT_THAT(world_.diagnostics().to_string(), HasSubstr("they are exchanged, as in Webots"));
  const auto angle = [&](double wanted) {
    command("m", "position", wanted);
    run(4);
    const Pose X = physics_pose("flap");
    return 2 * std::atan2(X.R.x(), X.R.w());
  };
  EXPECT_NEAR(angle(0.2), 0.2, 2e-3);
  EXPECT_NEAR(angle(1), 0.4, 0.02);
  EXPECT_NEAR(angle(-1), -0.3, 0.02);
}

TEST_F(JointTest, AJointThatMovesNothingHasItsDevices) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ Hinge2Joint { "
      "jointParameters2 JointParameters { position 0.25 } device RotationalMotor { name \"m1\" } "
      "device2 [ RotationalMotor { name \"m2\" maxVelocity 0.5 } PositionSensor { name \"s2\" } "
      "] } SliderJoint { device LinearMotor { name \"m3\" } } ] }");
  for (const char* name : {"m1", "m2", "s2", "m3"})
    EXPECT_NE(simulation_->find_device(name), nullptr) << name;
  Device& sensor = device_named(*simulation_, "s2");
  sensor.period = 1;
  const auto angle = [&] { return *reinterpret_cast<const double*>(sensor.data.data()); };
  run(0.008);
  EXPECT_DOUBLE_EQ(angle(), 0.25);
  command("m2", "position", std::numeric_limits<double>::infinity());
  command("m2", "velocity", 0.5);
  run(2);
  EXPECT_NEAR(angle(), 0.25 + 0.5 * 2, 1e-9);
}

// As in Webots: WbBasicJoint::setJoint makes no joint then, and WbSolidReference warns of a name
// that it does not find.
TEST_F(JointTest, ASolidReferenceThatCannotBeHeldIsAWarningAndItsDevicesRemain) {
  const auto loop = [&](const std::string& name, const std::string& physics, bool lenient = false) {
    load(
        "Robot { name \"r\" controller \"<none>\" children [ HingeJoint { "
        "device RotationalMotor { name \"m1\" } endPoint Solid { name \"flap\" "
        "boundingObject Sphere { radius 0.1 } " +
            physics +
            " } } HingeJoint { "
            "device [ RotationalMotor { name \"m2\" maxVelocity 0.5 } PositionSensor { name \"s2\" "
            "} ] "
            "endPoint SolidReference { solidName \"" +
            name + "\" } } ] }",
        lenient);
    Device& sensor = device_named(*simulation_, "s2");
    sensor.period = 1;
    command("m1", "position", 0.7);
    command("m2", "position", 0.2);
    run(2);
    EXPECT_NEAR(*reinterpret_cast<const double*>(sensor.data.data()), 0.2, 1e-6);
    EXPECT_LT(physics_pose("flap").R.angularDistance(axis_angle(Vec3::UnitX(), 0.7)), 2e-3);
    return world_.diagnostics().to_string();
  };
  const std::string physics = "physics Physics { density -1 mass 1 }";
  EXPECT_THAT(
      loop("flap", ""),
      HasSubstr("warning: SolidReference: 'flap' has no Physics: this joint holds nothing"));
  const std::string message =
      ": SolidReference: no Solid named 'flop' in this robot; did you mean 'flap'?";
  EXPECT_THAT(loop("flop", physics, true), HasSubstr("warning" + message));
  EXPECT_THAT([&] { loop("flop", physics); },
              testing::ThrowsMessage<std::runtime_error>(HasSubstr("error" + message)));
  EXPECT_THAT(loop("<static environment>", ""),
              HasSubstr("warning: SolidReference: 'r' has no Physics: this joint holds nothing"));
}

// A hip: what hangs on several hinges about one point overlaps, as a rule. Webots compares the
// anchors as they are written, each in the frame of its own parent
// (WbSimulationCluster::odeNearCallback).
TEST_F(JointTest, HingesAboutOneAnchorKeepAllThatTheyCarryFromColliding) {
  const auto part = [](const std::string& name, const std::string& children) {
    return "Solid { name \"" + name +
           "\" boundingObject Sphere { radius 0.1 } physics Physics { } children [ " + children +
           " ] }";
  };
  const auto joint = [](const std::string& fields, const std::string& type,
                        const std::string& end) {
    return type + "Joint { jointParameters " + (type == "Slider" ? "" : type) +
           "JointParameters { " + fields + " } endPoint " + end + " }";
  };
  const auto touching = [&](const std::string& upper, const std::string& middle,
                            const std::string& type) {
    load(
        "Robot { selfCollision TRUE boundingObject Sphere { radius 0.1 } physics Physics { } "
        "children [ " +
        joint(upper, "Hinge",
              part("pelvis",
                   joint(middle, type, part("hip", joint("", "Hinge", part("thigh", "")))))) +
        " ] }");
    simulation_->step();
    std::set<std::pair<std::string, std::string>> pairs;
    const auto name = [&](physics::BodyId id) {
      for (const char* solid : {"pelvis", "hip", "thigh"}) {
        if (body(solid) == id) return solid;
      }
      return "robot";
    };
    for (const auto& contact : physics().contacts())
      pairs.emplace(name(contact.body_a), name(contact.body_b));
    return pairs;
  };
  using testing::IsEmpty;
  using testing::UnorderedElementsAre;
  const auto pair = [](const char* a, const char* b) {
    return std::pair<std::string, std::string>(a, b);
  };
  EXPECT_THAT(touching("", "", "Hinge"), IsEmpty());
  EXPECT_THAT(touching("", "", "Ball"), IsEmpty());
  EXPECT_THAT(touching("", "", "Slider"), IsEmpty()) << "it has no anchor";
  EXPECT_THAT(touching("anchor 0 0 0.1", "", "Hinge"),
              UnorderedElementsAre(pair("robot", "hip"), pair("robot", "thigh")));
  EXPECT_THAT(
      touching("", "anchor 0 0 0.1", "Hinge"),
      UnorderedElementsAre(pair("robot", "hip"), pair("robot", "thigh"), pair("pelvis", "thigh")));
}

// As in Webots (WbSimulationCluster::odeNearCallback): a door does not scrape the floor, the first
// link of an arm does not meet the table that it stands in.
TEST_F(JointTest, WhatHangsOnWhatStandsFastPassesThroughAllThatStandsFast) {
  const auto touches = [&](const std::string& joint, const std::string& base,
                           const std::string& wall) {
    load("Robot { " + base + " children [ HingeJoint { endPoint Solid { name \"arm\" " +
         "translation 1 0 0 boundingObject Sphere { radius 0.1 } physics Physics { } children [ " +
         joint + " ] } } ] }\n" +
         "Solid { translation 1.1 0 0 boundingObject Box { size 0.1 2 2 } " + wall + " }");
    simulation_->step();
    return !physics().contacts().empty();
  };
  const std::string physics = "physics Physics { density -1 mass 1 } ";
  EXPECT_FALSE(touches("", "", ""));
  EXPECT_TRUE(touches("", "", physics)) << "the wall gives way";
  EXPECT_TRUE(touches("", physics + "boundingObject Sphere { radius 0.1 }", "")) << "so does the base";
  EXPECT_TRUE(touches("HingeJoint { endPoint Solid { name \"hand\" translation 0.05 0 0 "
                      "boundingObject Sphere { radius 0.1 } physics Physics { } } }",
                      "", ""))
      << "a hand hangs on what moves";
}

// As in Webots, where these are bodies that joints hold to the world
// (WbSolid::setOdeJointToUpperSolid).
TEST_F(JointTest, WhatHasPhysicsInWhatStandsFastIsABodyOfItsOwn) {
  const std::string ball = " boundingObject Sphere { radius 0.1 } ", mass = " physics Physics { } ";
  const auto solid = [&](const std::string& type, const std::string& name,
                         const std::string& rest) {
    return type + " { name \"" + name + "\" " + rest + " }";
  };
  const auto arm = [&](const std::string& children) {
    return "HingeJoint { endPoint Solid { name \"arm\" translation 0.05 0 0 " + ball + mass +
           " children [ " + children + " ] } }";
  };
  const auto touches = [&](const std::string& children, bool self = true, const char* wall = "") {
    load("Robot { selfCollision " + std::string(self ? "TRUE" : "FALSE") + " children [ " +
         children + " ] }\n" + wall);
    simulation_->step();
    return !physics().contacts().empty();
  };
  const std::string part = solid("Solid", "part", ball + mass);
  EXPECT_TRUE(touches(arm("") + part));
  EXPECT_TRUE(touches(arm("") + solid("TouchSensor", "skin", ball + mass)));
  EXPECT_FALSE(touches(arm("") + part, false)) << "of one robot";
  EXPECT_FALSE(touches(arm("") + solid("Solid", "part", ball))) << "it has no Physics";
  EXPECT_FALSE(touches(part + solid("Solid", "other part", ball + mass))) << "neither moves";

  const auto on_part = [&](const std::string& joint, const std::string& others) {
    return solid(
        "Solid", "part",
        mass + "boundingObject Box { size 0.01 0.01 0.01 } children [ " + joint + others + " ]");
  };
  const char* wall = "Solid { translation 0.1 0 0 boundingObject Box { size 0.01 1 1 } }";
  EXPECT_FALSE(touches(arm(""), false, wall));
  EXPECT_TRUE(touches(on_part(arm(""), ""), false, wall)) << "it hangs on a body";
  EXPECT_FALSE(touches(on_part("", ""), true, wall)) << "what is held passes through a wall";
  const std::string tip = "translation 0.1 0 0 " + ball;
  EXPECT_FALSE(touches(
      solid("Solid", "part",
            ball + mass + "children [ " + arm("") + solid("Solid", "tip", tip + mass) + " ]"),
      true))
      << "the tip is of the body that it hangs on";
}

TEST_F(JointTest, LimitsOfAMotorGiveWayToWhereTheJointIs) {
  const std::string ball =
      "endPoint Solid { boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } "
      "}";
  for (const std::string& end : {std::string(), ball}) {
    load(
        "Robot { controller \"<none>\" children [ HingeJoint { jointParameters "
        "HingeJointParameters { position 0.4 } device RotationalMotor { name \"high\" "
        "minPosition -0.1 maxPosition 0.3 } " +
        end +
        " } SliderJoint { jointParameters JointParameters { position -2 } device LinearMotor { "
        "name \"low\" minPosition -1 maxPosition 1 } " +
        end + " } ] }");
    EXPECT_EQ(fact("high", "minPosition"), -0.1);
    EXPECT_EQ(fact("high", "maxPosition"), 0.4);
    EXPECT_EQ(fact("low", "minPosition"), -2);
    EXPECT_EQ(fact("low", "maxPosition"), 1);
  }
}

TEST_F(JointTest, CoupledMotorsReachWhatTheFirstOneReaches) {
  const auto motor = [](const std::string& fields) {
    return "HingeJoint { device RotationalMotor { " + fields + " } } ";
  };
  load("Robot { controller \"<none>\" children [ " +
       motor("name \"a::1\" multiplier 2 maxVelocity 6 minPosition -1 maxPosition 3") +
       motor("name \"a::2\" multiplier -1 maxVelocity 100 minPosition -9 maxPosition 9") +
       motor("name \"a::3\" multiplier 6") + motor("name \"b::1\"") +
       motor("name \"b::2\" minPosition -1 maxPosition 1") +
       motor("name \"single\" minPosition -4 maxPosition 4") + "] }");
  struct Limits {
    const char* name;
    double velocity, low, high;
  };
  for (const Limits& l : {Limits{"a::1", 6, -1, 3},
                          {"a::2", 3, -1.5, 0.5},
                          {"a::3", 18, -3, 9},
                          {"b::1", 10, 0, 0},
                          {"b::2", 10, 0, 0},
                          {"single", 10, -4, 4}}) {
    EXPECT_DOUBLE_EQ(fact(l.name, "maxVelocity"), l.velocity) << l.name;
    EXPECT_DOUBLE_EQ(fact(l.name, "minPosition"), l.low) << l.name;
    EXPECT_DOUBLE_EQ(fact(l.name, "maxPosition"), l.high) << l.name;
  }
}

/// An eye of 1 kg and 0.1 m in a socket with these fields.
std::string ball_in_socket(const std::string& fields, const std::string& velocity = "0 0 0") {
  return "Robot { name \"r\" controller \"<none>\" children [ BallJoint { " + fields +
         " endPoint Solid { name \"eye\" boundingObject Sphere { radius 0.1 } angularVelocity " +
         velocity + " physics Physics { density -1 mass 1 } } } ] }";
}
const std::string kThreeMotors =
    " device RotationalMotor { name \"m1\" } device2 RotationalMotor { name \"m2\" } "
    "device3 RotationalMotor { name \"m3\" } ";
constexpr double kBallInertia = 0.4 * 1 * 0.01;

TEST_F(JointTest, ABallsAxesAreThoseOfItsSecondAndThirdParameters) {
  struct Case {
    const char* fields;
    Vec3 first, third;
  };
  for (const Case& c :
       {Case{"", Vec3::UnitX(), Vec3::UnitZ()},
        {"jointParameters2 JointParameters { axis 0 1 0 } jointParameters3 JointParameters { axis "
         "1 0 0 }",
         Vec3::UnitY(), Vec3::UnitX()},
        // One of them: the others are across it.
        {"jointParameters2 JointParameters { axis 0 0 1 }", Vec3::UnitZ(), Vec3::UnitY()},
        {"jointParameters3 JointParameters { axis 0 1 0 }", Vec3::UnitX(), Vec3::UnitY()},
        // Parallel: as if there were none.
        {"jointParameters2 JointParameters { } jointParameters3 JointParameters { }",
         Vec3::UnitX(), Vec3::UnitZ()}}) {
    load(ball_in_socket("jointParameters BallJointParameters { } " + std::string(c.fields) +
                        kThreeMotors));
    command("m1", "position", 0.5);
    command("m2", "position", 0.3);
    command("m3", "position", -0.4);
    run(4);
    const Quat R = axis_angle(c.first, 0.5) * axis_angle(c.third.cross(c.first), 0.3) *
                   axis_angle(c.third, -0.4);
    EXPECT_LT(physics().pose(body("eye")).R.angularDistance(R), 2e-3) << c.fields;
  }
  EXPECT_THAT(world_.diagnostics().to_string(),
              HasSubstr("are parallel: x and z are taken instead"));
}

TEST_F(JointTest, ABallsSpringAndDamperActAboutAllAxesUnlessTheyHaveTheirOwn) {
  const double k = 0.5, w = std::sqrt(k / kBallInertia), t = 0.12;
  for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}) {
    const std::string velocity =
        std::to_string(axis.x()) + " " + std::to_string(axis.y()) + " " + std::to_string(axis.z());
    load(ball_in_socket("jointParameters BallJointParameters { springConstant 0.5 }", velocity));
    run(t);
    EXPECT_NEAR(physics().angular_velocity(body("eye")).dot(axis), std::cos(w * t), 0.02)
        << axis.transpose();
    load(ball_in_socket("jointParameters BallJointParameters { dampingConstant 0.02 }", velocity));
    run(t);
    EXPECT_NEAR(physics().angular_velocity(body("eye")).dot(axis),
                std::exp(-0.02 / kBallInertia * t), 5e-3);
  }
  load(
      ball_in_socket("jointParameters BallJointParameters { dampingConstant 0.02 } "
                     "jointParameters3 JointParameters { }",
                     "0 0 1"));
  run(t);
  EXPECT_NEAR(physics().angular_velocity(body("eye")).z(), 1, 1e-9);
}

TEST_F(JointTest, BothAxesOfAHinge2HaveMotorsSpringsAndDampers) {
  const auto text = [](const std::string& first, const std::string& second,
                       const std::string& velocity) {
    return "Robot { name \"r\" controller \"<none>\" physics Physics { density -1 mass 1e6 } "
           "boundingObject Box { } "
           "children [ Hinge2Joint { jointParameters HingeJointParameters { axis 0 0 1 " +
           first + " } jointParameters2 JointParameters { axis 0 1 0 " + second +
           " } endPoint Solid { name \"eye\" boundingObject Sphere { radius 0.1 } "
           "angularVelocity " +
           velocity + " physics Physics { density -1 mass 1 } } } ] }";
  };
  const double w = std::sqrt(0.5 / kBallInertia), t = 0.12;
  load(text("springConstant 0.5", "", "0 0 1"));
  run(t);
  EXPECT_NEAR(physics().angular_velocity(body("eye")).z(), std::cos(w * t), 0.02);
  load(text("", "springConstant 0.5", "0 1 0"));
  run(t);
  EXPECT_NEAR(physics().angular_velocity(body("eye")).y(), std::cos(w * t), 0.02);
  load(text("", "dampingConstant 0.02", "0 1 0"));
  run(t);
  EXPECT_NEAR(physics().angular_velocity(body("eye")).y(), std::exp(-0.02 / kBallInertia * t),
              5e-3);
}

/// As of other joints: the motors turn it, no force does.
TEST_F(JointTest, TheEndPointOfAHinge2WithoutPhysicsIsTurnedByBothMotors) {
  load("Robot { name \"r\" controller \"<none>\" children [ Hinge2Joint { "
       "jointParameters HingeJointParameters { axis 0 0 1 } "
       "jointParameters2 JointParameters { axis 0 1 0 } "
       "device RotationalMotor { name \"steer\" } device2 RotationalMotor { name \"roll\" } "
       "endPoint Solid { name \"wheel\" } } ] }");
  command("steer", "position", 0.5);
  command("roll", "position", 0.25);
  run(1);
  // R = Rz(0.5) Ry(0.25): where the x axis ends up.
  const Vec3 x = physics().pose(body("wheel")).R * Vec3::UnitX();
  EXPECT_NEAR(x.x(), std::cos(0.5) * std::cos(0.25), 1e-3);
  EXPECT_NEAR(x.y(), std::sin(0.5) * std::cos(0.25), 1e-3);
  EXPECT_NEAR(x.z(), -std::sin(0.25), 1e-3);
}

TEST_F(JointTest, CoupledMotorsShareVelocityAndTorque) {
  const auto wheel = [](const std::string& name, const std::string& motor) {
    return "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device "
           "RotationalMotor { maxTorque 50 "
           "maxVelocity 50 " +
           motor + " } endPoint Solid { name \"" + name +
           "\" boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } } } ";
  };
  const std::string robot =
      "Robot { name \"r\" controller \"<none>\" children [ " + wheel("a", "name \"hand::left\"") +
      wheel("b", "name \"hand::right\" multiplier -2") + wheel("c", "name \"handle::x\"") + "] }";
  const auto rate = [&](const char* name) { return physics().angular_velocity(body(name)).z(); };
  load(robot);
  command("hand::left", "position", std::numeric_limits<double>::infinity());
  command("hand::left", "velocity", 3);
  run(0.4);
  EXPECT_NEAR(rate("a"), 3, 1e-6);
  EXPECT_NEAR(rate("b"), -6, 1e-6);
  EXPECT_NEAR(rate("c"), 0, 1e-9);
  load(robot);
  command("hand::right", "effort", 0.02);
  run(0.4);
  EXPECT_NEAR(rate("a"), 0.02 / kBallInertia * 0.4, 1e-6);
  EXPECT_NEAR(rate("b"), -2 * 0.02 / kBallInertia * 0.4, 1e-6);
}

TEST_F(JointTest, CoupledMotorsKeepLimitsOfTheirOwn) {
  const auto wheel = [](const std::string& name) {
    return "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device "
           "RotationalMotor { name \"hand::" +
           name + "\" } endPoint Solid { name \"" + name +
           "\" boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } } } ";
  };
  load("Robot { name \"r\" controller \"<none>\" children [ " + wheel("a") + wheel("b") + "] }");
  const auto rate = [&](const char* name) { return physics().angular_velocity(body(name)).z(); };
  command("hand::a", "acceleration", 1);
  command("hand::a", "position", std::numeric_limits<double>::infinity());
  command("hand::a", "velocity", 3);
  run(0.4);
  EXPECT_NEAR(rate("a"), 0.4, 0.01);
  EXPECT_NEAR(rate("b"), 3, 1e-6);
  command("hand::b", "available effort", 0);
  command("hand::a", "acceleration", -1);
  command("hand::b", "velocity", -2);
  run(0.4);
  EXPECT_NEAR(rate("a"), -2, 1e-6);
  EXPECT_NEAR(rate("b"), 3, 1e-6);
}

TEST_F(JointTest, ADirectTorqueIsNoMoreThanTheAvailableOne) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ HingeJoint { jointParameters "
      "HingeJointParameters { axis 0 0 1 } device RotationalMotor { name \"m\" } endPoint Solid { "
      "name \"a\" boundingObject Sphere { radius 0.1 } physics Physics { density -1 mass 1 } } } ] "
      "}");
  command("m", "available effort", 0.01);
  command("m", "effort", -0.02);
  run(0.4);
  EXPECT_NEAR(physics().angular_velocity(body("a")).z(), -0.01 / kBallInertia * 0.4, 1e-6);
}

TEST_F(JointTest, AMotorSaysOnceWhatItsLimitsMakeOfAnOrder) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ "
      "HingeJoint { device RotationalMotor { name \"m\" minPosition -1 maxPosition 2 maxTorque 3 "
      "multiplier 2 } } "
      "SliderJoint { device LinearMotor { name \"free\" } } "
      "HingeJoint { device RotationalMotor { name \"g::a\" } } "
      "HingeJoint { device RotationalMotor { name \"g::b\" maxTorque 1 } } ] }");
  const auto said = [&](const char* motor, const char* order, double number) {
    DeviceModel& model = *device_named(*simulation_, motor).model;
    const int index = find_command(model.type().commands, order);
    return model.command(static_cast<std::size_t>(index), std::array{number}, "");
  };
  EXPECT_EQ(said("m", "position", 1), "");
  EXPECT_EQ(said("m", "position", std::numeric_limits<double>::infinity()), "");
  EXPECT_EQ(said("m", "position", -0.75),
            "the requested position -1.5 is below minPosition -1: -1 is used (said once)");
  EXPECT_EQ(said("m", "position", 4), "");
  EXPECT_EQ(said("m", "effort", 1.5), "");
  EXPECT_EQ(said("m", "effort", -2),
            "the requested torque -4 exceeds maxTorque 3: -3 is used (said once)");
  EXPECT_EQ(said("m", "effort", -2), "");
  EXPECT_EQ(said("free", "available effort", 4), "");
  EXPECT_EQ(said("free", "effort", 6),
            "the requested force 6 exceeds the available force 4: 4 is used (said once)");
  EXPECT_EQ(said("free", "position", 1e9), "");
  EXPECT_EQ(said("g::b", "effort", 2), "") << "the other one may have the strength";
}

class Backlash : public JointTest {
 protected:
  double angle(const std::string& sensor) {
    const Device* device = &device_named(*simulation_, sensor);
    return physics().joint_position(device->joint, 0);
  }
  double turned() {
    const Vec3 x = physics().pose(body("arm")).R * Vec3::UnitX();
    return std::atan2(x.y(), x.x());
  }
};

TEST_F(Backlash, TheOutputFollowsHalfOfItBehindTheGear) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ HingeJointWithBacklash { backlash 0.2 "
      "gearMass 0.05 "
      "jointParameters HingeJointParameters { axis 0 0 1 anchor 0.5 0 0 } "
      "device [ RotationalMotor { name \"m\" maxTorque 100 } PositionSensor { name \"in\" } ] "
      "outputSensor PositionSensor { name \"out\" } "
      "endPoint Solid { name \"arm\" translation 0.5 0 0 boundingObject Sphere { radius 0.1 } "
      "physics Physics { density -1 mass 1 damping Damping { linear 0.9 angular 0.9 } } } } ] }");
  command("m", "velocity", 0.2);
  command("m", "position", 0.09);  // within the clearance: nothing is pushed
  run(2);
  EXPECT_NEAR(angle("in"), 0.09, 1e-3);
  EXPECT_NEAR(turned(), 0, 1e-3);
  EXPECT_NEAR(angle("out"), -0.09, 1e-3);
  command("m", "position", 0.5);
  run(6);
  EXPECT_NEAR(angle("in"), 0.5, 2e-3);
  EXPECT_GE(turned(),
            0.4 - 2e-3);  // pushed by the tooth behind it, and no farther than the one before it
  EXPECT_LE(turned(), 0.6 + 2e-3);
  const double before = turned();
  command("m", "position", before - 0.05);  // back, within the clearance again
  run(1);
  EXPECT_NEAR(turned(), before, 0.06);
  EXPECT_NEAR((physics().pose(body("arm")).p - Vec3(0.5, 0, 0)).norm(), 0,
              1e-3);  // about its anchor
}

TEST_F(Backlash, ZeroOfItIsAHinge) {
  load(
      "Robot { name \"r\" controller \"<none>\" children [ HingeJointWithBacklash { backlash 0 "
      "jointParameters HingeJointParameters { axis 0 0 1 } device [ RotationalMotor { name \"m\" } "
      "] "
      "endPoint Solid { name \"arm\" boundingObject Sphere { radius 0.1 } physics Physics { "
      "density -1 mass 1 } } } ] }");
  EXPECT_EQ(simulation_->model().joints.size(), 1u);
  command("m", "position", 0.3);
  run(3);
  EXPECT_NEAR(turned(), 0.3, 1e-3);
}

TEST_F(Backlash, BothAxesOfAHinge2MayHaveIt) {
  load(
      "Robot { name \"r\" controller \"<none>\" physics Physics { density -1 mass 1e6 } "
      "boundingObject Box { } children [ "
      "Hinge2JointWithBacklash { backlash 0.2 backlash2 0.1 gearMass 0.2 gearMass2 0.2 "
      "jointParameters HingeJointParameters { axis 0 0 1 } jointParameters2 JointParameters { axis "
      "0 1 0 } "
      "device [ RotationalMotor { name \"m\" maxTorque 100 } ] device2 [ RotationalMotor { name "
      "\"m2\" maxTorque 100 } ] "
      "endPoint Solid { name \"arm\" boundingObject Sphere { radius 0.1 } physics Physics { "
      "density -1 mass 1 "
      "damping Damping { linear 0.9 angular 0.9 } } } } ] }");
  command("m", "velocity", 0.2);
  command("m", "position", 0.09);
  command("m2", "velocity", 0.2);
  command("m2", "position", 0.04);
  run(2);
  EXPECT_LT(physics().pose(body("arm")).R.angularDistance(Quat::Identity()), 0.01);
  command("m", "position", 0.5);
  run(5);
  EXPECT_GE(turned(), 0.4 - 5e-3);
  EXPECT_LE(turned(), 0.6 + 5e-3);
}

}  // namespace
}  // namespace protobeam
