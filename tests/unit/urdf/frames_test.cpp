// What the frames of ROS are called that hang on a robot.
#include <gmock/gmock.h>

#include "tests/unit/urdf/drive_text.h"

namespace protobeam::urdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FramesTest : public DriveTest {
 protected:
  /// A cart without a base_footprint, whose body is called so.
  static std::string chassis(const std::string& name, const std::string& gazebo) {
    std::string text = cart(gazebo);
    const auto begin = text.find("<link name=\"base_footprint\"/>"),
               end = text.find("<link name=\"base_link\">");
    text.erase(begin, end - begin);
    const std::string usual = "base_link";
    for (auto at = text.find(usual); at != std::string::npos; at = text.find(usual, at)) {
      text.replace(at, usual.size(), name);
      at += name.size();
    }
    return text;
  }
  static std::string diff_drive(const std::string& rest) {
    return plugin(
        "libgazebo_ros_diff_drive.so",
        "<left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>" + rest);
  }
  std::vector<std::string> frames_of(const std::string& text) {
    const auto world = read(text);
    if (!world) throw std::runtime_error(diagnostics_.to_string());
    return frames(*world);
  }
};

TEST_F(FramesTest, HangOnABaseFootprintThatIsTheRoot) {
  EXPECT_THAT(frames_of(cart("")), ElementsAre("base_footprint", "-", "-"));
  // gazebo_ros_diff_drive of ROS 2 and of ROS 1
  for (const char* tag : {"robot_base_frame", "robotBaseFrame"})
    EXPECT_THAT(frames_of(cart(diff_drive(fmt::format("<{0}>base_footprint</{0}>", tag)))),
                ElementsAre("base_footprint", "-", "-"));
  EXPECT_THAT(frames(*controlled("base_frame_id: base_footprint, odom_frame_id: odom")),
              ElementsAre("base_footprint", "-", "-"));
  // Its odometry is that of another part; tf has one tree.
  EXPECT_THAT(frames(*controlled("base_frame_id: base_link, odom_frame_id: /wheel_odom")),
              ElementsAre("base_footprint", "wheel_odom", "base_link"));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("warning")));
}

// ros2_controllers, diff_drive_controller.cpp (humble, jazzy: tf_frame_prefix_enable is true) and
// controller_interface/tf_prefix.hpp.
TEST_F(FramesTest, HaveThePrefixOfTheirController) {
  const auto prefix = [&](const std::optional<wbt::Document>& world) {
    std::string out;
    for (const wbt::NodePtr& one : node(*world, "Robot").find("children")->value.nodes)
      if (one->type == "Topic" && texts(*one, "message").at(0) == "tf")
        for (const std::string& text : texts(*one, "framePrefix")) out += text;
    return out;
  };
  const auto in_space = [&](const std::string& space, const std::string& parameters) {
    return prefix(controlled(parameters, "", "<ros><namespace>" + space + "</namespace></ros>"));
  };
  EXPECT_EQ(prefix(controlled("wheel_radius: 0.1")), "~");
  EXPECT_EQ(prefix(controlled("tf_frame_prefix_enable: true, tf_frame_prefix: ''")), "~");
  EXPECT_EQ(prefix(controlled("tf_frame_prefix_enable: false")), "");
  EXPECT_EQ(prefix(controlled("tf_frame_prefix_enable: false, tf_frame_prefix: r1")), "");
  EXPECT_EQ(prefix(controlled("tf_frame_prefix: r1")), "r1");
  EXPECT_EQ(prefix(controlled("tf_frame_prefix: '~/base'")), "~/base");
  EXPECT_EQ(in_space("/one", "wheel_radius: 0.1"), "/one");
  EXPECT_EQ(in_space("one", "wheel_radius: 0.1"), "~/one");
  EXPECT_EQ(in_space("/one", "tf_frame_prefix: '/~/base/'"), "/one/base/");
  EXPECT_EQ(in_space("/one", "tf_frame_prefix: two"), "two");
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("warning")));
  EXPECT_EQ(prefix(controlled("tf_frame_prefix: 'my robot'")), "");
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: the prefix 'my robot' of frames has no effect: it is no name of "
                        "ROS"));
  controlled("tf_frame_prefix_enable: maybe");
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("error: 'tf_frame_prefix_enable' must be true or false"));
  // Those of steering_controllers_library have none by themselves.
  const auto steered = [&](const std::string& parameters) {
    folder_.write("s.yaml",
                  "steers: {ros__parameters: {type: "
                  "ackermann_steering_controller/AckermannSteeringController, "
                  "traction_joints_names: [right_joint, left_joint], steering_joints_names: "
                  "[right_steering, left_steering]" +
                      parameters + "}}\n");
    return prefix(read(car(plugin("gz_ros2_control-system", "<parameters>s.yaml</parameters>"))));
  };
  EXPECT_EQ(steered(""), "");
  EXPECT_EQ(steered(", tf_frame_prefix: '~'"), "~");
}

// gz-sim, src/systems/odometry_publisher: the pose of the model in the world, 50 times a second.
TEST_F(FramesTest, TellWhereARobotIsAsItsOdometry) {
  const auto publisher = [](const std::string& text) {
    return robot(link("body") + link("leg") +
                 joint("hip", "fixed", "body", "leg", "<origin xyz=\"0 0 1\"/>") +
                 "<gazebo><plugin filename=\"gz-sim-odometry-publisher-system\" name=\"p\">" +
                 text + "</plugin></gazebo>");
  };
  const auto topic = [&](const std::string& text) {
    const auto world = read(text);
    for (const wbt::NodePtr& one : world->nodes) {
      const wbt::Node* robot = find(one, "Robot");
      if (!robot) continue;
      for (const wbt::NodePtr& child : robot->find("children")->value.nodes) {
        if (child->type == "Topic" &&
            child->find("message")->value.strings[0] == "base_pose_ground_truth")
          return child;
      }
    }
    throw std::runtime_error("no Topic");
  };
  const auto usual = topic(publisher(""));
  EXPECT_EQ(usual->find("name")->value.strings[0], "odom");
  EXPECT_EQ(usual->find("frame")->value.strings[0], "odom");
  EXPECT_THAT(numbers(*usual, "rate"), ElementsAre(50));
  EXPECT_EQ(diagnostics_.to_string(), "");
  const auto said = topic(publisher(
      "<odom_topic>/model/bar/odom</odom_topic><odom_frame>odomCustom</odom_frame>"
      "<robot_base_frame>leg</robot_base_frame><odom_publish_frequency>10</odom_publish_frequency>"
      "<xyz_offset>1 -1 0</xyz_offset>"));
  EXPECT_EQ(said->find("name")->value.strings[0], "/model/bar/odom");
  EXPECT_EQ(said->find("frame")->value.strings[0], "odomCustom");
  EXPECT_EQ(said->find("childFrame")->value.strings[0], "leg");
  EXPECT_THAT(numbers(*said, "rate"), ElementsAre(10));
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("<xyz_offset> of a <plugin> that publishes"));
  // gazebo_ros_p3d, in the words of ROS 1 and of ROS 2; beside a drive, too.
  const auto p3d = [](const std::string& text) {
    return robot(link("body") + "<gazebo><plugin filename=\"libgazebo_ros_p3d.so\" name=\"p\">" +
                 text + "</plugin></gazebo>");
  };
  const auto first =
      topic(p3d("<bodyName>body</bodyName><topicName>truth</topicName><frameName>map"
                "</frameName><updateRate>20</updateRate><gaussianNoise>0.0"
                "</gaussianNoise>"));
  EXPECT_EQ(first->find("name")->value.strings[0], "truth");
  EXPECT_EQ(first->find("frame")->value.strings[0], "map");
  EXPECT_THAT(numbers(*first, "rate"), ElementsAre(20));
  const auto second =
      topic(p3d("<ros><namespace>demo</namespace><remapping>odom:=where</remapping>"
                "</ros><body_name>body</body_name>"));
  EXPECT_EQ(second->find("name")->value.strings[0], "demo/where");
  EXPECT_EQ(second->find("frame")->value.strings[0], "world");
  EXPECT_EQ(diagnostics_.to_string(), "");
  // A robot that nothing drives keeps its motors.
  const auto spun =
      read(robot(link("body") + link("fan") + joint("spin", "continuous", "body", "fan", "") +
                 "<gazebo><plugin filename=\"libgazebo_ros_p3d.so\" name=\"p\">"
                 "<bodyName>body</bodyName></plugin></gazebo>"));
  EXPECT_EQ(node(*spun, "RotationalMotor").type, "RotationalMotor");
  EXPECT_THAT(messages(p3d("<body_name>head</body_name>")),
              HasSubstr("that publishes a pose has no effect: there is no link 'head'"));
  EXPECT_EQ(messages(cart(diff_drive("") +
                          plugin("libgazebo_ros_p3d.so", "<bodyName>base_link</bodyName>"))),
            messages(cart(diff_drive(""))));
  // Beside a drive.
  EXPECT_THAT(messages(cart(diff_drive("") + plugin("gz-sim-odometry-publisher-system", ""))),
              HasSubstr("a <plugin> that publishes odometry beside a drive or another one has no "
                        "effect; base_pose_ground_truth tells where the robot is"));
}

TEST_F(FramesTest, AreThoseOfRobotsWithoutABaseFootprint) {
  EXPECT_THAT(frames_of(chassis("base_link", diff_drive(""))), ElementsAre("-", "-", "-"));
  EXPECT_THAT(frames_of(chassis("base_link", diff_drive("<robot_base_frame>base_link"
                                                        "</robot_base_frame>"))),
              ElementsAre("-", "-", "-"));
  EXPECT_THAT(frames_of(chassis("chassis", diff_drive(""))), ElementsAre("-", "-", "-"));
  // gz-sim-diff-drive-system
  EXPECT_THAT(frames_of(chassis("chassis",
                                plugin("gz-sim-diff-drive-system",
                                       "<left_joint>left_joint</left_joint><right_joint>right_joint"
                                       "</right_joint><frame_id>wheels</frame_id>"
                                       "<child_frame_id>chassis</child_frame_id>"))),
              ElementsAre("chassis", "wheels", "-"));
  EXPECT_THAT(frames_of(chassis("base_link", diff_drive("<robot_base_frame>base_footprint"
                                                        "</robot_base_frame>"))),
              ElementsAre("base_footprint", "-", "-"));
  EXPECT_THAT(diagnostics_.to_string(), Not(HasSubstr("warning")));
}

TEST_F(FramesTest, LeaveTheNamesOfTheWorldAlone) {
  // A root with the name of another frame, above base_link.
  std::string text = cart("");
  for (auto at = text.find("base_footprint"); at != std::string::npos;
       at = text.find("base_footprint", at))
    text.replace(at, 14, "odom");
  EXPECT_THAT(frames_of(text), ElementsAre("base_footprint", "-", "-"));
}

TEST_F(FramesTest, ThatAreNotThereAreTold) {
  EXPECT_THAT(frames_of(chassis("base_link", diff_drive("<robot_base_frame>bass_link"
                                                        "</robot_base_frame>"
                                                        "<odometry_frame>map</odometry_frame>"))),
              ElementsAre("-", "-", "-"));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("the frame 'bass_link' of odometry has no effect: there is no such link"));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("the frame 'map' of odometry has no effect: it is the world"));
  frames_of(cart(diff_drive("<robot_base_frame>left_wheel</robot_base_frame>")));
  EXPECT_THAT(diagnostics_.to_string(), HasSubstr("the frame 'left_wheel' of odometry has no "
                                                  "effect: the link moves against the robot"));
}

}  // namespace
}  // namespace protobeam::urdf
