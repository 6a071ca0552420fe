// What <gazebo> sensors become.
#include <gmock/gmock.h>

#include <map>

#include "tests/unit/urdf/robot_text.h"

namespace protobeam::urdf {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

std::string sensor(const std::string& type, const std::string& text) {
  return robot(link("a") + "<gazebo reference=\"a\"><sensor name=\"s\" type=\"" + type + "\">" +
               text + "</sensor></gazebo>");
}

TEST_F(RobotTest, ALidarHasTheBeamsOfGazebo) {
  const auto world = read(
      sensor("ray",
             "<pose>1 2 3 0 0 "
             "1</pose><update_rate>20</update_rate><ray><scan><horizontal><samples>11</samples>"
             "<min_angle>-0.4</min_angle><max_angle>0.6</max_angle></"
             "horizontal><vertical><samples>3</samples>"
             "<min_angle>-0.1</min_angle><max_angle>0.3</max_angle></vertical></"
             "scan><range><min>0.2</min><max>20</max>"
             "<resolution>0.01</resolution></range><noise><type>gaussian</type><mean>0</"
             "mean><stddev>0.04</stddev></noise></ray>"));
  const wbt::Node& lidar = node(*world, "Lidar", "s");
  EXPECT_THAT(numbers(lidar, "translation"), ElementsAre(1, 2, 3));
  // Beam 0 is the leftmost one: half of the view less half a part, about the turned middle.
  const double view = numbers(lidar, "fieldOfView").at(0), middle = 0.1;
  EXPECT_NEAR(middle + view / 2 - view / 22, 0.6, 1e-12);
  EXPECT_NEAR(middle - view / 2 + view / 22, -0.4, 1e-12);
  EXPECT_THAT(numbers(lidar, "rotation"),
              Pointwise(DoubleNear(1e-12), {0.0, 0.0, 1.0, 1 + middle}));
  EXPECT_THAT(numbers(lidar, "layerAngles"), Pointwise(DoubleNear(1e-12), {0.3, 0.1, -0.1}));
  EXPECT_THAT(numbers(lidar, "minRange"), ElementsAre(0.2));
  EXPECT_THAT(numbers(lidar, "maxRange"), ElementsAre(20));
  EXPECT_THAT(numbers(lidar, "resolution"), ElementsAre(0.01));
  EXPECT_THAT(numbers(lidar, "noise"), Pointwise(DoubleNear(1e-15), {0.04 / 20}));
  EXPECT_THAT(numbers(lidar, "defaultFrequency"), ElementsAre(20));
}

// Xacro reckons the number from an angle and a step.
TEST_F(RobotTest, ALidarOfAFractionOfBeamsHasTheWholeOnes) {
  const auto world = read(sensor(
      "ray", "<ray><scan><horizontal><samples>666.5185185185185</samples></horizontal></scan></ray>"));
  EXPECT_THAT(numbers(node(*world, "Lidar", "s"), "horizontalResolution"), ElementsAre(666));
  EXPECT_THAT(messages(sensor("ray", "<ray><scan><horizontal><samples>0.5</samples></horizontal>"
                                     "</scan></ray>")),
              HasSubstr("error: <samples> must be a whole number from 1 to 1048576, got 0.5"));
}

// gz-sensors, Lidar::RangeCount() and VerticalRangeCount().
TEST_F(RobotTest, ALidarHasAsManyBeamsAsItsResolutionSays) {
  const auto scan = [](const char* across, const char* up) {
    return sensor("gpu_lidar",
                  fmt::format("<lidar><scan><horizontal><samples>1000</samples><resolution>{}"
                              "</resolution></horizontal><vertical><samples>4</samples><resolution>"
                              "{}</resolution></vertical></scan></lidar>",
                              across, up));
  };
  const auto beams = [&](const char* across, const char* up) {
    const auto world = read(scan(across, up));
    EXPECT_EQ(diagnostics_.to_string(), "");
    const wbt::Node& made = node(*world, "Lidar", "s");
    return std::pair(numbers(made, "horizontalResolution").at(0),
                     numbers(made, "numberOfLayers").at(0));
  };
  EXPECT_EQ(beams("1", "1"), std::pair(1000.0, 4.0));
  EXPECT_EQ(beams("0.1", "0.01"), std::pair(100.0, 1.0));
  EXPECT_EQ(beams("0.0015", "2"), std::pair(1.0, 8.0));
  EXPECT_EQ(beams("0", "0"), std::pair(1000.0, 4.0));
  EXPECT_THAT(
      messages(scan("2000", "1")),
      HasSubstr("error: <samples> times <resolution> must be at most 1048576, got 2000000"));
}

// -3.1416 to 3.1416 is all around.
TEST_F(RobotTest, AFullTurnMayBeRounded) {
  const auto around = [](double angle) {
    return sensor("ray",
                  fmt::format("<ray><scan><horizontal><samples>360</samples><min_angle>{}"
                              "</min_angle><max_angle>{}</max_angle></horizontal></scan></ray>",
                              -angle, angle));
  };
  EXPECT_TRUE(read(around(3.1459))) << diagnostics_.to_string();
  const auto world = read(around(3.1416));
  ASSERT_TRUE(world) << diagnostics_.to_string();
  EXPECT_THAT(numbers(node(*world, "Lidar", "s"), "fieldOfView"), ElementsAre(2 * kPi));
  EXPECT_THAT(messages(around(3.15)),
              HasSubstr("error: beams over 6.3 rad are more than a full turn"));
}

TEST_F(RobotTest, ALidarMeasuresTheGround) {
  load(sensor("gpu_lidar",
              "<pose>0 0 0.9 0 0 "
              "0</pose><update_rate>10</update_rate><lidar><scan><horizontal><samples>1</samples></"
              "horizontal><vertical><samples>1</samples>"
              "<min_angle>-0.5</min_angle><max_angle>-0.5</max_angle></vertical></"
              "scan><range><min>0.1</min><max>50</max></range></lidar>"));
  run(1);
  const Device& lidar = device("s");
  const float range = *reinterpret_cast<const float*>(lidar.data.data() +
                                                      lidar.model->layout().channels.at(0).offset);
  EXPECT_NEAR(range, 1.0 / std::sin(0.5), 1e-3);  // 1 m above the ground
}

TEST_F(RobotTest, ALidarLooksOutOfItsHousing) {
  // Beams begin at <min>: what is nearer does not hide what is behind.
  const auto world =
      read(sensor("ray",
                  "<ray><scan><horizontal><samples>9</samples></horizontal></scan><range><min>"
                  "0.12</min><max>3.5</max></range></ray>"));
  EXPECT_THAT(numbers(node(*world, "Lidar", "s"), "near"), ElementsAre(0.12));
  EXPECT_THAT(numbers(node(*world, "Lidar", "s"), "minRange"), ElementsAre(0.12));
}

TEST_F(RobotTest, ACameraLooksAsGazebosDoes) {
  const auto world =
      read(sensor("camera",
                  "<camera><horizontal_fov>1.2</horizontal_fov><image><width>320</"
                  "width><height>200</height><format>L8</format></image>"
                  "<clip><near>0.05</near><far>30</far></clip><noise><type>gaussian</"
                  "type><stddev>0.007</stddev></noise></camera>"));
  const wbt::Node& camera = node(*world, "Camera", "s");
  EXPECT_THAT(numbers(camera, "fieldOfView"), ElementsAre(1.2));
  EXPECT_THAT(numbers(camera, "width"), ElementsAre(320));
  EXPECT_THAT(numbers(camera, "height"), ElementsAre(200));
  EXPECT_THAT(numbers(camera, "near"), ElementsAre(0.05));
  EXPECT_THAT(numbers(camera, "far"), ElementsAre(30));
  EXPECT_THAT(numbers(camera, "noise"), ElementsAre(0.007));
  EXPECT_EQ(camera.find("pixelFormat")->value.strings.at(0), "mono8");
}

TEST_F(RobotTest, ACameraHasTheLensOfItsText) {
  const auto camera = [&](const std::string& more) {
    const auto world =
        read(sensor("camera",
                    "<camera><horizontal_fov>1.5707963267948966</horizontal_fov><image>"
                    "<width>200</width><height>100</height></image>" +
                        more + "</camera>"));
    return node(*world, "Camera", "s");
  };
  // The focal length of a pinhole is half of the width here.
  const auto lens = [](const std::string& numbers) {
    return "<lens><intrinsics>" + numbers + "</intrinsics></lens>";
  };
  EXPECT_EQ(camera(lens("<fx>100.1</fx><fy>100</fy><cx>99.5</cx><cy>49.5</cy>")).find("lensModel"),
            nullptr);
  EXPECT_EQ(camera("<distortion><k1>0</k1><center>0.5 0.5</center></distortion>").find("lensModel"),
            nullptr);
  EXPECT_EQ(diagnostics_.to_string(), "");
  const wbt::Node long_one = camera(lens("<fx>150</fx><fy>140</fy><cx>110</cx><cy>50</cy>"));
  EXPECT_EQ(long_one.find("lensModel")->value.strings.at(0), "opencv");
  EXPECT_THAT(numbers(long_one, "intrinsics"), ElementsAre(150, 140, 109.5, 49.5));
  EXPECT_THAT(numbers(long_one, "distortion"), ElementsAre(0, 0, 0, 0));
  const wbt::Node bent = camera(
      "<distortion><k1>-0.2</k1><k2>0.03</k2><k3>0.004</k3><p1>0.001</p1>"
      "<p2>-0.002</p2></distortion>");
  EXPECT_EQ(bent.find("intrinsics"), nullptr);
  EXPECT_THAT(numbers(bent, "distortion"), ElementsAre(-0.2, 0.03, 0.001, -0.002, 0.004));
  EXPECT_EQ(diagnostics_.to_string(), "");
  // The type of a lens is that of wide angle cameras alone.
  EXPECT_EQ(messages(sensor("camera", "<camera><lens><type>stereographic</type></lens></camera>")),
            "");
  EXPECT_THAT(messages(sensor("camera", "<camera><lens><projection/></lens></camera>")),
              HasSubstr("warning: <projection> of a <lens> has no effect"));
  load(sensor("camera", "<camera><horizontal_fov>1</horizontal_fov>" +
                            lens("<fx>300</fx><fy>300</fy><cx>160</cx><cy>120</cy>") +
                            "<distortion><k1>-0.1</k1></distortion></camera>"));
}

TEST_F(RobotTest, AWideAngleCameraHasTheLensOfItsType) {
  const double half = 1.5, radius = 100;  // the image is 200 pixels wide
  const auto at = [&](const std::string& lens, double angle) {
    const auto world =
        read(sensor("wide_angle_camera",
                    "<camera><horizontal_fov>3</horizontal_fov><image><width>200</width><height>200"
                    "</height></image>" +
                        lens + "</camera>"));
    EXPECT_EQ(diagnostics_.to_string(), "");
    const wbt::Node& camera = node(*world, "Camera", "s");
    EXPECT_EQ(camera.find("lensModel")->value.strings.at(0), "fisheye");
    const auto k = numbers(camera, "distortion"), intrinsics = numbers(camera, "intrinsics");
    EXPECT_EQ(intrinsics.at(2), 99.5);
    const double s = angle * angle;
    return intrinsics.at(0) * angle *
           (1 + s * (k.at(0) + s * (k.at(1) + s * (k.at(2) + s * k.at(3)))));
  };
  const auto lens = [](const std::string& type) {
    return "<lens><type>" + type + "</type></lens>";
  };
  const auto expect = [&](const std::string& text, const auto& mapping) {
    for (const double angle : {0.3, 0.8, 1.2, 1.5})
      EXPECT_NEAR(at(text, angle), radius * mapping(angle) / mapping(half), 0.1) << text;
  };
  const auto stereographic = [](double a) { return std::tan(a / 2); };
  expect("", stereographic);
  expect(lens("stereographic"), stereographic);
  expect(lens("equidistant"), [](double a) { return a; });
  expect(lens("equisolid_angle"), [](double a) { return std::sin(a / 2); });
  expect(lens("orthographic"), [](double a) { return std::sin(a); });
  const std::string custom =
      "<lens><type>custom</type><custom_function><c1>1.05</c1><c2>{}</c2><f>1.0</f><fun>{}</fun>"
      "</custom_function></lens>";
  expect(fmt::format(fmt::runtime(custom), 4, "tan"), [](double a) { return std::tan(a / 4); });
  EXPECT_THAT(
      messages(sensor("wideanglecamera",
                      "<camera>" + fmt::format(fmt::runtime(custom), 0.5, "tan") + "</camera>")),
      HasSubstr("warning: <lens> of a <camera> has no effect; its image is that of a "
                "pinhole"));
  EXPECT_THAT(
      messages(sensor("wideanglecamera",
                      "<camera><lens><cutoff_angle>0.5</cutoff_angle></lens></camera>")),
      HasSubstr("warning: <cutoff_angle> of a <lens> has no effect; corners are not black"));
  EXPECT_EQ(messages(sensor("wideanglecamera", "<camera>" + lens("gnomonical") + "</camera>")), "");
}

TEST_F(RobotTest, EverySensorThatIsKnownIsBuilt) {
  load(robot(
      link("a") +
      "<gazebo reference=\"a\"><sensor name=\"imu\" type=\"imu\"/><sensor name=\"gps\" "
      "type=\"gps\"/>"
      "<sensor name=\"depth\" "
      "type=\"depth\"><camera><clip><near>0.2</near><far>9</far></clip></camera></sensor>"
      "<sensor name=\"touch\" type=\"contact\"/><sensor name=\"north\" type=\"magnetometer\"/>"
      "<sensor name=\"rgbd\" type=\"rgbd_camera\"><camera/></sensor></gazebo>"));
  for (const auto& [name, type] :
       std::map<std::string, std::string>{{"imu", "Imu"},
                                          {"gps", "GPS"},
                                          {"depth", "RangeFinder"},
                                          {"touch", "TouchSensor"},
                                          {"north", "Magnetometer"},
                                          {"rgbd", "Camera"},
                                          {"rgbd_depth", "RangeFinder"}}) {
    EXPECT_EQ(device(name).type, type);
  }
}

TEST_F(RobotTest, AnImuIsOneDeviceOnThePlainAndThreeInAProto) {
  const std::string text = sensor(
      "imu",
      "<update_rate>100</update_rate><imu><angular_velocity><x><noise type=\"gaussian\">"
      "<mean>0</mean><stddev>2e-4</stddev><bias_mean>8e-4</bias_mean><bias_stddev>7.5e-6"
      "</bias_stddev><dynamic_bias_stddev>2e-5</dynamic_bias_stddev>"
      "<dynamic_bias_correlation_time>400</dynamic_bias_correlation_time>"
      "<precision>2.5e-4</precision></noise></x>"
      "</angular_velocity><linear_acceleration><x><noise type=\"gaussian\"><stddev>0.017</stddev>"
      "</noise></x></linear_acceleration></imu>");
  const auto world = read(text);
  const wbt::Node& imu = node(*world, "Imu", "s");
  EXPECT_THAT(numbers(imu, "gyroNoise"), ElementsAre(2e-4));
  EXPECT_THAT(numbers(imu, "gyroTurnOnBias"), ElementsAre(7.5e-6));
  EXPECT_THAT(numbers(imu, "gyroTurnOnMean"), ElementsAre(8e-4));
  // gz-sensors' process is stationary at 2e-5 sqrt(400 / 2).
  EXPECT_THAT(numbers(imu, "gyroDrift"), ElementsAre(testing::DoubleNear(2.8284271e-4, 1e-10)));
  EXPECT_THAT(numbers(imu, "gyroDriftTime"), ElementsAre(400));
  EXPECT_THAT(numbers(imu, "gyroResolution"), ElementsAre(2.5e-4));
  EXPECT_THAT(numbers(imu, "accelerometerNoise"), ElementsAre(0.017));
  EXPECT_THAT(numbers(imu, "samplingPeriod"), ElementsAre(10));
  EXPECT_EQ(diagnostics_.to_string().find("bias"), std::string::npos);
  const auto proto = to_proto(*robot_, "R", options_, {}, diagnostics_);
  EXPECT_THAT(numbers(node(*proto, "Gyro", "s_gyro"), "noise"), ElementsAre(2e-4));
  EXPECT_THAT(numbers(node(*proto, "Accelerometer", "s_accelerometer"), "noise"),
              ElementsAre(0.017));
  node(*proto, "InertialUnit", "s");
}

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
              HasSubstr("a <plugin> of a <sensor> has no effect"));
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
      HasSubstr("warning: a frame of a <sensor> that is no link has no effect; its data are "
                "in a frame with its name"));
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
    EXPECT_THAT(diagnostics_.to_string(), HasSubstr("that is no link has no effect")) << taken;
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

TEST_F(RobotTest, AnAltimeterHasItsNoise) {
  const auto world =
      read(sensor("altimeter",
                  "<topic>height</topic><altimeter><vertical_position><noise type=\"gaussian\">"
                  "<stddev>0.03</stddev></noise></vertical_position></altimeter>"));
  EXPECT_THAT(numbers(node(*world, "Altimeter", "s"), "accuracy"), ElementsAre(0.03));
  EXPECT_EQ(node(*world, "Topic").find("name")->value.strings[0], "height");
}

TEST_F(RobotTest, AForceTorqueSensorStandsInTheChildOfItsJoint) {
  const auto world = read(robot(
      link("a") + link("b") +
      joint("wrist", "revolute", "a", "b",
            "<origin xyz=\"0 0 1\"/><limit lower=\"-1\" upper=\"1\" "
            "effort=\"5\" velocity=\"1\"/>") +
      "<gazebo reference=\"wrist\"><sensor name=\"ft\" type=\"force_torque\"><update_rate>100"
      "</update_rate><topic>wrist/ft</topic><force_torque><frame>child</frame>"
      "<measure_direction>parent_to_child</measure_direction><force><x><noise type=\"gaussian\">"
      "<stddev>0.3</stddev></noise></x></force></force_torque></sensor></gazebo>"));
  ASSERT_TRUE(world);
  EXPECT_EQ(diagnostics_.to_string(), "");
  const wbt::Node& child = node(*world, "Solid", "b");
  const wbt::Node* made =
      find(child.find("children")->value.nodes.at(0), "ForceTorqueSensor", "ft");
  ASSERT_TRUE(made);
  EXPECT_EQ(made->find("acting")->value.strings.at(0), "toChild");
  EXPECT_THAT(numbers(*made, "forceNoise"), ElementsAre(0.3));
  EXPECT_THAT(numbers(*made, "samplingPeriod"), ElementsAre(10));
}

TEST_F(RobotTest, AMagnetometerIsACompassForProgramsOfWebots) {
  read(sensor("magnetometer", ""));
  const auto proto = to_proto(*robot_, "R", options_, {}, diagnostics_);
  node(*proto, "Compass", "s");
}

TEST_F(RobotTest, ANavsatHasTheNoiseOfItsVelocity) {
  const auto noise = [](const std::string& what, const std::string& stddev) {
    return "<" + what + "><noise type=\"gaussian\"><stddev>" + stddev + "</stddev></noise></" +
           what + ">";
  };
  const auto world =
      read(sensor("navsat", "<navsat><velocity_sensing>" + noise("horizontal", "0.1") +
                                noise("vertical", "0.2") + "</velocity_sensing></navsat>"));
  EXPECT_THAT(numbers(node(*world, "GPS", "s"), "speedNoise"), ElementsAre(0.1));
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("a <vertical> of <velocity_sensing> that is not <horizontal>"));
}

TEST_F(RobotTest, ANavsatHasTheSteadyErrorsOfItsPosition) {
  const auto world = read(sensor(
      "navsat",
      "<navsat><position_sensing><horizontal><noise type=\"gaussian\"><mean>0.5</mean><stddev>0.1"
      "</stddev><bias_mean>-2</bias_mean><bias_stddev>0.3</bias_stddev></noise></horizontal>"
      "<vertical><noise type=\"gaussian\"><mean>-1</mean><dynamic_bias_stddev>4"
      "</dynamic_bias_stddev></noise></vertical></position_sensing></navsat>"));
  const wbt::Node& made = node(*world, "GPS", "s");
  EXPECT_THAT(numbers(made, "accuracy"), ElementsAre(0.1));
  EXPECT_THAT(numbers(made, "offset"), ElementsAre(0.5, 0.5, -1));
  EXPECT_THAT(numbers(made, "turnOnBias"), ElementsAre(0.3, 0.3, 0));
  EXPECT_THAT(numbers(made, "turnOnMean"), ElementsAre(2, 2, 0));
  EXPECT_EQ(diagnostics_.to_string().find("warning: <mean>"), std::string::npos);
  EXPECT_EQ(diagnostics_.to_string().find("warning: <bias"), std::string::npos);
  EXPECT_THAT(diagnostics_.to_string(),
              HasSubstr("warning: <dynamic_bias_stddev> of a <noise> has no effect"));
}

TEST_F(RobotTest, MistakesOfSensorsAreSaid) {
  EXPECT_THAT(messages(sensor("sonar", "")),
              HasSubstr("warning: a <sensor> of type 'sonar' has no effect"));
  EXPECT_THAT(messages(sensor("ray", "")),
              HasSubstr("error: a <sensor> of this type needs a <ray> or <lidar>"));
  EXPECT_THAT(messages(sensor(
                  "ray", "<ray><scan><horizontal><samples>0</samples></horizontal></scan></ray>")),
              HasSubstr("error: <samples> must be a whole number from 1 to 1048576, got 0"));
  EXPECT_THAT(messages(sensor("ray", "<ray><range><min>3</min><max>2</max></range></ray>")),
              HasSubstr("error: <min> and <max> of <range> must be ascending, got 3 and 2"));
  EXPECT_THAT(
      messages(sensor("camera", "<camera><horizontal_fov>4</horizontal_fov></camera>")),
      HasSubstr("error: <horizontal_fov> must be at least 0.001 and less than pi rad, got 4"));
  // As that of a TurtleBot3.
  EXPECT_THAT(
      messages(sensor("camera", "<camera><horizontal_fov>3.183</horizontal_fov></camera>")),
      HasSubstr("warning: <horizontal_fov> must be less than pi rad, got 3.183; 3.1 is taken"));
  EXPECT_THAT(messages(sensor("camera", "<pose>1 2</pose><camera/>")),
              HasSubstr("error: <pose> must be 6 finite numbers, got '1 2'; these are 2"));
  EXPECT_THAT(messages(sensor("camera", "<pose>1 2 3 4 5 6 7</pose><camera/>")),
              HasSubstr("numbers, got '1 2 3 4 5 6 7'; these are more"));
}

}  // namespace
}  // namespace protobeam::urdf
