// Programs of ROS put a robot together from its URDF and the positions of its joints, or from tf:
// both say the same.
#include <gmock/gmock.h>
#include <urdf_parser/urdf_parser.h>

#include "base/math.h"
#include "message/sensor_msgs.h"
#include "message/std_msgs.h"
#include "tests/unit/publish/collected.h"
#include "tests/unit/sim/urdf_kinematics.h"

namespace protobeam {
namespace {

using message::JointState;
using message::TFMessage;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

class RobotDescription : public testing::Test {
 protected:
  void run(const std::string& text, double seconds, const std::string& info = "gravity 0") {
    world_ = std::make_unique<PublishedWorld>(text, info);
    world_->run(seconds);
    read();
  }
  void read() {
    const Collected& collected = world_->finish();
    text_ = collected.last<message::String>("/robot_description").data;
    robot_ = urdf::parseURDF(text_);
    ASSERT_TRUE(robot_) << text_;
    frames_.clear();
    for (const char* topic : {"/tf_static", "/tf"}) {
      for (const auto& one : collected.last<TFMessage>(topic).transforms) {
        if (one.header.frame_id != "base_link") continue;
        const auto& [translation, R] = one.transform;
        const Pose X{Quat(R.w, R.x, R.y, R.z), Vec3(translation.x, translation.y, translation.z)};
        EXPECT_TRUE(frames_.emplace(one.child_frame_id, X).second) << one.child_frame_id;
      }
    }
    if (!collected.topics.contains("/joint_states")) return;
    joints_ = collected.last<JointState>("/joint_states");
    for (std::size_t i = 0; i < joints_.name.size(); ++i)
      at_[joints_.name[i]] = joints_.position[i];
  }
  double velocity(const std::string& joint) const {
    const auto it = std::ranges::find(joints_.name, joint);
    return joints_.velocity.at(static_cast<std::size_t>(it - joints_.name.begin()));
  }
  /// Each link is where tf has it, and there is no other one.
  void expect_agreement(double tolerance) {
    for (const auto& [name, link] : robot_->links_) {
      if (name == "base_link") continue;
      ASSERT_TRUE(frames_.contains(name)) << name;
      const Pose X = forward(*robot_, name, at_), Y = frames_[name];
      EXPECT_NEAR((X.p - Y.p).norm(), 0, tolerance) << name;
      EXPECT_NEAR(X.R.angularDistance(Y.R), 0, tolerance) << name;
    }
    // Not base_link, but base_footprint, where that is no link of the robot.
    EXPECT_EQ(frames_.size(),
              robot_->links_.size() - (robot_->links_.contains("base_footprint") ? 1 : 0));
  }

  std::unique_ptr<PublishedWorld> world_;
  std::string text_;
  urdf::ModelInterfaceSharedPtr robot_;
  std::map<std::string, Pose> frames_;
  JointState joints_;
  std::map<std::string, double> at_;
};

TEST_F(RobotDescription, PutsAnArmTogetherAsTfDoes) {
  run(R"(Robot { name "arm" translation 1 2 3 rotation 1 2 3 0.7 controller "<none>" children [
    HingeJoint { jointParameters HingeJointParameters { position 0.3 axis 0 0.6 0.8 anchor 0.2 0.1 0 }
      device PositionSensor { name "shoulder" }
      endPoint Solid { name "upper part" translation 0.5 0.3 0.1 rotation 0 0 1 0.9 children [
        Hinge2Joint { jointParameters HingeJointParameters { position 0.4 axis 0 0 1 anchor 0.3 0 0 }
          jointParameters2 JointParameters { position -0.6 axis 1 0 0 }
          endPoint Solid { name "head" translation 0.4 0.1 0 children [
            Camera { name "eye" translation 0 0 0.1 rotation 0 1 0 0.5
              children [ Shape { geometry Box { size 0.1 0.2 0.3 } } ] }
            DistanceSensor { name "nose" } ]
            boundingObject Sphere { radius 0.04 } physics Physics { density -1 mass 0.5 } } } ]
        boundingObject Sphere { radius 0.05 } physics Physics { density -1 mass 3 } } } ]
    boundingObject Box { size 0.1 0.1 0.1 } physics Physics { density -1 mass 10 } })",
      0.1);
  expect_agreement(1e-6);
  EXPECT_NEAR(at_.at("shoulder"), 0.3, 1e-6);
  EXPECT_EQ(joints_.name.size(), 3u);
  // A camera's data have z forward, its body has not.
  ASSERT_TRUE(robot_->getLink("eye_link") && robot_->getLink("eye"));
  EXPECT_TRUE(robot_->getLink("eye_link")->visual);
  EXPECT_FALSE(robot_->getLink("eye")->visual);
  EXPECT_EQ(robot_->getLink("eye")->parent_joint->parent_link_name, "eye_link");
  EXPECT_EQ(robot_->getLink("nose")->parent_joint->parent_link_name, "head");
}

TEST_F(RobotDescription, PutsTheWheelsOfAVehicleTogether) {
  const std::string wheel = R"(diameter 0.4 width 0.1 suspensionSpringConstant 4000
      children [ Pose { rotation 1 0 0 1.5708 children [ Shape { geometry Cylinder { radius 0.2 height 0.1 } } ] } ]
      steeredChildren [ Shape { geometry Box { size 0.1 0.02 0.2 } } ] })";
  const auto at = [&](const char* place) {
    return "VehicleWheel { position " + std::string(place) + wheel;
  };
  world_ =
      std::make_unique<PublishedWorld>(R"(
    Solid { name "ground" boundingObject Plane { size 100 100 } children [ Shape { geometry Plane { size 100 100 } } ] }
    Robot { name "car" controller "<none>" children [
      Pose { translation 0.1 0 0 children [ AckermannDrive { controller FrontSteerPid { kp 10 maxTorque 50 } wheels [ )" +
                                           at("-0.6 0.5 0.2 ") + at("-0.6 -0.5 0.2 ") +
                                           at("0.6 0.5 0.2 ") + at("0.6 -0.5 0.2 ") + R"( ] } ] }
      GPS { translation 0 0 1 } ]
      boundingObject Pose { translation 0 0 0.5 children [ Box { size 1.5 0.8 0.2 } ] }
      physics Physics { density -1 mass 100 } })",
                                       "");
  VehicleHost& car = *world_->simulation().find_vehicle("car");
  car.command(Twist{1, 0, 0.3});
  world_->run(0.5);
  read();
  expect_agreement(1e-9);
  // base_link is the drive's frame.
  EXPECT_NEAR(frames_.at("gps").p.x(), -0.1, 1e-9);
  EXPECT_GT(at_.at("wheel 3 steering"), 0.05);
  EXPECT_NE(at_.at("wheel 1"), 0);
  EXPECT_FALSE(robot_->getJoint("wheel 1 steering"));
  EXPECT_NEAR(velocity("wheel 1"), car.vehicle().wheels()[0].spin, 1e-12);
  EXPECT_NEAR(frames_.at("wheel_4").p.y(), -0.5, 1e-9);
  EXPECT_TRUE(robot_->getLink("wheel_4")->visual);
  EXPECT_EQ(dynamic_cast<const urdf::Box&>(*robot_->getLink("wheel_4_hub")->visual->geometry).dim.z,
            0.2);
  EXPECT_FALSE(robot_->getLink("base_link")->visual);
}

/// A tractor, and behind it a trailer that has a drive, too.
constexpr const char* kRoadTrain = R"(
    Solid { name "ground" boundingObject Plane { size 100 100 } children [ Shape { geometry Plane { size 100 100 } } ] }
    Robot { name "truck" controller "<none>" children [
      AckermannDrive { controller FrontSteerPid { kp 10 maxTorque 50 } wheels [
        VehicleWheel { position -0.6 0.5 0.2 diameter 0.4 } VehicleWheel { position -0.6 -0.5 0.2 diameter 0.4 }
        VehicleWheel { position 0.6 0.5 0.2 diameter 0.4 } VehicleWheel { position 0.6 -0.5 0.2 diameter 0.4 } ] }
      BallJoint { jointParameters BallJointParameters { anchor -1 0 0.4 }
        endPoint Solid { name "trailer" translation -2 0 0
          children [ DifferentialDrive { name "trailer drive" wheels [
            VehicleWheel { position 0 0.5 0.2 diameter 0.4 } VehicleWheel { position 0 -0.5 0.2 diameter 0.4 } ] } ]
          boundingObject Pose { translation 0 0 0.4 children [ Box { size 1 0.8 0.2 } ] }
          physics Physics { density -1 mass 40 } } } ]
      boundingObject Pose { translation 0 0 0.5 children [ Box { size 1.5 0.8 0.2 } ] }
      physics Physics { density -1 mass 100 } })";

TEST_F(RobotDescription, HasBaseLinkOnTheRobotAndNotOnItsTrailer) {
  world_ = std::make_unique<PublishedWorld>(kRoadTrain, "");
  Simulation& simulation = world_->simulation();
  simulation.find_vehicle("truck")->command(Twist{1.5, 0, 0.6});
  world_->run(3);
  read();
  expect_agreement(1e-3);
  EXPECT_GT(std::abs(at_.at("trailer joint 3")), 0.05);
  const Pose X_WV = simulation.find_vehicle("truck")->X_WV();
  const auto& truth = world_->collected().last<message::Odometry>("/base_pose_ground_truth");
  EXPECT_NEAR(truth.pose.pose.position.x, X_WV.p.x(), 1e-9);
  EXPECT_NEAR(truth.pose.pose.position.y, X_WV.p.y(), 1e-9);
}

TEST_F(RobotDescription, CountsTheTurnsOfWheels) {
  world_ = std::make_unique<PublishedWorld>(kRoadTrain, "");
  VehicleHost& truck = *world_->simulation().find_vehicle("truck");
  double turned = 0;
  for (int i = 1; i <= 300; ++i) {
    truck.command(Twist{2, 0, 0});
    world_->run(0.01 * i);
    if (i == 150) world_->publisher().restart(world_->simulation());
  }
  read();
  double before = 0, time = 0;
  for (const JointState* one : world_->collected().all<JointState>("/joint_states")) {
    const auto it = std::ranges::find(one->name, "wheel 1");
    const auto wheel = static_cast<std::size_t>(it - one->name.begin());
    const double now = static_cast<double>(message::nanoseconds(one->header.stamp)) * 1e-9;
    EXPECT_NEAR(one->position[wheel] - before, one->velocity[wheel] * (now - time), 0.1) << now;
    turned = before = one->position[wheel];
    time = now;
  }
  EXPECT_GT(turned, 4 * kPi);
  expect_agreement(1e-3);
}

TEST_F(RobotDescription, GivesEachFrameANameOfItsOwn) {
  run(R"(Robot { name "r" controller "<none>" children [
    Solid { name "base_footprint" translation 0.1 0 0 } Solid { name "odom" translation 0.2 0 0 }
    Solid { name "map" translation 0.3 0 0 } Solid { name "base_link" translation 0.4 0 0 }
    Gyro { name "odom" translation 0.5 0 0 } GPS { name "base link" translation 0.6 0 0 }
    Gyro { name "a b" translation 0.7 0 0 } Gyro { name "a_b" translation 0.8 0 0 } ] })",
      0.1);
  expect_agreement(1e-12);
  for (const char* name : {"map", "odom"}) EXPECT_FALSE(frames_.contains(name)) << name;
  EXPECT_EQ(frames_.at("base_footprint").p.x(), 0.1);  // the robot's own one
  EXPECT_FALSE(frames_.contains("base_footprint_2"));
  const Collected& collected = world_->collected();
  const auto frame_of = [&](const char* topic) {
    return collected.last<message::Imu>(topic).header.frame_id;
  };
  EXPECT_EQ(frames_.at(frame_of("/odom")).p.x(), 0.5);
  EXPECT_EQ(frames_.at(frame_of("/a_b")).p.x(), 0.7);
  EXPECT_EQ(frames_.at(frame_of("/a_b_2")).p.x(), 0.8);
}

TEST_F(RobotDescription, KeepsTheFootprintLevel) {
  run(R"(Robot { name "r" controller "<none>" rotation 1 0 0 0.1 boundingObject Box { size 0.1 0.2 0.3 }
    physics Physics { density -1 mass 1 } })",
      0.1);
  world_->simulation().model().physics->set_velocity(
      world_->simulation().model().solids.front().body, Vec3::Zero(), Vec3(0.5, 1, 0.2));
  world_->run(1);
  read();
  const auto& truth = world_->collected().last<message::Odometry>("/base_pose_ground_truth");
  const auto& q = truth.pose.pose.orientation;
  const Vec3 up = Quat(q.w, q.x, q.y, q.z) * (frames_.at("base_footprint").R * Vec3::UnitZ());
  EXPECT_NEAR(up.z(), 1, 1e-9);
}

// In worlds of before R2022a y is up: the footprint heads where the robot does, about y.
TEST_F(RobotDescription, KeepsTheFootprintLevelWhereYIsUp) {
  const std::string info = "coordinateSystem \"NUE\" gravity 0";
  run("Robot { name \"r\" controller \"<none>\" rotation 0 1 0 0.7 }", 0.1, info);
  EXPECT_NEAR(frames_.at("base_footprint").R.angularDistance(Quat::Identity()), 0, 1e-9);
  // It looks aside and is tilted.
  run("Robot { name \"r\" controller \"<none>\" rotation 0.35457 0.89742 0.26259 0.77437 }", 0.1,
      info);
  const auto& q =
      world_->collected().last<message::Odometry>("/base_pose_ground_truth").pose.pose.orientation;
  const Quat R_WB(q.w, q.x, q.y, q.z);
  const Quat R_WF = R_WB * frames_.at("base_footprint").R;
  EXPECT_NEAR((R_WF * Vec3::UnitY()).y(), 1, 1e-9);
  const Vec3 nose = R_WB * Vec3::UnitX(), heading = R_WF * Vec3::UnitX();
  EXPECT_NEAR(heading.x() * nose.z() - heading.z() * nose.x(), 0, 1e-9);
  EXPECT_GT(heading.dot(nose), 0.5);
}

TEST_F(RobotDescription, NumbersJointsOfOneNameWithoutRespellingThem) {
  const std::string arm =
      "HingeJoint { device RotationalMotor { name \"left arm\" } endPoint Solid { name \"s\" "
      "boundingObject Sphere { radius 0.1 } physics Physics { } } }";
  run("Robot { name \"r\" controller \"<none>\" children [ " + arm + " " + arm + " ] }", 0.1);
  EXPECT_THAT(joints_.name, ElementsAre("left arm", "left arm_2"));
}

TEST_F(RobotDescription, HasNoJointStatesOfARobotWithoutJoints) {
  run(R"(Robot { name "pole" controller "<none>" children [ GPS { name "top gps" translation 0 0 2 }
           Solid { name "sign" translation 0 0 1 } Solid { name "sign" translation 0 0 1.5 } ] })",
      0.1);
  expect_agreement(1e-12);
  EXPECT_THAT(world_->collected().topics, Not(Contains(Key("/joint_states"))));
  EXPECT_EQ(frames_.at("sign_2").p.z(), 1.5);
}

TEST_F(RobotDescription, HasTheMeshesThatItIsGiven) {
  TemporaryFolder folder;
  WorldText text;
  Simulation& simulation = text.load(
      "Robot { children [ Shape { geometry Cone { height 0.5 } } Shape { geometry Sphere { } } ] "
      "}");
  Collected collected;
  std::vector<OutputChoice> outputs;
  outputs.push_back(
      {std::make_unique<CollectingSink>(collected), [](const std::string&) { return true; }});
  Publisher publisher(simulation, {}, std::move(outputs),
                      {.mesh_file = [](const std::shared_ptr<const Geometry>& shape) {
                        return std::holds_alternative<Cone>(*shape) ? "file:///cone.stl" : "";
                      }});
  simulation.step();
  publisher.after_step();
  publisher.finish();
  const auto robot = urdf::parseURDF(collected.last<message::String>("/robot_description").data);
  const auto& seen = robot->getRoot()->visual_array;
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(dynamic_cast<const urdf::Mesh&>(*seen[0]->geometry).filename, "file:///cone.stl");
  EXPECT_EQ(seen[1]->geometry->type, urdf::Geometry::SPHERE);
}

}  // namespace
}  // namespace protobeam
