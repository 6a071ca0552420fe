// The URDF of a robot against its bodies, by urdfdom and the transforms of its specification.
#include "sim/robot_urdf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <urdf_parser/urdf_parser.h>

#include <map>

#include "tests/unit/sim/urdf_kinematics.h"
#include "tests/unit/sim/world_text.h"

namespace protobeam {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kArm = R"(Robot { name "arm" translation 1 2 3 rotation 1 2 3 0.7 children [
  Pose { translation 0.1 0 0.2 rotation 0 1 0 0.4 children [
    HingeJoint {
      jointParameters HingeJointParameters { position 0.3 axis 0 0.6 0.8 anchor 0.2 0.1 0 minStop -1 maxStop 2 }
      device [ RotationalMotor { name "shoulder" maxTorque 7 maxVelocity 3 } PositionSensor { name "angle" } ]
      endPoint Solid { name "upper" translation 0.5 0.3 0.1 rotation 0 0 1 0.9 children [
        Shape { appearance PBRAppearance { baseColor 1 0.5 0 } geometry Sphere { radius 0.05 } }
        Solid { name "plate" translation 0 0.1 0 rotation 1 0 0 0.2
          boundingObject Pose { translation 0 0 0.3 children [ Box { size 0.1 0.2 0.3 } ] } physics Physics { density -1 mass 2 } }
        SliderJoint {
          jointParameters JointParameters { position 0.05 axis 0 0 1 }
          device LinearMotor { name "lift" minPosition -0.1 maxPosition 0.4 maxForce 50 maxVelocity 0.5 }
          endPoint Solid { name "carriage" translation 0.2 0 0.15 children [
            Solid { name "upper" translation 0 0 0.1 }
            Hinge2Joint {
              jointParameters HingeJointParameters { position 0.4 axis 0 0 1 anchor 0.3 0 0 }
              jointParameters2 JointParameters { position -0.6 axis 1 0 0 }
              device RotationalMotor { name "pan" } device2 RotationalMotor { name "tilt" }
              endPoint Solid { name "head" translation 0.4 0.1 0 children [
                Camera { name "eye" translation 0 0 0.1 rotation 0 1 0 0.5 } ]
                boundingObject Sphere { radius 0.04 } physics Physics { density -1 mass 0.5 } } } ]
            boundingObject Capsule { radius 0.02 height 0.1 } physics Physics { density -1 mass 1 } } } ]
        boundingObject Sphere { radius 0.05 } physics Physics { density -1 mass 3 } } } ] } ]
  boundingObject Cylinder { radius 0.1 height 0.2 } physics Physics { density -1 mass 10 } })";

class RobotUrdf : public testing::Test {
 protected:
  void load(const std::string& text, const std::string& prefix = "") {
    simulation_ = &world_.load(text);
    text_ = robot_urdf(*simulation_, 0, prefix);
    robot_ = urdf::parseURDF(text_);
    ASSERT_TRUE(robot_) << text_;
  }
  const SolidInfo& solid(const std::string& name) const {
    for (const SolidInfo& one : simulation_->model().solids) {
      if (one.name == name) return one;
    }
    throw std::runtime_error("no Solid " + name);
  }
  /// In the robot.
  Pose pose(const std::string& name) const {
    const auto in_world = [&](const SolidInfo& one) {
      return one.body == physics::kWorldBody
                 ? one.X_BS
                 : simulation_->model().physics->pose(one.body) * one.X_BS;
    };
    return in_world(solid("arm")).inverse() * in_world(solid(name));
  }
  static void expect_near(const Pose& a, const Pose& b, const std::string& what) {
    EXPECT_NEAR((a.p - b.p).norm(), 0, 1e-9) << what;
    EXPECT_NEAR(a.R.angularDistance(b.R), 0, 1e-7) << what;
  }

  WorldText world_;
  Simulation* simulation_ = nullptr;
  std::string text_;
  urdf::ModelInterfaceSharedPtr robot_;
};

TEST_F(RobotUrdf, ItsJointsPutTheLinksWhereTheSolidsAre) {
  load(kArm);
  std::map<std::string, double> at = {
      {"shoulder", 0.3}, {"lift", 0.05}, {"pan", 0.4}, {"tilt", -0.6}};
  const auto check = [&] {
    for (const char* fixed : {"plate", "eye"})
      expect_near(forward(*robot_, fixed, at), pose(fixed), fixed);
    for (const char* moved : {"upper", "carriage", "head"}) {
      EXPECT_NEAR(forward(*robot_, moved, at).R.angularDistance(pose(moved).R), 0, 1e-7) << moved;
    }
    // The link of an endPoint lies on the joint's anchor, and what is seen of the Solid where it
    // was.
    const auto visual = robot_->getLink("upper")->visual;
    expect_near(forward(*robot_, "upper", at) * urdf_pose(visual->origin), pose("upper"),
                "the ball");
  };
  check();
  // And elsewhere: URDF says where joints are at 0, whatever the world's positions.
  physics::World& bodies = *simulation_->model().physics;
  for (std::size_t i = 0; i < simulation_->model().joints.size(); ++i) {
    const auto joint = static_cast<physics::JointId>(i);
    const std::size_t axes = simulation_->model().joints[i].axes_P.size();
    for (std::size_t axis = 0; axis < axes; ++axis) {
      bodies.set_joint_position(joint, static_cast<int>(axis),
                                0.1 + 0.07 * static_cast<double>(i + axis));
    }
  }
  for (const Device& device : simulation_->model().robots[0].devices) {
    if (at.contains(device.name))
      at[device.name] = bodies.joint_position(device.joint, device.axis);
  }
  EXPECT_NE(at["shoulder"], 0.3);
  const std::string before = text_;
  check();
  EXPECT_EQ(robot_urdf(*simulation_, 0, ""), before);
}

TEST_F(RobotUrdf, NamesJointsByMotorsWithTheirLimits) {
  load(kArm, "left_");
  const auto joint = [&](const std::string& name) { return robot_->getJoint("left_" + name); };
  EXPECT_EQ(robot_->getRoot()->name, "left_base_link");
  ASSERT_TRUE(joint("shoulder") && joint("lift") && joint("pan") && joint("tilt"));
  EXPECT_EQ(joint("shoulder")->type, urdf::Joint::REVOLUTE);
  EXPECT_EQ(joint("shoulder")->limits->lower, -1);
  EXPECT_EQ(joint("shoulder")->limits->upper, 2);
  EXPECT_EQ(joint("shoulder")->limits->effort, 7);
  EXPECT_EQ(joint("shoulder")->limits->velocity, 3);
  EXPECT_EQ(joint("lift")->type, urdf::Joint::PRISMATIC);
  EXPECT_EQ(joint("lift")->limits->upper, 0.4);  // the motor's, where there are no stops
  EXPECT_EQ(joint("pan")->type, urdf::Joint::CONTINUOUS);
  EXPECT_EQ(joint("tilt")->child_link_name, "left_head");
  // The second of a name gets a number.
  EXPECT_TRUE(robot_->getLink("left_upper_2"));
}

TEST_F(RobotUrdf, NamesJointsByTheirChildWhereNothingOnThemHasAName) {
  const auto joint = [](const std::string& part, const std::string& device) {
    return "HingeJoint { device [ " + device + " ] endPoint Solid { name \"" + part +
           "\" physics Physics { } boundingObject Sphere { radius 0.1 } } }\n";
  };
  load("Robot { children [ " + joint("a", "RotationalMotor { name \"\" }") + joint("b", "") +
       " ] }");
  EXPECT_TRUE(robot_->getJoint("a joint 1"));
  EXPECT_TRUE(robot_->getJoint("b joint 1"));
}

TEST_F(RobotUrdf, HasTheMassOfItsBodiesAndTheirShapes) {
  load(kArm);
  double mass = 0;
  for (const auto& [name, link] : robot_->links_) mass += link->inertial ? link->inertial->mass : 0;
  EXPECT_NEAR(mass, 10 + 3 + 2 + 1 + 0.5, 1e-9);
  // Of one ball: 2/5 m r^2 about its middle, which is the Solid's origin.
  const auto& head = *robot_->getLink("head");
  EXPECT_NEAR(head.inertial->ixx, 0.4 * 0.5 * 0.04 * 0.04, 1e-9);
  EXPECT_NEAR(head.inertial->ixy, 0, 1e-12);
  EXPECT_EQ(robot_->getLink("carriage")->collision_array.size(), 3u);  // a capsule
  const auto& plate = *robot_->getLink("plate")->collision;
  EXPECT_NEAR(plate.origin.position.z, 0.3, 1e-12);
  EXPECT_EQ(dynamic_cast<const urdf::Box&>(*plate.geometry).dim.y, 0.2);
  EXPECT_NEAR(robot_->getLink("upper")->visual->material->color.g, 0.5, 1e-6);
}

TEST_F(RobotUrdf, OfARobotThatStandsIsOneOfLinksWithoutMass) {
  load(R"(Robot { name "a & <b>" children [ Lidar { name "lidar" translation 0 0 1 } ] })");
  EXPECT_EQ(robot_->getName(), "a & <b>");
  EXPECT_EQ(robot_->links_.size(), 2u);
  EXPECT_EQ(robot_->getLink("lidar")->parent_joint->parent_to_joint_origin_transform.position.z, 1);
}

}  // namespace
}  // namespace protobeam
