// Under which names, and in which frames, the data of <gazebo> sensors are published.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>

#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Names of Topics by their devices.
void add_topics(const wbt::Node& node, std::map<std::string, std::string>& names) {
  if (node.type == "Topic")
    names[node.find("device")->value.strings[0]] = node.find("name")->value.strings[0];
  for (const wbt::Field& field : node.fields) {
    for (const wbt::NodePtr& child : field.value.nodes) {
      if (child) add_topics(*child, names);
    }
  }
}

TEST_F(RobotTest, SensorsPublishUnderTheNamesThatTheTextSays) {
  const auto topic_name = [&](const std::string& type, const std::string& text,
                              const std::string& device) -> std::string {
    const auto world = read(sensor(type, text));
    std::map<std::string, std::string> names;
    for (const wbt::NodePtr& one : world->nodes) add_topics(*one, names);
    return names[device];
  };
  const auto ray = [](const std::string& more) { return "<ray/>" + more; };
  EXPECT_EQ(topic_name("gpu_lidar", ray("<topic>scan</topic>"), "s"), "scan");
  EXPECT_EQ(topic_name("imu", "<topic>/imu/data_raw</topic>", "s"), "/imu/data_raw");
  // gazebo_ros_pkgs of ROS 2 and of ROS 1
  const std::string ros2 =
      "<plugin filename=\"libgazebo_ros_ray_sensor.so\" "
      "name=\"p\"><ros><namespace>/demo</namespace>"
      "<remapping>~/out:=scan</remapping></ros></plugin>";
  EXPECT_EQ(topic_name("ray", ray(ros2), "s"), "/demo/scan");
  EXPECT_THAT(diagnostics_.to_string(), testing::Not(HasSubstr("<plugin>")));
  EXPECT_EQ(topic_name("ray",
                       ray("<plugin filename=\"libgazebo_ros_laser.so\" name=\"p\">"
                           "<topicName>front/scan</topicName></plugin>"),
                       "s"),
            "front/scan");
  // Gazebo's own suffixes
  EXPECT_EQ(
      topic_name("gpu_lidar",
                 "<topic>cloud</topic><ray><scan><vertical><samples>4</samples>"
                 "<min_angle>-0.1</min_angle><max_angle>0.1</max_angle></vertical></scan></ray>",
                 "s"),
      "cloud/points");
  const std::string rgbd = "<camera/><topic>front</topic>";
  EXPECT_EQ(topic_name("camera", rgbd, "s"), "front");
  EXPECT_EQ(topic_name("rgbd_camera", rgbd, "s"), "front/image");
  EXPECT_EQ(topic_name("rgbd_camera", rgbd, "s_depth"), "front/depth_image");
  // What ROS could not have, and what is no name.
  EXPECT_EQ(topic_name("imu", "<topic>__default_topic__</topic>", "s"), "");
  EXPECT_EQ(topic_name("imu", "<topic>${prefix}/imu</topic>", "s"), "");
  EXPECT_EQ(topic_name("imu", "<topic>front imu</topic>", "s"), "");
  EXPECT_EQ(topic_name("imu", "<topic>3d</topic>", "s"), "");
}

TEST_F(RobotTest, CamerasPublishUnderTheNamesOfTheirPlugins) {
  const auto names = [&](const std::string& type, const std::string& plugin) {
    const auto world =
        read(sensor(type, "<camera/><plugin name=\"p\" filename=\"" + plugin + "</plugin>"));
    EXPECT_EQ(diagnostics_.to_string().find("<plugin>"), std::string::npos);
    std::vector<std::string> out;
    const auto add = [&](const auto& self, const wbt::Node& node) -> void {
      if (node.type == "Topic") {
        EXPECT_EQ(node.find("device")->value.strings[0], "s");
        const wbt::Field* message = node.find("message");
        out.push_back((message ? message->value.strings[0] + " " : "") +
                      node.find("name")->value.strings[0]);
      }
      for (const wbt::Field& field : node.fields)
        for (const wbt::NodePtr& child : field.value.nodes)
          if (child) self(self, *child);
    };
    for (const wbt::NodePtr& one : world->nodes) add(add, *one);
    return out;
  };
  // gazebo_ros_camera of ROS 2: under the name of the sensor or <camera_name>.
  EXPECT_THAT(names("camera", "libgazebo_ros_camera.so\">"),
              ElementsAre("s/image_raw", "camera_info s/camera_info"));
  EXPECT_THAT(names("camera",
                    "libgazebo_ros_camera.so\"><ros><namespace>/demo</namespace>"
                    "<remapping>eye/image_raw:=eye/picture</remapping></ros>"
                    "<camera_name>eye</camera_name>"),
              ElementsAre("/demo/eye/picture", "camera_info /demo/eye/camera_info"));
  EXPECT_THAT(names("depth", "libgazebo_ros_camera.so\">"),
              ElementsAre("s/depth/image_raw", "camera_info s/depth/camera_info"));
  // Of ROS 1.
  EXPECT_THAT(names("camera",
                    "libgazebo_ros_camera.so\"><robotNamespace>/r</robotNamespace><cameraName>front"
                    "</cameraName><imageTopicName>rgb</imageTopicName>"),
              ElementsAre("/r/front/rgb", "camera_info /r/front/camera_info"));
  EXPECT_THAT(names("depth",
                    "libgazebo_ros_openni_kinect.so\"><cameraName>kinect</cameraName>"
                    "<depthImageTopicName>deep</depthImageTopicName>"),
              ElementsAre("kinect/deep", "camera_info kinect/depth/camera_info"));
  EXPECT_THAT(messages(sensor("camera", "<camera/><plugin name=\"p\" filename=\"GstCamera.so\"/>")),
              HasSubstr("Gazebo's <plugin> 'GstCamera.so' of a <sensor> has no effect"));
  EXPECT_EQ(messages(sensor("ray", "<ray/><plugin name=\"p\" filename=\"libRayPlugin.so\"/>")),
            messages(sensor("ray", "<ray/>")));
}

TEST_F(RobotTest, DataAreInTheFrameThatTheTextSaysWhereTheyAre) {
  /// The frame of a sensor on the link `eye`, which has a fixed link `optical`.
  const auto frame = [&](const std::string& type, const std::string& text) -> std::string {
    const auto world = read(
        robot(link("base") + link("eye") + "<link name=\"optical\"/>" +
              joint("up", "fixed", "base", "eye", "<origin xyz=\"0 0 1\"/>") +
              joint("turned", "fixed", "eye", "optical", "<origin rpy=\"-1.5708 0 -1.5708\"/>") +
              "<gazebo reference=\"eye\"><sensor name=\"s\" type=\"" + type + "\">" + text +
              "</sensor></gazebo>"));
    for (const wbt::NodePtr& one : world->nodes) {
      const wbt::Node* topic = find(one, "Topic");
      if (topic && topic->find("frame")) return topic->find("frame")->value.strings[0];
    }
    return "";
  };
  const std::string plugin = "<plugin filename=\"libgazebo_ros_ray_sensor.so\" name=\"p\">";
  EXPECT_EQ(frame("ray", "<ray/>" + plugin + "<frame_name>eye</frame_name></plugin>"), "eye");
  EXPECT_EQ(frame("ray", "<ray/>" + plugin + "<frameName>/eye</frameName></plugin>"), "eye");
  EXPECT_EQ(frame("imu", "<gz_frame_id>eye</gz_frame_id>"), "eye");
  EXPECT_EQ(frame("imu", "<ignition_frame_id>eye</ignition_frame_id>"), "eye");
  EXPECT_EQ(frame("imu", "<gz_frame_id>fleet/r1/eye</gz_frame_id>"), "eye") << "of a fleet";
  EXPECT_EQ(frame("camera", "<camera/><gz_frame_id>optical</gz_frame_id>"), "optical");
  EXPECT_EQ(frame("depth", "<camera/><gz_frame_id>optical</gz_frame_id>"), "optical");
  // Not in a frame in which they are not.
  EXPECT_EQ(frame("camera", "<camera/><gz_frame_id>eye</gz_frame_id>"), "");
  EXPECT_EQ(frame("imu", "<pose>0 0 0.1 0 0 0</pose><gz_frame_id>eye</gz_frame_id>"), "");
  EXPECT_EQ(frame("ray",
                  "<ray><scan><horizontal><samples>9</samples><min_angle>0</min_angle><max_angle>3"
                  "</max_angle></horizontal></scan></ray><gz_frame_id>eye</gz_frame_id>"),
            "");
  EXPECT_EQ(diagnostics_.to_string().find("no link"), std::string::npos);
}

TEST_F(RobotTest, AFrameOfASensorThatIsNoLinkIsWhereItsDataAre) {
  const auto world = [&](const std::string& sensors) {
    return read(robot(link("base") + link("eye") +
                      joint("up", "fixed", "base", "eye", "<origin xyz=\"0 0 1\"/>") +
                      "<gazebo reference=\"eye\">" + sensors + "</gazebo>"));
  };
  const auto imu = [](const std::string& name, const std::string& frame,
                      const char* height = "0.1") {
    return fmt::format(
        "<sensor name=\"{}\" type=\"imu\"><pose>0 0 {} 0 0 "
        "0</pose><frame_id>{}</frame_id></sensor>",
        name, height, frame);
  };
  /// What messages of the device say.
  const auto frame = [&](const wbt::Document& document, const std::string& device) -> std::string {
    for (const wbt::NodePtr& one : node(document, "Solid", "eye").find("children")->value.nodes) {
      if (one->type != "Topic" || one->find("device")->value.strings[0] != device) continue;
      return one->find("frame") ? one->find("frame")->value.strings[0] : "";
    }
    return "";
  };
  const auto one = world(imu("s", "robot/ear"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  EXPECT_EQ(frame(*one, "s"), "robot/ear");
  EXPECT_THAT(numbers(node(*one, "Solid", "robot/ear"), "translation"), ElementsAre(0, 0, 0.1));
  // Two at one place.
  const auto two = world(imu("s", "ear") + imu("t", "ear") + imu("u", "ear", "0.2"));
  EXPECT_EQ(frame(*two, "s"), "ear");
  EXPECT_EQ(frame(*two, "t"), "ear");
  EXPECT_EQ(frame(*two, "u"), "");
  EXPECT_THAT(
      diagnostics_.to_string(),
      HasSubstr("warning: the frame 'ear' of a <sensor>, which is no link, has no effect; its "
                "data are in a frame with the sensor's name"));
  // Those of pictures have z ahead: half of a turn about (1, -1, 1).
  for (const char* tag : {"<camera/><frame_id>lens</frame_id>",
                          "<camera><optical_frame_id>lens</optical_frame_id></camera>"
                          "<frame_id>eye</frame_id>"}) {
    const auto picture = world(fmt::format("<sensor name=\"s\" type=\"camera\">{}</sensor>", tag));
    EXPECT_EQ(frame(*picture, "s"), "lens");
    const auto turned = numbers(node(*picture, "Solid", "lens"), "rotation");
    ASSERT_EQ(turned.size(), 4u);
    const Quat R = axis_angle(Vec3(turned[0], turned[1], turned[2]), turned[3]);
    EXPECT_LT((R * Vec3::UnitZ() - Vec3::UnitX()).norm(), 1e-6);
    EXPECT_LT((R * Vec3::UnitX() + Vec3::UnitY()).norm(), 1e-6);
  }
  // What is called so is elsewhere, but for the sensor itself.
  for (const char* taken : {"map", "base_link", "no frame", "t"}) {
    EXPECT_EQ(frame(*world(imu("s", taken) + imu("t", "")), "s"), "");
    EXPECT_THAT(diagnostics_.to_string(),
                HasSubstr(fmt::format(
                    "the frame '{}' of a <sensor>, which is no link, has no effect", taken)));
  }
  EXPECT_EQ(frame(*world(imu("s", "s")), "s"), "");
  EXPECT_EQ(diagnostics_.to_string(), "");
}

// gazebo_ros_pkgs, gazebo_ros_multicamera.cpp and, of ROS 2, gazebo_ros_camera.cpp.
TEST_F(RobotTest, EachCameraOfAMulticameraIsOne) {
  const auto stereo = [](const std::string& plugin) {
    return sensor(
        "multicamera",
        "<pose>1 0 0 0 0 0</pose><camera name=\"left\"><image><width>64</width></image></camera>"
        "<camera name=\"right\"><pose>0 -0.07 0 0 0 0</pose></camera>" +
            plugin);
  };
  const auto topic = [&](const wbt::Document& world, const std::string& device, const char* field) {
    std::string out;
    for (const wbt::NodePtr& robot : world.nodes) {
      const wbt::Field* children = robot->find("children");
      if (robot->type != "Robot" || !children) continue;
      for (const wbt::NodePtr& one : children->value.nodes) {
        if (one->type == "Topic" && !one->find("message") && one->find(field) &&
            one->find("device")->value.strings[0] == device)
          out = one->find(field)->value.strings[0];
      }
    }
    return out;
  };
  const auto old = read(stereo(
      "<plugin name=\"p\" filename=\"libgazebo_ros_multicamera.so\"><cameraName>rig/camera"
      "</cameraName><imageTopicName>image_raw</imageTopicName><cameraInfoTopicName>camera_info"
      "</cameraInfoTopicName><frameName>left_optical</frameName><hackBaseline>0.07</hackBaseline>"
      "</plugin>"));
  EXPECT_THAT(numbers(node(*old, "Camera", "s_left"), "translation"), ElementsAre(1, 0, 0));
  EXPECT_THAT(numbers(node(*old, "Camera", "s_left"), "width"), ElementsAre(64));
  EXPECT_THAT(numbers(node(*old, "Camera", "s_right"), "translation"), ElementsAre(1, -0.07, 0));
  EXPECT_THAT(numbers(node(*old, "Camera", "s_right"), "width"), ElementsAre(320));
  EXPECT_EQ(topic(*old, "s_left", "name"), "rig/camera/left/image_raw");
  EXPECT_EQ(topic(*old, "s_right", "name"), "rig/camera/right/image_raw");
  EXPECT_EQ(topic(*old, "s_left", "frame"), "left_optical");
  EXPECT_EQ(topic(*old, "s_right", "frame"), "");
  const std::string said = diagnostics_.to_string();
  EXPECT_THAT(said, HasSubstr("warning: <hackBaseline> of a <plugin> of cameras has no effect"));
  EXPECT_EQ(said.find("warning:"), said.rfind("warning:"));
  const auto current = read(stereo(
      "<plugin name=\"p\" filename=\"libgazebo_ros_camera.so\"><ros><namespace>/a</namespace></ros>"
      "<camera_name>rig</camera_name></plugin>"));
  EXPECT_EQ(topic(*current, "s_left", "name"), "/a/rig/left/image_raw");
  EXPECT_EQ(topic(*current, "s_right", "name"), "/a/rig/right/image_raw");
  EXPECT_EQ(diagnostics_.to_string(), "");
  EXPECT_THAT(messages(sensor("multicamera", "")),
              HasSubstr("error: a <sensor> of this type needs a <camera>"));
}

}  // namespace
}  // namespace protobeam::urdf
