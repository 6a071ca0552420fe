// Connectors in worlds: when they dock, how they hold, and at which force they break.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "device/topics.h"
#include "message/empty.h"
#include "message/std_msgs.h"
#include "tests/unit/sim/world_text.h"
#include "tests/unit/support/constants.h"

namespace protobeam {
namespace {

using testing::HasSubstr;

class ConnectorTest : public testing::Test {
 protected:
  void load(const std::string& text, double gravity = 0) {
    simulation_ = &world_.load(text, "gravity " + std::to_string(gravity));
  }
  /// Two cubes of 0.2 m, "left" of 2 kg in the origin and "right" of 1 kg, whose connectors look at
  /// each other along x; `apart` m and `rotated` (axis and angle) are how the right one stands.
  void load_two(double apart, const std::string& rotated = "0 0 1 0", const std::string& left = "",
                const std::string& right = "") {
    load(
        "Robot { name \"left\" controller \"<none>\" boundingObject Box { size 0.2 0.2 0.2 } "
        "physics Physics { density -1 mass 2 } children [ Connector { translation 0.1 0 0 " +
        left +
        " } ] }\n"
        "Robot { name \"right\" controller \"<none>\" translation " +
        std::to_string(0.2 + apart) +
        " 0 0 boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass 1 } "
        "children [ "
        "Pose { translation -0.1 0 0 rotation " +
        rotated +
        " children [ Connector { rotation 0 0 1 "
        "3.14159265358979 " +
        right + " } ] } ] }");
  }
  Device& device(const std::string& robot) {
    Device* found = simulation_->find_device(robot + "/connector");
    if (!found) throw std::runtime_error("no connector of " + robot);
    return *found;
  }
  std::string command(const std::string& robot, const char* name) {
    return device(robot).model->send_command(name);
  }
  void run(double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) simulation_->step();
  }
  void enable(const std::string& robot) { simulation_->enable(device(robot), 0.008); }
  template <class T>
  std::span<const T> channel(const std::string& robot, std::size_t index) {
    return device(robot).model->channel<T>(device(robot).data, index);
  }
  int presence(const std::string& robot) {
    enable(robot);
    simulation_->step();
    return channel<std::int32_t>(robot, 0)[0];
  }
  physics::World& physics() { return *simulation_->model().physics; }
  physics::BodyId body(const std::string& name) {
    for (const auto& solid : simulation_->model().solids) {
      if (solid.name == name) return solid.body;
    }
    throw std::runtime_error("no solid " + name);
  }
  Vec3 position(const std::string& name) { return physics().pose(body(name)).p; }
  /// Pushes a body with so many N along x for so long.
  void push(const std::string& name, double force, double seconds) {
    const auto steps = std::lround(seconds / 0.008);
    for (long i = 0; i < steps; ++i) {
      physics().apply_force(body(name), {force, 0, 0}, position(name));
      simulation_->step();
    }
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
};

TEST_F(ConnectorTest, LockedBodiesMoveAsOneAndUnlockedOnesDoNot) {
  load_two(0.005);
  EXPECT_EQ(command("left", "lock"), "");
  push("right", 6, 0.8);
  EXPECT_NEAR(physics().velocity(body("left")).x(), 6.0 / 3 * 0.8, 1e-6);
  EXPECT_NEAR(physics().velocity(body("right")).x(), 6.0 / 3 * 0.8, 1e-6);
  EXPECT_EQ(command("left", "unlock"), "");
  push("right", 6, 0.8);
  EXPECT_NEAR(physics().velocity(body("left")).x(), 1.6, 1e-6);
  EXPECT_NEAR(physics().velocity(body("right")).x(), 1.6 + 6 * 0.8, 1e-6);
}

TEST_F(ConnectorTest, FindsWhatIsInPosition) {
  struct Case {
    double apart;
    const char* rotated;
    int presence;
  };
  // distanceTolerance 0.01 m, axisTolerance 0.2 rad, rotationTolerance 0.5 rad of one of 4
  // rotations.
  for (const Case& c : {Case{0.009, "0 0 1 0", 1},
                        {0.011, "0 0 1 0", 0},
                        {0.005, "0 0 1 0.19", 1},
                        {0.005, "0 1 0 0.21", 0},
                        {0.005, "1 0 0 0.49", 1},
                        {0.005, "1 0 0 0.51", 0},
                        {0.005, "1 0 0 2", 1},
                        {0.005, "1 0 0 2.2", 0},
                        {0.005, "0 0 1 3", 0}}) {
    load_two(c.apart, c.rotated);
    EXPECT_EQ(presence("left"), c.presence) << c.apart << " " << c.rotated;
    // What is not there cannot be locked.
    command("left", "lock");
    push("right", 1, 0.08);
    EXPECT_EQ(physics().velocity(body("left")).norm() > 0.01, c.presence == 1) << c.rotated;
  }
  load_two(0.005, "1 0 0 0.7", "numberOfRotations 0");
  EXPECT_EQ(presence("left"), 1);
}

TEST_F(ConnectorTest, OnlyFittingTypesAndModelsDock) {
  const auto seen = [&](const std::string& left, const std::string& right) {
    load_two(0.005, "0 0 1 0", left, right);
    return presence("left");
  };
  EXPECT_EQ(seen("type \"active\"", "type \"passive\""), 1);
  EXPECT_EQ(seen("type \"active\"", "type \"active\""), 0);
  EXPECT_EQ(seen("type \"symmetric\"", "type \"passive\""), 0);
  EXPECT_EQ(seen("type \"passive\"", "type \"active\""), -1);
  EXPECT_EQ(seen("model \"a\"", "model \"b\""), 0);
  EXPECT_EQ(seen("model \"a\"", "model \"a\""), 1);
  EXPECT_THAT(command("left", "lock"), "");
  load_two(0.005, "0 0 1 0", "type \"passive\"", "type \"active\"");
  EXPECT_THAT(command("left", "lock"), HasSubstr("passive"));
}

TEST_F(ConnectorTest, SnappingMakesTheFramesFit) {
  for (const char* rotated : {"0 0 1 0.1", "1 0 0 0.3", "1 0 0 1.9", "0.5 0.1 0.2 0.2"}) {
    load_two(0.008, rotated);
    command("left", "lock");
    const Pose X_WL = simulation_->pose_of(device("left")),
               X_WR = simulation_->pose_of(device("right"));
    EXPECT_NEAR((X_WL.p - X_WR.p).norm(), 0, 1e-9) << rotated;
    const Pose X_LR = X_WL.inverse() * X_WR;
    EXPECT_NEAR((X_LR.R * Vec3::UnitX()).x(), -1, 1e-12) << rotated;
    // A multiple of 90 degrees about x: the z axis lies along one of the axes.
    const Vec3 z = X_LR.R * Vec3::UnitZ();
    EXPECT_NEAR(z.cwiseAbs().maxCoeff(), 1, 1e-9) << rotated;
    // The one that locks has moved, and stays there.
    EXPECT_NEAR(position("right").x(), 0.208, 1e-9) << rotated;
    run(0.4);
    EXPECT_NEAR(
        (simulation_->pose_of(device("left")).p - simulation_->pose_of(device("right")).p).norm(),
        0, 1e-6);
  }
  load_two(0.008, "0 0 1 0.1", "snap FALSE");
  command("left", "lock");
  run(0.4);
  EXPECT_NEAR(position("right").x(), 0.208, 1e-9);
  EXPECT_NEAR(position("left").norm(), 0, 1e-9);
}

/// A connector under the ceiling, at 3 m, and a load on it of so many kg.
std::string hanging(double mass, const std::string& active, const std::string& passive = "") {
  return "Robot { name \"ceiling\" controller \"<none>\" children [ Connector { type \"active\" "
         "translation 0 0 3 rotation 0 1 0 1.57079632679 isLocked TRUE " +
         active +
         " } ] }\n"
         "Robot { name \"load\" controller \"<none>\" translation 0 0 2.9 "
         "boundingObject Box { size 0.2 0.2 0.2 } physics Physics { density -1 mass " +
         std::to_string(mass) +
         " } children [ Connector { type \"passive\" translation 0 0 0.1 "
         "rotation 0 1 0 -1.57079632679 " +
         passive + " } ] }\n";
}

TEST_F(ConnectorTest, HoldsALoadAndTellsItsWeight) {
  load(hanging(3, ""), kGravity);
  enable("ceiling");
  enable("load");
  run(2);
  EXPECT_NEAR(position("load").z(), 2.9, 1e-6);
  EXPECT_EQ(channel<std::int32_t>("ceiling", 1)[0], 1);
  EXPECT_EQ(channel<std::int32_t>("load", 1)[0], 1);
  // The load pulls the ceiling out along x; what pulls the load up is along its own x.
  EXPECT_NEAR(channel<double>("ceiling", 2)[0], 3 * kGravity, 1e-3);
  EXPECT_NEAR(channel<double>("load", 2)[0], 3 * kGravity, 1e-3);
  EXPECT_NEAR(channel<double>("load", 2)[1], 0, 1e-3);
}

TEST_F(ConnectorTest, BreaksAboveItsTensileStrength) {
  for (const auto& [mass, holds] : {std::pair{1.9, true}, {2.2, false}}) {  // 18.6 and 21.6 N
    load(hanging(mass, "tensileStrength 20"), kGravity);
    run(1);
    EXPECT_EQ(position("load").z() > 2.8, holds) << mass;
  }
}

TEST_F(ConnectorTest, PushingDoesNotPullApart) {
  // The load stands on the connector.
  std::string text = hanging(5, "tensileStrength 20");
  load(
      "Robot { name \"floor\" controller \"<none>\" children [ Connector { type \"active\" "
      "rotation 0 1 0 -1.57079632679 isLocked TRUE tensileStrength 1 } ] }\n"
      "Robot { name \"load\" controller \"<none>\" translation 0 0 0.1 boundingObject Box { size "
      "0.2 0.2 0.2 } "
      "physics Physics { density -1 mass 5 } children [ Connector { type \"passive\" translation 0 "
      "0 -0.1 "
      "rotation 0 1 0 1.57079632679 } ] }",
      kGravity);
  run(1);
  EXPECT_NEAR(position("load").z(), 0.1, 1e-4);
}

TEST_F(ConnectorTest, BreaksAboveItsShearStrength) {
  for (const auto& [mass, holds] : {std::pair{1.9, true}, {2.2, false}}) {
    load(
        "Robot { name \"wall\" controller \"<none>\" children [ Connector { isLocked TRUE "
        "shearStrength 20 "
        "} ] }\nRobot { name \"load\" controller \"<none>\" translation 0.1 0 0 boundingObject Box "
        "{ size 0.2 0.2 "
        "0.2 } physics Physics { density -1 mass " +
            std::to_string(mass) +
            " } children [ Connector { "
            "translation -0.1 0 0 rotation 0 0 1 3.14159265358979 } ] }",
        kGravity);
    run(1);
    EXPECT_EQ(position("load").z() > -0.1, holds) << mass;
  }
}

TEST_F(ConnectorTest, StrengthsOfTwoLockedOnesAddUp) {
  const auto text = [](const char* right) {
    return "Robot { name \"ceiling\" controller \"<none>\" children [ Connector { translation 0 0 "
           "3 "
           "rotation 0 1 0 1.57079632679 isLocked TRUE tensileStrength 12 } ] }\n"
           "Robot { name \"load\" controller \"<none>\" translation 0 0 2.9 boundingObject Box { "
           "size 0.2 0.2 0.2 } "
           "physics Physics { density -1 mass 2 } children [ Connector { translation 0 0 0.1 "
           "rotation 0 1 0 "
           "-1.57079632679 " +
           std::string(right) + " } ] }";
  };
  for (const auto& [right, holds] : {std::pair{"isLocked TRUE tensileStrength 12", true},
                                     {"isLocked TRUE tensileStrength -1", true},
                                     {"tensileStrength 12", false},  // it is not locked
                                     {"isLocked TRUE tensileStrength 4", false}}) {
    load(text(right), kGravity);
    run(1);
    EXPECT_EQ(position("load").z() > 2.8, holds) << right;
  }
}

TEST_F(ConnectorTest, AutoLockDocksToWhatComes) {
  for (const bool automatic : {true, false}) {
    load_two(0.1, "0 0 1 0", automatic ? "autoLock TRUE isLocked TRUE" : "isLocked TRUE");
    physics().set_velocity(body("right"), {-0.5, 0, 0}, Vec3::Zero());
    run(0.24);
    // It reaches the tolerance after 0.18 s; then both share the momentum.
    if (automatic) {
      EXPECT_NEAR(physics().velocity(body("right")).x(), -0.5 / 3, 1e-6);
      EXPECT_NEAR(physics().velocity(body("left")).x(), -0.5 / 3, 1e-6);
    }
    enable("left");
    simulation_->step();
    EXPECT_EQ(channel<std::int32_t>("left", 1)[0], automatic ? 1 : 0);
  }
}

// Webots, WbConnector::prePhysicsStep: not in the step in which the link broke.
TEST_F(ConnectorTest, AutoLockLetsWhatIsTornOffGo) {
  load_two(0, "0 0 1 0", "isLocked TRUE autoLock TRUE tensileStrength 2");
  push("right", 2.9, 0.08);  // two thirds of it are in the link
  EXPECT_NEAR(position("right").x() - position("left").x(), 0.2, 1e-6);
  push("right", 400, 0.008);  // more than it holds
  push("right", 400, 0.016);  // 0.01 m and it is out of reach
  push("right", 0, 0.08);
  EXPECT_GT(position("right").x() - position("left").x(), 0.3);
  EXPECT_EQ(presence("left"), 0);
}

TEST_F(ConnectorTest, BilateralOnesTakeTwoToLockAndTwoToPart) {
  load_two(0.005, "0 0 1 0", "unilateralLock FALSE unilateralUnlock FALSE",
           "unilateralLock FALSE unilateralUnlock FALSE");
  enable("left");
  const auto docked = [&] {
    simulation_->step();
    return channel<std::int32_t>("left", 1)[0];
  };
  command("left", "lock");
  EXPECT_EQ(docked(), 0);
  command("right", "lock");
  EXPECT_EQ(docked(), 1);
  command("left", "unlock");
  EXPECT_EQ(docked(), 1);
  command("right", "unlock");
  EXPECT_EQ(docked(), 0);
}

// Webots' reference: a link is created when wb_connector_lock is called while a peer is present,
// and destroyed when wb_connector_unlock is called while there is one.
TEST_F(ConnectorTest, ALockedOneDocksWhenItIsToldToLockAgain) {
  load_two(0.1, "0 0 1 0", "isLocked TRUE");
  physics().set_velocity(body("right"), {-0.5, 0, 0}, Vec3::Zero());
  run(0.184);  // 8 mm are left
  enable("left");
  simulation_->step();
  EXPECT_EQ(channel<std::int32_t>("left", 1)[0], 0);
  EXPECT_EQ(command("left", "lock"), "");
  simulation_->step();
  EXPECT_EQ(channel<std::int32_t>("left", 1)[0], 1);
}

TEST_F(ConnectorTest, AnUnlockedOnePartsFromWhatHasLockedToIt) {
  load_two(0.005);
  enable("left");
  command("left", "lock");
  simulation_->step();
  EXPECT_EQ(channel<std::int32_t>("left", 1)[0], 1);
  EXPECT_EQ(command("right", "unlock"), "");
  simulation_->step();
  EXPECT_EQ(channel<std::int32_t>("left", 1)[0], 0);
}

TEST_F(ConnectorTest, TakesMessagesAndSaysWhenItDocksAndParts) {
  load_two(0.005);
  TopicRequest request;
  request.device = "connector";
  auto hears = device("left").model->subscriptions(request);
  ASSERT_EQ(hears.size(), 2u);
  EXPECT_EQ(hears[0].name, "connector/lock");
  EXPECT_EQ(hears[1].name, "connector/unlock");
  EXPECT_EQ(device("left").model->topics(request).size(), 3u);  // its channels
  request.wishes.push_back({"state", "", "", ""});
  auto told = device("left").model->topics(request);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].type->ros2_name, "std_msgs/msg/String");
  EXPECT_TRUE(told[0].latched) << "who comes later hears how it is";
  enable("left");
  std::vector<std::string> states;
  const auto step = [&] {
    simulation_->step();
    TopicInput in;
    in.data = device("left").data;
    for (const message::AnyMessage& one : told[0].make(in))
      states.push_back(one.as<message::String>()->data);
  };
  step();
  step();
  hears[0].take(message::to_cdr(message::Empty()));
  step();
  step();
  hears[1].take(message::to_cdr(message::Empty()));
  step();
  EXPECT_THAT(states, testing::ElementsAre("detached", "attached", "detached"));
}

TEST_F(ConnectorTest, StandsInASolidWithoutARobot) {
  load(
      "Robot { name \"left\" controller \"<none>\" boundingObject Box { size 0.2 0.2 0.2 } "
      "physics Physics { density -1 mass 2 } children [ Connector { type \"active\" translation "
      "0.1 0 0 } ] }\n"
      "Solid { name \"thing\" translation 0.2 0 0 boundingObject Box { size 0.19 0.2 0.2 } physics "
      "Physics { "
      "density -1 mass 1 } children [ Connector { type \"passive\" translation -0.1 0 0 rotation 0 "
      "0 1 "
      "3.14159265358979 } ] }");
  EXPECT_EQ(world_.diagnostics().to_string(), "");
  EXPECT_EQ(presence("left"), 1);
  command("left", "lock");
  push("left", 3, 0.8);
  EXPECT_NEAR(physics().velocity(body("thing")).x(), 0.8, 1e-6);
}

}  // namespace
}  // namespace protobeam
