// What becomes what.
#include <gmock/gmock.h>

#include "tests/unit/sdf/world_text.h"
#include "wbt/document.h"

namespace protobeam::sdf {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<testing::Matcher<double>> near(std::initializer_list<double> values) {
  std::vector<testing::Matcher<double>> out;
  for (const double value : values) out.emplace_back(DoubleNear(value, 1e-6));
  return out;
}

std::string shape(const std::string& geometry, const std::string& more = {}) {
  return "<visual name=\"v\"><geometry>" + geometry + "</geometry>" + more + "</visual>";
}

// By hand: a box of 0.2 m^3 of 1000 kg/m^3 and one of 0.1 m^3 of 500 kg/m^3 that lies 1 m beside.
TEST_F(WorldTest, AnAutomaticInertialWeighsTheCollisions) {
  const auto link = [](const std::string& inertial) {
    return world(model(
        "m", "<link name=\"a\">" + inertial +
                 "<collision name=\"c\"><geometry><box><size>1 0.5 0.4</size></box></geometry>"
                 "</collision><collision name=\"d\"><density>500</density><pose>1 0 0 0 0 0</pose>"
                 "<geometry><box><size>0.5 0.5 0.4</size></box></geometry></collision></link>"));
  };
  const auto physics = [&](const std::string& inertial) -> const wbt::Node& {
    world_ = read(link(inertial));
    EXPECT_EQ(diagnostics_.to_string(), "");
    return node(*world_, "Physics");
  };
  const wbt::Node& weighed = physics("<inertial auto=\"true\"/>");
  EXPECT_THAT(numbers(weighed, "mass"), testing::ElementsAre(testing::DoubleNear(250, 1e-9)));
  EXPECT_NEAR(numbers(weighed, "centerOfMass").at(0), 50.0 / 250, 1e-12);
  const double across = (0.5 * 0.5 + 0.4 * 0.4) / 12;
  const double about_y = 200 * (1 + 0.16) / 12 + 50 * (0.25 + 0.16) / 12 + 200 * 0.04 + 50 * 0.64;
  EXPECT_NEAR(numbers(weighed, "inertiaMatrix").at(0), 250 * across, 1e-9);
  EXPECT_NEAR(numbers(weighed, "inertiaMatrix").at(1), about_y, 1e-9);
  // A mass that is said scales it, as the density of all scales what has none of its own.
  const wbt::Node& scaled = physics("<inertial auto=\"true\"><mass>25</mass></inertial>");
  EXPECT_THAT(numbers(scaled, "mass"), testing::ElementsAre(25));
  EXPECT_NEAR(numbers(scaled, "inertiaMatrix").at(1), about_y / 10, 1e-9);
  EXPECT_NEAR(
      numbers(physics("<inertial auto=\"true\"><density>500</density></inertial>"), "mass").at(0),
      150, 1e-9);
  EXPECT_THAT(messages(world(model("m", "<link name=\"a\"><inertial auto=\"true\"/></link>"))),
              testing::HasSubstr("warning: 'auto' of an <inertial> of a link without a <collision> "
                                 "has no effect"));
}

TEST_F(WorldTest, PosesAreThoseOfTheirFrames) {
  // By hand: the frame is 1 m ahead and turned left by 90 degrees; the link is 2 m ahead of it, so
  // at (1, 2); the visual is 1 m to the right of the link, which is the model's +x.
  const auto document = *read(
      world("<frame name=\"yard\"><pose>10 0 0 0 0 0</pose></frame>" +
            model("m",
                  "<pose relative_to=\"yard\">0 5 0 0 0 0</pose>"
                  "<frame name=\"f\"><pose>1 0 0 0 0 1.5707963267948966</pose></frame>" +
                      heavy("a", 1, "0 0 0 0 0 0") +
                      "<link name=\"b\"><pose relative_to=\"f\" degrees=\"true\">2 0 0 0 0 0</pose>"
                      "<visual name=\"v\"><pose relative_to=\"__model__\">2 2 0 0 0 0</pose>"
                      "<geometry><sphere><radius>0.1</radius></sphere></geometry></visual></link>"
                      "<joint name=\"j\" type=\"fixed\"><parent>a</parent><child>b</child>"
                      "</joint>")));
  EXPECT_THAT(numbers(node(document, "Solid", "m"), "translation"), ElementsAre(10, 5, 0));
  const wbt::Node& b = node(document, "Solid", "b");
  EXPECT_THAT(numbers(b, "translation"), testing::ElementsAreArray(near({1, 2, 0})));
  EXPECT_THAT(numbers(b, "rotation"), testing::ElementsAreArray(near({0, 0, 1, kPi / 2})));
  EXPECT_THAT(numbers(*find(b.find("children")->value.nodes.at(0), "Pose"), "translation"),
              testing::ElementsAreArray(near({0, -1, 0})));
}

TEST_F(WorldTest, MassesAreTurnedIntoTheLinksAxes) {
  const auto document = *read(world(
      model("m",
            "<link name=\"a\"><inertial><pose>0.1 0 0.2 0 0 1.5707963267948966</pose><mass>3</mass>"
            "<inertia><ixx>1</ixx><iyy>2</iyy><izz>2.5</izz></inertia></inertial></link>")));
  const wbt::Node& physics = node(document, "Physics");
  EXPECT_THAT(numbers(physics, "mass"), ElementsAre(3));
  EXPECT_THAT(numbers(physics, "centerOfMass"), ElementsAre(0.1, 0, 0.2));
  EXPECT_THAT(numbers(physics, "inertiaMatrix"),
              testing::ElementsAreArray(near({2, 1, 2.5, 0, 0, 0})));
}

TEST_F(WorldTest, ALinkThatSaysNothingWeighsAKilogram) {
  load(world(model("m", "<link name=\"a\"/>")));
  EXPECT_DOUBLE_EQ(mass("m"), 1);
}

TEST_F(WorldTest, ShapesHaveTheirSizes) {
  const auto document = *read(world(model(
      "m",
      "<static>true</static><link name=\"a\">" + shape("<box><size>1 2 3</size></box>") +
          "<visual name=\"e\"><geometry><ellipsoid><radii>1 2 3</radii></ellipsoid></geometry>"
          "</visual><visual name=\"c\"><geometry><cylinder><radius>0.5</radius><length>2</length>"
          "</cylinder></geometry></visual><visual name=\"k\"><geometry><capsule><radius>0.4"
          "</radius><length>1.5</length></capsule></geometry></visual><visual name=\"p\"><geometry>"
          "<plane><normal>1 0 0</normal><size>4 5</size></plane></geometry></visual></link>")));
  EXPECT_THAT(numbers(node(document, "Box"), "size"), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(node(document, "Transform"), "scale"), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(node(document, "Cylinder"), "radius"), ElementsAre(0.5));
  EXPECT_THAT(numbers(node(document, "Cylinder"), "height"), ElementsAre(2));
  EXPECT_THAT(numbers(node(document, "Capsule"), "height"), ElementsAre(1.5));
  EXPECT_THAT(numbers(node(document, "Plane"), "size"), ElementsAre(4, 5));
  EXPECT_THAT(numbers(node(document, "Pose"), "rotation"),
              testing::ElementsAreArray(near({0, 1, 0, kPi / 2})));
  EXPECT_EQ(diagnostics_.to_string(), "");
  EXPECT_EQ(find(document.nodes.back(), "Physics"), nullptr);
}

TEST_F(WorldTest, MaterialsBecomeLooks) {
  const auto document = *read(world(model(
      "m", "<link name=\"a\">" +
               shape("<box/>",
                     "<transparency>0.5</transparency><material><diffuse>0.1 0.2 0.3 0.5</diffuse>"
                     "<emissive>0 0.4 0 1</emissive><pbr><metal><roughness>0.3</roughness>"
                     "<metalness>0.9</metalness></metal></pbr></material>") +
               "</link>")));
  const wbt::Node& look = node(document, "PBRAppearance");
  EXPECT_THAT(numbers(look, "baseColor"), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(numbers(look, "transparency"), ElementsAre(0.75));
  EXPECT_THAT(numbers(look, "emissiveColor"), ElementsAre(0, 0.4, 0));
  EXPECT_THAT(numbers(look, "roughness"), ElementsAre(0.3));
  EXPECT_THAT(numbers(look, "metalness"), ElementsAre(0.9));
}

TEST_F(WorldTest, LightsShineAsTheyDid) {
  const auto document = *read(world(
      "<scene><ambient>0.2 0.3 0.1</ambient><background>0.1 0.2 0.3 1</background></scene>"
      "<light name=\"sun\" type=\"directional\"><pose>0 0 9 0 0 1.5707963267948966</pose><diffuse>"
      "0.4 0.8 0.8 1</diffuse><direction>1 0 -1</direction><cast_shadows>1</cast_shadows></light>"
      "<light name=\"lamp\" type=\"spot\"><pose>1 2 3 0 0 0</pose><intensity>2</intensity>"
      "<attenuation><range>20</range><constant>0.5</constant><linear>0.01</linear><quadratic>0.001"
      "</quadratic></attenuation><spot><inner_angle>0.6</inner_angle><outer_angle>1</outer_angle>"
      "</spot></light>"));
  EXPECT_THAT(numbers(node(document, "Background"), "skyColor"), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(numbers(node(document, "DirectionalLight"), "ambientIntensity"), ElementsAre(0.3));
  const wbt::Node& sun = *document.nodes.at(4);
  EXPECT_THAT(numbers(sun, "direction"), testing::ElementsAreArray(near({0, 1, -1})));
  EXPECT_THAT(numbers(sun, "color"), ElementsAre(0.5, 1, 1));
  EXPECT_THAT(numbers(sun, "intensity"), ElementsAre(0.8));
  const wbt::Node& lamp = node(document, "SpotLight");
  EXPECT_THAT(numbers(lamp, "location"), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(lamp, "intensity"), ElementsAre(2));
  EXPECT_THAT(numbers(lamp, "attenuation"), ElementsAre(0.5, 0.01, 0.001));
  EXPECT_THAT(numbers(lamp, "radius"), ElementsAre(20));
  EXPECT_THAT(numbers(lamp, "beamWidth"), ElementsAre(0.3));
  EXPECT_THAT(numbers(lamp, "cutOffAngle"), ElementsAre(0.5));
}

TEST_F(WorldTest, AWorldSaysStepsGravityAndWhereItIs) {
  const auto document = *read(
      "<sdf version=\"1.6\"><world name=\"mars\"><gravity>0 0 "
      "-3.7</gravity><physics><max_step_size>"
      "0.002</max_step_size></physics><spherical_coordinates><latitude_deg>48</latitude_deg>"
      "<longitude_deg>11</longitude_deg><elevation>500</elevation><heading_deg>90</heading_deg>"
      "</spherical_coordinates><gui><camera name=\"c\"><pose>1 2 3 0 0 0</pose></camera></gui>"
      "</world></sdf>");
  const wbt::Node& info = node(document, "WorldInfo");
  EXPECT_THAT(numbers(info, "basicTimeStep"), ElementsAre(2));
  EXPECT_THAT(numbers(info, "gravity"), ElementsAre(3.7));
  EXPECT_THAT(numbers(info, "gpsReference"), ElementsAre(48, 11, 500));
  EXPECT_THAT(numbers(info, "gpsRotation"), testing::ElementsAreArray(near({kPi / 2})));
  EXPECT_THAT(numbers(node(document, "Viewpoint"), "position"), ElementsAre(1, 2, 3));
}

TEST_F(WorldTest, NestedModelsAreOne) {
  load(world(
      model("outer", "<pose>1 0 0 0 0 0</pose>" + heavy("a", 1, "0 0 1 0 0 0") +
                         model("inner", "<pose>0 2 0 0 0 0</pose>" + heavy("b", 2, "0 0 1 0 0 0")) +
                         "<joint name=\"j\" type=\"fixed\"><parent>a</parent>"
                         "<child>inner::b</child></joint>")));
  EXPECT_DOUBLE_EQ(mass("outer"), 3);
  EXPECT_LT((pose("inner::b").p - Vec3(1, 2, 1)).norm(), 1e-9);
}

TEST_F(WorldTest, LinksWithoutAJointAreBodiesOfTheirOwn) {
  load(world(model("m", heavy("a", 1, "0 0 1 0 0 0") + heavy("b", 2, "0 3 1 0 0 0"))));
  EXPECT_DOUBLE_EQ(mass("m"), 1);
  EXPECT_DOUBLE_EQ(mass("m::b"), 2);
}

TEST_F(WorldTest, RobotsAreWhatHasDevices) {
  const auto document = *read(world(
      model("thing", heavy("a", 1, "0 0 0 0 0 0")) +
      model("eye",
            "<static>1</static><link name=\"a\"><sensor name=\"s\" type=\"navsat\"/></link>") +
      model("door", heavy("b", 1, "0 0 0 0 0 0") + hinge("h", "world", "b", "<xyz>0 0 1</xyz>"))));
  EXPECT_EQ(node(document, "Solid", "thing").type, "Solid");
  EXPECT_EQ(node(document, "Robot", "eye").type, "Robot");
  EXPECT_EQ(node(document, "GPS").find("name")->value.strings.at(0), "s");
  EXPECT_EQ(node(document, "PositionSensor").find("name")->value.strings.at(0), "h_sensor");
  EXPECT_EQ(find(document.nodes.back(), "RotationalMotor"), nullptr);
}

TEST_F(WorldTest, PluginsThatLetGazeboSimulateSensorsAreNoWarning) {
  const auto with = [](const std::string& file) {
    return world("<plugin filename=\"" + file + "\" name=\"p\"/>");
  };
  for (const char* file : {"gz-sim-air-speed-system", "gz-sim-logical-camera-system",
                           "gz-sim-cpu-lidar-system", "gz-sim-forcetorque-system"})
    EXPECT_EQ(messages(with(file)), "") << file;
  EXPECT_THAT(
      messages(with("gz-sim-logicalaudiosensorplugin-system")),
      testing::HasSubstr("warning: Gazebo's <plugin> 'gz-sim-logicalaudiosensorplugin-system' "
                         "has no effect"));
}

TEST_F(WorldTest, JointsThatAPluginCommandsHaveMotors) {
  const auto document = *read(world(model(
      "door", heavy("b", 1, "0 0 0 0 0 0") +
                  hinge("h", "world", "b",
                        "<xyz>0 0 1</xyz><limit><lower>-1</lower><upper>2</upper><effort>7"
                        "</effort><velocity>3</velocity></limit><dynamics><damping>0.5</damping>"
                        "<friction>0.25</friction></dynamics>") +
                  "<plugin filename=\"gz-sim-joint-position-controller-system\" name=\"p\">"
                  "<joint_name>h</joint_name></plugin>")));
  const wbt::Node& motor = node(document, "RotationalMotor", "h");
  EXPECT_THAT(numbers(motor, "maxTorque"), ElementsAre(7));
  EXPECT_THAT(numbers(motor, "maxVelocity"), ElementsAre(3));
  const wbt::Node& parameters = node(document, "HingeJointParameters");
  EXPECT_THAT(numbers(parameters, "minStop"), ElementsAre(-1));
  EXPECT_THAT(numbers(parameters, "maxStop"), ElementsAre(2));
  EXPECT_THAT(numbers(parameters, "dampingConstant"), ElementsAre(0.5));
  EXPECT_THAT(numbers(parameters, "staticFriction"), ElementsAre(0.25));
}

TEST_F(WorldTest, PluginsOfNestedModelsNameTheirJoints) {
  const auto document = *read(world(model(
      "house", heavy("a", 1, "0 0 0 0 0 0") +
                   model("door", heavy("b", 1, "0 0 0 0 0 0") +
                                     hinge("h", "world", "b", "<xyz>0 0 1</xyz>") +
                                     "<plugin filename=\"gz-sim-joint-position-controller-system\" "
                                     "name=\"p\"><joint_name>h</joint_name></plugin>"))));
  EXPECT_EQ(node(document, "RotationalMotor", "door::h").type, "RotationalMotor");
}

TEST_F(WorldTest, BallsAndUniversalJointsHaveTheirAxes) {
  const auto document = *read(world(model(
      "m",
      heavy("a", 1, "0 0 0 0 0 0") + heavy("b", 1, "0 0 1 0 0 0") + heavy("c", 1, "0 0 2 0 0 0") +
          hinge("hold", "world", "a", "", "0 0 0 0 0 0", "fixed") +
          "<joint name=\"u\" type=\"universal\"><pose>0 0 -0.5 0 0 0</pose><parent>a</parent>"
          "<child>b</child><axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2></joint>" +
          hinge("k", "b", "c", "", "0 0 -0.4 0 0 0", "ball"))));
  const wbt::Node& two = node(document, "Hinge2Joint");
  EXPECT_THAT(numbers(*two.find("jointParameters")->value.nodes.at(0), "axis"),
              ElementsAre(1, 0, 0));
  EXPECT_THAT(numbers(*two.find("jointParameters")->value.nodes.at(0), "anchor"),
              ElementsAre(0, 0, 0.5));
  EXPECT_THAT(numbers(*two.find("jointParameters2")->value.nodes.at(0), "axis"),
              ElementsAre(0, 1, 0));
  EXPECT_THAT(numbers(node(document, "BallJointParameters"), "anchor"),
              testing::ElementsAreArray(near({0, 0, 0.6})));
}

TEST_F(WorldTest, TheLowerOfTwoFrictionsCounts) {
  const auto mu = [](const std::string& name, const std::string& value) {
    return model(name,
                 "<link name=\"a\"><collision name=\"c\"><geometry><box/></geometry><surface>"
                 "<friction><ode><mu>" +
                     value + "</mu></ode></friction></surface></collision></link>");
  };
  const auto document = *read(world(mu("a", "0.3") + mu("b", "5")));
  std::string all;
  for (const wbt::NodePtr& one :
       node(document, "WorldInfo").find("contactProperties")->value.nodes) {
    all += fmt::format("{}|{}={} ", one->find("material1")->value.strings.at(0),
                       one->find("material2")->value.strings.at(0),
                       numbers(*one, "coulombFriction").at(0));
  }
  EXPECT_EQ(all,
            "default|default=1 friction 0.3|default=0.3 friction 0.3|friction 0.3=0.3 "
            "friction 5|default=1 friction 0.3|friction 5=0.3 friction 5|friction 5=5 ");
}

TEST_F(WorldTest, OldAxesAreTheModels) {
  // SDF 1.4: in the model's frame; 1.6: in the joint's, unless it says otherwise.
  const auto axis = [&](const std::string& version, const std::string& more) {
    const auto document =
        *read("<sdf version=\"" + version + "\"><world name=\"w\">" +
              model("m", heavy("b", 1, "0 0 0 0 0 1.5707963267948966") +
                             hinge("h", "world", "b", "<xyz>1 0 0</xyz>" + more)) +
              "</world></sdf>");
    return numbers(node(document, "HingeJointParameters"), "axis");
  };
  EXPECT_THAT(axis("1.4", ""), testing::ElementsAreArray(near({1, 0, 0})));
  EXPECT_THAT(axis("1.6", ""), testing::ElementsAreArray(near({0, 1, 0})));
  EXPECT_THAT(axis("1.6", "<use_parent_model_frame>1</use_parent_model_frame>"),
              testing::ElementsAreArray(near({1, 0, 0})));
}

TEST_F(WorldTest, AModelAloneStandsOnAPlain) {
  const auto document = *read(
      "<sdf version=\"1.9\">" +
      model("m", heavy("a", 1, "0 0 0 0 0 0",
                       "<collision name=\"c\"><geometry><sphere><radius>0.25</radius></sphere>"
                       "</geometry></collision>")) +
      "</sdf>");
  EXPECT_THAT(numbers(node(document, "Solid", "m"), "translation"), ElementsAre(0, 0, 0.25));
  EXPECT_EQ(node(document, "Plane").type, "Plane");
}

TEST_F(WorldTest, ModelsStandWhereGazeboClassicSavedThem) {
  const auto saved = [](const std::string& more) {
    return world(
        model("crate", "<pose>1 2 3 0 0 0</pose>" + heavy("a", 1, "0 0 0.5 0 0 0")) +
        model("other", heavy("a", 1, "0 0 0 0 0 0")) +
        "<light name=\"l\" type=\"point\"><pose>0 0 9 0 0 0</pose></light>" + more +
        "<state world_name=\"w\"><sim_time>9 0</sim_time><model name=\"crate\"><pose "
        "frame=\"\">4 5 6 0 0 1.5707963267948966</pose><scale>1 1 1</scale><link name=\"a\">"
        "<pose>4 5 6.5 0 0 1.5707963267948966</pose></link></model><model name=\"gone\">"
        "<pose>0 0 0 0 0 0</pose></model><light name=\"l\"><pose>7 8 9 0 0 0</pose></light>"
        "</state>");
  };
  const auto document = *read(saved(""));
  EXPECT_EQ(diagnostics_.to_string(), "");
  EXPECT_THAT(numbers(node(document, "Solid", "crate"), "translation"),
              testing::ElementsAreArray(near({4, 5, 6.5})));
  EXPECT_THAT(numbers(node(document, "Solid", "crate"), "rotation"),
              testing::ElementsAreArray(near({0, 0, 1, kPi / 2})));
  EXPECT_THAT(numbers(node(document, "PointLight"), "location"), ElementsAre(7, 8, 9));
  // Gazebo itself does not look at it.
  const auto now = *read(
      saved("<plugin filename=\"gz-sim-physics-system\" name=\"gz::sim::systems::Physics\"/>"));
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("the <state> of a <world> with plugins of Gazebo "
                                                  "has no effect"));
  EXPECT_THAT(numbers(node(now, "Solid", "crate"), "translation"),
              testing::ElementsAreArray(near({1, 2, 3.5})));
}

TEST_F(WorldTest, WhatHasNoEffectIsToldOnceForEachKind) {
  EXPECT_THAT(
      messages(world(model("m",
                           "<link name=\"a\"><kinematic>1</kinematic><laser/></link>"
                           "<link name=\"b\"><kinematic>1</kinematic><visaul/></link>") +
                     "<actor name=\"x\"/><population name=\"p\"/><road name=\"r\"/>"
                     "<plugin filename=\"libfoo.so\" name=\"f\"/>"
                     "<plugin filename=\"gz-sim-physics-system\" name=\"g\"/>")),
      testing::AllOf(
          HasSubstr(
              "w.sdf:2:33: warning: a <kinematic> of a <link> that is on has no effect (2 times)"),
          HasSubstr("<visaul> of <link> has no effect; did you mean 'visual'?"),
          HasSubstr("<actor> of <world> has no effect"), HasSubstr("<population> of <world>"),
          HasSubstr("a <road> without two <point>s"), HasSubstr("'libfoo.so' has no effect"),
          Not(HasSubstr("physics-system' has"))));
}

}  // namespace
}  // namespace protobeam::sdf
