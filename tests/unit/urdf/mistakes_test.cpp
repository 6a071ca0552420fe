// What is wrong with a URDF is said at its place.
#include <gmock/gmock.h>

#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Mistake {
  const char* name;
  std::string text;     ///< what stands in the <robot>, from line 2 on
  std::string message;  ///< a part of what is said
};

std::string box(const std::string& collision) {
  return "<link name=\"a\"><collision><geometry>" + collision + "</geometry></collision></link>";
}
std::string weight(const std::string& inertial) {
  return "<link name=\"a\"><inertial>" + inertial + "</inertial></link>";
}
std::string arm(const std::string& type, const std::string& more) {
  return "<link name=\"a\"/><link name=\"b\"/>\n" + joint("j", type, "a", "b", more);
}
const std::string kUnit = "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/>";

std::string lidar(const std::string& rate, const std::string& angles, const std::string& range,
                  const std::string& noise) {
  return "<link name=\"a\"/><gazebo reference=\"a\">\n<sensor name=\"s\" "
         "type=\"ray\"><update_rate>" +
         rate + "</update_rate><ray><scan><horizontal><samples>9</samples>" + angles +
         "</horizontal></scan><range>" + range + "</range><noise><type>gaussian</type><stddev>" +
         noise + "</stddev></noise></ray></sensor></gazebo>";
}
const std::string kAngles = "<min_angle>-1</min_angle><max_angle>1</max_angle>";
const std::string kRange = "<min>0.1</min><max>9</max>";

class Mistakes : public RobotTest, public testing::WithParamInterface<Mistake> {};

TEST_P(Mistakes, AreErrorsAtTheirPlace) {
  EXPECT_THAT(messages(robot(GetParam().text)), HasSubstr("r.urdf:" + GetParam().message));
  EXPECT_EQ(robot_ && diagnostics_.error_count() == 0, false);
}

INSTANTIATE_TEST_SUITE_P(
    Urdf, Mistakes,
    testing::Values(
        Mistake{"TooSlowASensor", lidar("1e-320", kAngles, kRange, "0.1"),
                "3:30: error: <update_rate> must be 0 or from 1e-06 to 1000000 Hz, got 1e-320"},
        Mistake{"TooFastASensor", lidar("1e300", kAngles, kRange, "0.1"),
                "3:30: error: <update_rate> must be 0 or from"},
        Mistake{
            "AnglesBeyondAll",
            lidar("10", "<min_angle>1e308</min_angle><max_angle>1e308</max_angle>", kRange, "0.1"),
            "3:70: error: <min_angle> and <max_angle> must be within 1000 rad of 0"},
        Mistake{"RangeOfNothing", lidar("10", kAngles, "<min>0</min><max>1e-320</max>", "0.1"),
                "3:171: error: <max> of <range> must be greater than 0.001 m, got 1e-320"},
        Mistake{"NoiseBeyondAll", lidar("10", kAngles, kRange, "1e308"),
                "3:240: error: <stddev> must be at most 1000000, got 1e+308"},
        Mistake{"NoLink", "<material name=\"m\"/>", "1:2: error: a <robot> needs a <link>"},
        Mistake{"OfADriver", "<webots><device reference=\"camera\" type=\"Camera\"/></webots>",
                "1:2: error: a <robot> needs a <link>; with <webots> alone it tells webots_ros2 "
                "about a robot of a world: run the world"},
        Mistake{"NoName", "<link/>", "2:2: error: a <link> needs a name"},
        Mistake{"TwoLinks", "<link name=\"a\"/>\n<link name=\"a\"/>",
                "3:13: error: there are two links 'a'"},
        Mistake{"TwoRoots", "<link name=\"a\"/>\n<link name=\"b\"/>",
                "3:2: error: 'a' and 'b' are both roots: neither is the child of a joint"},
        Mistake{"Loop",
                "<link name=\"a\"/><link name=\"b\"/>\n" + joint("1", "fixed", "a", "b") +
                    joint("2", "fixed", "b", "a"),
                "2:2: error: the links are a loop: every one is the child of a joint"},
        Mistake{"LoopBesideTheTree",
                "<link name=\"r\"/><link name=\"a\"/>\n<link name=\"b\"/>\n" +
                    joint("1", "fixed", "a", "b") + joint("2", "fixed", "b", "a"),
                "2:18: error: link 'a' is in a loop, or hangs on one"},
        Mistake{"TwoParents",
                "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n" +
                    joint("1", "fixed", "a", "c") + joint("2", "fixed", "b", "c"),
                "4:49: error: link 'c' is the child of joint '1' and of joint '2'"},
        Mistake{"Itself", "<link name=\"a\"/>\n" + joint("1", "fixed", "a", "a"),
                "3:2: error: joint '1' joins link 'a' to itself"},
        Mistake{"NoSuchLink", "<link name=\"wheel\"/>\n" + joint("1", "fixed", "weel", "wheel"),
                "3:44: error: there is no link 'weel'; did you mean 'wheel'?"},
        Mistake{"NoParent",
                "<link name=\"a\"/>\n<joint name=\"j\" type=\"fixed\"><child link=\"a\"/></joint>",
                "3:2: error: a <joint> needs <parent link=\"...\"/>"},
        Mistake{"NoType",
                "<link name=\"a\"/><link name=\"b\"/>\n<joint name=\"j\"><parent "
                "link=\"a\"/><child link=\"b\"/></joint>",
                "3:2: error: a <joint> needs a type"},
        Mistake{"NoSuchType", arm("revolut", ""),
                "3:23: error: there is no type 'revolut' of a <joint>; did you mean 'revolute'?"},
        Mistake{"TwoJoints",
                "<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/>\n" +
                    joint("j", "fixed", "a", "b") + joint("j", "fixed", "a", "c"),
                "4:14: error: there are two joints 'j'"},
        Mistake{"NegativeMass", weight("<mass value=\"-2\"/>" + kUnit),
                "2:39: error: 'value' of <mass> must be at least 0 kg, got -2"},
        Mistake{"NoNumber", weight("<mass value=\"heavy\"/>" + kUnit),
                "2:39: error: 'value' of <mass> must be a finite number, got 'heavy'"},
        Mistake{"NoMass", weight(kUnit), "2:17: error: an <inertial> needs <mass value=\"...\"/>"},
        Mistake{"Nan", weight("<mass value=\"nan\"/>" + kUnit),
                "2:39: error: 'value' of <mass> must be a finite number, got 'nan'"},
        Mistake{"Infinite", weight("<mass value=\"1e999\"/>" + kUnit),
                "2:39: error: 'value' of <mass> must be a finite number, got '1e999'"},
        Mistake{"Huge", weight("<mass value=\"1e20\"/>" + kUnit),
                "2:39: error: 'value' of <mass> must be within 1e9 of zero, got 1e+20"},
        Mistake{"Comma", weight("<mass value=\"1,5\"/>" + kUnit),
                "2:39: error: 'value' of <mass> must be a finite number, got '1,5'"},
        Mistake{"MissingMoment", weight("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\"/>"),
                "2:44: error: an <inertia> needs 'izz'"},
        Mistake{"NoGeometry", "<link name=\"a\"><visual/></link>",
                "2:17: error: a <visual> needs a <geometry> with a shape in it"},
        Mistake{"NegativeSize", box("<box size=\"1 -1 1\"/>"),
                "2:48: error: 'size' of <box> must be greater than 0 m, got 1 -1 1"},
        Mistake{"TwoNumbers", box("<box size=\"1 1\"/>"),
                "2:48: error: 'size' of <box> must be 3 finite numbers, got '1 1'"},
        Mistake{"NoRadius", box("<cylinder length=\"1\"/>"),
                "2:38: error: a <cylinder> needs 'radius'"},
        Mistake{"NoFile", box("<mesh/>"), "2:38: error: a <mesh> needs 'filename'"},
        Mistake{"MissingFile", box("<mesh filename=\"x.stl\"/>"),
                "2:53: error: there is no file 'x.stl'"},
        Mistake{"MissingPackage", box("<mesh filename=\"package://p/x.stl\"/>"),
                "2:53: error: there is no package 'p'; --package p=FOLDER says where it is"},
        Mistake{"TwoShapes", box("<box size=\"1 1 1\"/><sphere radius=\"1\"/>"),
                "2:57: error: a <geometry> holds one shape"},
        Mistake{"NoAxis", arm("continuous", "<axis xyz=\"0 0 0\"/>"),
                "3:81: error: the axis of joint 'j' has no direction: it is 0 0 0"},
        Mistake{
            "NoLimit", arm("revolute", ""),
            "3:2: error: joint 'j' needs a <limit>; a joint without limits is of type continuous"},
        Mistake{"LimitsTheWrongWay",
                arm("prismatic", "<limit lower=\"1\" upper=\"0\" effort=\"1\" velocity=\"1\"/>"),
                "3:83: error: 'lower' of <limit> must be at most 'upper' (0), got 1"},
        Mistake{"NegativeDamping", arm("continuous", "<dynamics damping=\"-1\"/>"),
                "3:89: error: 'damping' of <dynamics> must be at least 0, got -1"},
        Mistake{"MimicsItself", arm("continuous", "<mimic joint=\"j\"/>"),
                "3:84: error: joint 'j' mimics itself"},
        Mistake{"MimicsNobody", arm("continuous", "<mimic joint=\"k\"/>"),
                "3:84: error: there is no joint 'k'"},
        Mistake{"Floats",
                "<link name=\"a\"><visual><geometry><sphere "
                "radius=\"1\"/></geometry></visual></link><link name=\"b\"/>\n" +
                    joint("j", "floating", "a", "b"),
                "3:2: error: joint 'j' is of type floating: only the first joint of a robot can "
                "be, from an empty link"},
        Mistake{"Colour",
                "<material name=\"m\"><color rgba=\"1 1 1\"/></material><link "
                "name=\"a\"><visual><geometry><sphere radius=\"1\"/></geometry><material "
                "name=\"m\"/></visual></link>",
                "2:33: error: 'rgba' of <color> must be 4 finite numbers, got '1 1 1'"},
        Mistake{"TwoMaterials",
                "<material name=\"m\"><color rgba=\"1 1 1 1\"/></material>\n<material "
                "name=\"m\"><color rgba=\"1 1 1 1\"/></material><link name=\"a\"/>",
                "3:17: error: there are two materials 'm'"},
        Mistake{"Xacro", "<xacro:macro name=\"x\"/><link name=\"a\"/>",
                "2:2: error: this is text for xacro, not a URDF yet; run xacro first: xacro r.urdf "
                "> plain_r.urdf"},
        Mistake{"XacroValue", "<link name=\"${prefix}a\"/>",
                "2:13: error: this is text for xacro, not a URDF yet"},
        Mistake{"NotClosed", "<link name=\"a\">",
                "2:18: error: a closing tag is malformed, missing, or closes another tag"},
        Mistake{"AttributeTwice", "<link name=\"a\" name=\"b\"/>",
                "2:16: error: attribute 'name' of <link> is given twice"}),
    [](const auto& info) { return info.param.name; });

TEST_F(RobotTest, IsTheOnlyThingInItsFile) {
  EXPECT_THAT(messages("<sdf version=\"1.6\"/>"),
              HasSubstr("1:2: error: a URDF is a <robot>, not a <sdf>"));
  EXPECT_THAT(messages("<robot><link name=\"a\"/></robot>"),
              HasSubstr("1:2: error: a <robot> needs a name"));
  EXPECT_THAT(messages("<robot name=\"r\"/><robot name=\"s\"/>"),
              HasSubstr("1:19: error: a file holds one element at its top"));
  EXPECT_THAT(messages("<robot name=\"r\" version=\"2\"><link name=\"a\"/></robot>"),
              HasSubstr("'version' of <robot> must be 1.0, got '2'"));
  EXPECT_THAT(messages(""), HasSubstr("error: the file holds no element"));
  EXPECT_THAT(messages(std::string("<robot\0/>", 9)),
              HasSubstr("1:7: error: the file holds a zero byte"));
}

TEST_F(RobotTest, DoesNotExpandEntities) {
  std::string bomb = "<!DOCTYPE r [<!ENTITY a \"ha\">";
  for (char c = 'b'; c < 'z'; ++c) {
    bomb += fmt::format("<!ENTITY {} \"&{};&{};&{};\">", c, c - 1 + 0, c - 1 + 0, c - 1 + 0);
  }
  read(bomb + "]><robot name=\"&y;\">" + link("a") + "</robot>");
  ASSERT_NE(robot_, nullptr) << diagnostics_.to_string();
  EXPECT_EQ(robot_->name, "&y;");
}

TEST_F(RobotTest, NamesWithSignsOfFormatsAreOnlyNames) {
  const std::string name = "a%s%n&amp;&quot;%1000000d";
  read(robot(link(
      name, 1,
      "<visual><geometry><sphere radius=\"1\"/></geometry><material name=\"%n%n\"/></visual>")));
  ASSERT_NE(robot_, nullptr) << diagnostics_.to_string();
  EXPECT_EQ(robot_->links[0].name, "a%s%n&\"%1000000d");
}

TEST_F(RobotTest, LimitsWhatATextMayCost) {
  options_.limits.links = 3;
  EXPECT_THAT(
      messages(robot("<link name=\"a\"/><link name=\"b\"/><link name=\"c\"/><link name=\"d\"/>")),
      HasSubstr("2:50: error: more than 3 links"));
  options_.limits = {};
  std::string chain = "<link name=\"0\"/>";
  for (int i = 1; i <= 300; ++i) {
    chain += fmt::format("<link name=\"{}\"/>", i) +
             joint(std::to_string(i), "fixed", std::to_string(i - 1), std::to_string(i));
  }
  EXPECT_THAT(messages(robot(chain)), HasSubstr("error: more than 200 links in a row"));
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_THAT(messages(deep), HasSubstr("error: "));
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  EXPECT_THAT(messages(deep), HasSubstr("error: more than 64 elements in each other"));
}

TEST_F(RobotTest, WarnsOfWhatHasNoEffectOnceWithACount) {
  const std::string text =
      robot(link("a") +
            "<gazebo reference=\"a\"><kp>1</kp><kp>2</kp></gazebo>\n"
            "<gazebo><plugin filename=\"libgazebo_ros_diff_drive.so\"/></gazebo>\n<gazebo "
            "reference=\"b\"/>");
  EXPECT_THAT(messages(text), HasSubstr("3:24: warning: <kp> of <gazebo> has no effect (2 times)"));
  EXPECT_THAT(
      messages(text),
      HasSubstr("4:10: warning: Gazebo's <plugin> 'libgazebo_ros_diff_drive.so' has no effect"));
  EXPECT_THAT(messages(text),
              HasSubstr("5:20: warning: there is no link or joint 'b' for this <gazebo>"));
  EXPECT_EQ(diagnostics_.error_count(), 0);
}

TEST_F(RobotTest, WarnsOfWhatUrdfDoesNotHave) {
  EXPECT_THAT(
      messages(robot("<link name=\"a\"><colision/></link>")),
      HasSubstr("2:17: warning: <colision> of <link> has no effect; did you mean 'collision'?"));
  EXPECT_THAT(
      messages(robot(link("a") + link("b") +
                     joint("j", "prismatic", "a", "b",
                           "<limit loewr=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>"))),
      HasSubstr("warning: 'loewr' of <limit> has no effect; did you mean 'lower'?"));
}

TEST_F(RobotTest, WarnsOfSafetyLimitsAndOddInertia) {
  EXPECT_THAT(
      messages(robot(link("a") + link("b") +
                     joint("j", "continuous", "a", "b", "<safety_controller k_velocity=\"1\"/>"))),
      HasSubstr("4:71: warning: the <safety_controller> of joint 'j' has no effect"));
  EXPECT_THAT(
      messages(robot(weight("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"5\"/>"))),
      HasSubstr("warning: no body has the inertia of link 'a'"));
  EXPECT_THAT(
      messages(robot(weight("<mass value=\"1\"/><inertia ixx=\"0\" iyy=\"0\" izz=\"0\"/>"))),
      HasSubstr("warning: link 'a' has a mass but no inertia"));
  EXPECT_THAT(messages(robot(
                  weight("<mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"2\"/>"))),
              HasSubstr("2:44: warning: the inertia of link 'a' is not positive definite (its "
                        "principal moments are -1, 1 and 3 kg m^2)"));
  EXPECT_THAT(messages("<robot name=\"\">" + link("a") + "</robot>"),
              HasSubstr("warning: the name of the robot is empty: it is called 'r'"));
  EXPECT_THAT(messages(robot(box("<box size=\"0 0 0\"/>"))),
              HasSubstr("2:38: warning: a <box> of size 0 is left out"));
  EXPECT_THAT(messages(robot(box("<torus/>"))),
              HasSubstr("2:38: warning: there is no shape <torus>: it is left out"));
}

}  // namespace
}  // namespace protobeam::urdf
