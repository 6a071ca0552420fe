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
