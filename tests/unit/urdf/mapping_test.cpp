// Shapes and materials, and the PROTO as text.
#include <gmock/gmock.h>

#include "tests/unit/support/paths.h"
#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string visual(const std::string& shape, const std::string& more = {}) {
  return "<visual><geometry>" + shape + "</geometry>" + more + "</visual>";
}

TEST_F(RobotTest, ShapesAreThoseOfWebots) {
  const auto world = read(robot("<link name=\"a\">" + visual("<box size=\"1 2 3\"/>") +
                                visual("<sphere radius=\"0.4\"/>") +
                                visual("<cylinder radius=\"0.5\" length=\"2\"/>") +
                                visual("<capsule radius=\"0.1\" length=\"0.6\"/>") + "</link>"));
  const wbt::Node& made = node(*world, "Robot");
  EXPECT_THAT(numbers(*find(world->nodes.back(), "Box"), "size"), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(*find(world->nodes.back(), "Sphere"), "radius"), ElementsAre(0.4));
  EXPECT_THAT(numbers(*find(world->nodes.back(), "Cylinder"), "height"), ElementsAre(2));
  EXPECT_THAT(numbers(*find(world->nodes.back(), "Capsule"), "height"), ElementsAre(0.6));
  EXPECT_EQ(made.find("children")->value.nodes.size(), 4u);
}

TEST_F(RobotTest, SeveralCollisionsAreAGroup) {
  const auto world = read(
      robot("<link name=\"a\"><collision><geometry><box size=\"1 2 3\"/></geometry></collision>"
            "<collision><origin xyz=\"0 0 1\"/><geometry><sphere "
            "radius=\"1\"/></geometry></collision></link>"));
  const wbt::Node& group = *node(*world, "Robot").find("boundingObject")->value.nodes.at(0);
  EXPECT_EQ(group.type, "Group");
  EXPECT_EQ(group.find("children")->value.nodes.at(0)->type, "Box");
  EXPECT_EQ(group.find("children")->value.nodes.at(1)->type, "Pose");
}

TEST_F(RobotTest, AMaterialIsDefinedOnceAndUsed) {
  const auto world = read(
      robot("<material name=\"half red\"><color rgba=\"1 0 0 0.5\"/></material><link name=\"a\">" +
            visual("<box size=\"1 1 1\"/>", "<material name=\"half red\"/>") +
            visual("<box size=\"2 2 2\"/>", "<material name=\"half red\"/>") +
            visual("<box size=\"3 3 3\"/>", "<material name=\"x\"/>") + "</link>"));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: there is no material 'x'; the shape is grey"));
  const std::string text = wbt::to_text(*world);
  EXPECT_THAT(text, HasSubstr("DEF MATERIAL_half_red PBRAppearance"));
  EXPECT_THAT(text, HasSubstr("USE MATERIAL_half_red"));
  const wbt::Node& red = node(*world, "PBRAppearance");
  (void)red;
  EXPECT_THAT(text, HasSubstr("transparency 0.5"));
}

TEST_F(RobotTest, GazebosMaterialsOverrideThoseOfTheRobot) {
  const auto look = [&](const std::string& gazebo) -> const wbt::Node& {
    world_ = read(robot("<link name=\"a\">" +
                        visual("<box size=\"1 1 1\"/>",
                               "<material name=\"m\"><color rgba=\"0 0 1 "
                               "1\"/></material>") +
                        visual("<box size=\"2 2 2\"/>") + "</link>\n<gazebo reference=\"a\">" +
                        gazebo + "</gazebo>"));
    return *find(world_->nodes.back(), "PBRAppearance");  // the plain has one, too
  };
  // gz-sim, src/rendering/MaterialParser/gazebo.material
  EXPECT_THAT(numbers(look("<material>Gazebo/Orange</material>"), "baseColor"),
              ElementsAre(1, 0.5088, 0.0468));
  EXPECT_THAT(wbt::to_text(*world_), HasSubstr("DEF MATERIAL_Gazebo_Orange PBRAppearance"));
  EXPECT_THAT(wbt::to_text(*world_), HasSubstr("USE MATERIAL_Gazebo_Orange"));  // of both shapes
  EXPECT_EQ(diagnostics_.to_string().find("no effect"), std::string::npos);
  EXPECT_THAT(numbers(look("<material>Gazebo/PurpleGlow</material>"), "emissiveColor"),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(numbers(look("<material>Gazebo/RedTransparent</material>"), "transparency"),
              ElementsAre(0.5));
  const wbt::Node& coloured = look(
      "<visual><material><ambient>1 1 1 1</ambient><diffuse>0.2 0.3 0.4 0.75</diffuse>"
      "<emissive>0 0.1 0 1</emissive></material></visual>");
  EXPECT_THAT(numbers(coloured, "baseColor"), ElementsAre(0.2, 0.3, 0.4));
  EXPECT_THAT(numbers(coloured, "transparency"), ElementsAre(0.25));
  EXPECT_THAT(numbers(coloured, "emissiveColor"), ElementsAre(0, 0.1, 0));
  EXPECT_THAT(numbers(look("<material>Gazebo/Orang</material>"), "baseColor"),
              ElementsAre(0, 0, 1));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: the <material> 'Gazebo/Orang' of <gazebo> has no effect; did you "
                        "mean 'Gazebo/Orange'?"));
}

TEST_F(RobotTest, WhatSaysNoMoreThanIsDoneAnywayIsNoWarning) {
  const auto says = [&](const std::string& gazebo) {
    return messages(robot("<link name=\"a\"/>\n<gazebo reference=\"a\">" + gazebo + "</gazebo>"));
  };
  EXPECT_EQ(says("<gravity>true</gravity><turnGravityOff>false</turnGravityOff><selfCollide>0"
                 "</selfCollide><preserveFixedJoint>true</preserveFixedJoint>"
                 "<mu1>1</mu1><mu2>1.0</mu2><fdir1>1 0 0</fdir1>")
                .find("no effect"),
            std::string::npos);
  EXPECT_THAT(says("<selfCollide>true</selfCollide>"),
              HasSubstr("warning: <selfCollide> of <gazebo> has no effect"));
  EXPECT_THAT(says("<mu1>1</mu1><mu2>0.5</mu2><fdir1>1 0 0</fdir1>"),
              HasSubstr("warning: a <mu2> of <gazebo> that is not <mu1> has no effect"));
}

TEST_F(RobotTest, AMeshIsScaledAndNamedFromTheNewFile) {
  folder_.write("meshes/part.obj",
                "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 -1\nf 1 2 3\nf 1 3 4\nf 1 4 2\nf 2 4 3\n");
  const std::string text =
      robot("<link name=\"a\">" + visual("<mesh filename=\"meshes/part.obj\" scale=\"1 1 2\"/>") +
            "<collision><geometry><mesh filename=\"meshes/part.obj\" scale=\"1 1 "
            "2\"/></geometry></collision></link>");
  read(text);
  const auto proto = to_proto(*robot_, "Part", options_, folder_ / "protos", diagnostics_);
  ASSERT_TRUE(proto) << diagnostics_.to_string();
  EXPECT_THAT(wbt::to_text(*proto), HasSubstr("url [ \"../meshes/part.obj\" ]"));
  EXPECT_THAT(wbt::to_text(*proto), HasSubstr("scale 1 1 2"));
  EXPECT_THAT(wbt::to_text(*proto), HasSubstr("PROTO Part ["));
  load(text);  // its lowest point is 2 m below its origin
  EXPECT_DOUBLE_EQ(pose("r").p.z(), 2);
}

TEST_F(RobotTest, TheSampleRobotStandsMovesAndSeesTheGround) {
  const auto file = source_dir() + "/worlds/arm/arm.urdf";
  Diagnostics diagnostics;
  SimulationOptions options;
  options.read = [&](const std::filesystem::path& path, const wbt::LoadOptions& load,
                     Diagnostics& out) {
    robot_ = read_robot(path, options_, out);
    return wbt::expand_world(*to_world(*robot_, options_, {}, out), load, out);
  };
  simulation_ = Simulation::load(file, options, diagnostics);
  ASSERT_TRUE(simulation_) << diagnostics.to_string();
  EXPECT_EQ(diagnostics.all().size(), 0u) << diagnostics.to_string();
  command("shoulder", "position", 0.5);
  command("elbow", "position", 1.2);
  command("left_finger::left_finger", "position", 0.02);
  run(5);
  EXPECT_NEAR(pose("base").p.z(), 0.05, 1e-3);
  const double reach = 0.3 * std::sin(0.5), up = 0.1 + 0.2 + 0.3 * std::cos(0.5);
  EXPECT_NEAR(pose("forearm").p.x(), reach, 5e-3);
  EXPECT_NEAR(pose("forearm").p.z(), up, 5e-3);
  EXPECT_NEAR((pose("left").p - pose("right").p).norm(), 0.02 + 2 * 0.02, 1e-3);
}

}  // namespace
}  // namespace protobeam::urdf
