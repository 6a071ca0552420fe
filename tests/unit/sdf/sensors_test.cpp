// Sensors of Gazebo's worlds, against the numbers of its own tests.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

class SensorTest : public WorldTest {
 protected:
  /// A channel of float64 of the last sample.
  std::vector<double> sample(const std::string& name, std::size_t channel) {
    const Device& of = device(name);
    const ChannelLayout& layout = of.model->layout().channels.at(channel);
    std::vector<double> out(layout.count());
    std::memcpy(out.data(), of.data.data() + layout.offset, out.size() * sizeof(double));
    return out;
  }
};

std::string sensor(const std::string& name, const std::string& type, const std::string& more = {}) {
  return "<sensor name=\"" + name + "\" type=\"" + type + "\"><update_rate>100</update_rate>" +
         more + "</sensor>";
}

std::string imu(const std::string& name, const std::string& frame) {
  return sensor(
      name, "imu",
      "<imu><orientation_reference_frame>" + frame + "</orientation_reference_frame></imu>");
}

// gz-sim, test/integration/imu_system.cc, NamedFrames: a model that is turned by half a turn.
TEST_F(SensorTest, AnImuTellsItsOrientationInTheFrameOfItsText) {
  load(world(model(
      "m",
      "<pose>4 0 3 0 0 3.141592653589793</pose>" +
          heavy("a", 1, "0 0 0 0 0 0",
                sensor("start", "imu") + imu("enu", "<localization>ENU</localization>") +
                    imu("ned", "<localization>NED</localization>") +
                    imu("nwu", "<localization>NWU</localization>") +
                    imu("custom",
                        "<localization>CUSTOM</localization><custom_rpy "
                        "parent_frame=\"world\">1.570795 0 0</custom_rpy>") +
                    sensor("none", "imu",
                           "<imu><enable_orientation>false</enable_orientation></imu>") +
                    sensor("ros", "imu",
                           "<plugin filename=\"libgazebo_ros_imu_sensor.so\" name=\"p\"/>")))));
  run(0.02);
  const auto expect_orientation = [&](const char* name, const Quat& wanted) {
    const auto q = sample(name, 2);
    EXPECT_NEAR(std::abs(Quat(q[3], q[0], q[1], q[2]).dot(wanted)), 1, 1e-6) << name;
  };
  expect_orientation("start", Quat(1, 0, 0, 0));
  expect_orientation("enu", Quat(0, 0, 0, 1));
  const double half = std::sqrt(0.5);
  expect_orientation("ned", Quat(0, -half, half, 0));
  expect_orientation("nwu", Quat(half, 0, 0, half));
  expect_orientation("custom", Quat(0, 0, half, half));
  EXPECT_TRUE(std::isnan(sample("none", 2)[0]));
  expect_orientation("ros", Quat(0, 0, 0, 1));  // gazebo_ros_pkgs: in the world
}

// gz-sim, test/integration/magnetometer_system.cc: the world's field in the axes of the sensor.
TEST_F(SensorTest, AMagnetometerMeasuresTheWorldsField) {
  const std::string text =
      model("m", "<pose>4 0 3 0 0 3.14</pose>" +
                     heavy("a", 1, "0.05 0.05 0.05 0 0 1.570796327", sensor("s", "magnetometer")));
  load(world("<magnetic_field>0.94 0.76 -0.12</magnetic_field>" + text));
  run(0.02);
  const Vec3 wanted =
      axis_angle(Vec3::UnitZ(), 3.14 + 1.570796327).conjugate() * Vec3(0.94, 0.76, -0.12);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(sample("s", 0).at(static_cast<std::size_t>(axis)), wanted[axis], 1e-9);
  // Before SDF 1.6 it is in <physics>.
  load(
      world("<physics><magnetic_field>0.94 0.76 -0.12</magnetic_field><max_step_size>0.005"
            "</max_step_size></physics>" +
            text));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.02);
  EXPECT_NEAR(sample("s", 0)[0], wanted.x(), 1e-9);
  // x of the world is north, and its field stays in the axes of the text.
  load(
      world("<magnetic_field>0.94 0.76 -0.12</magnetic_field><spherical_coordinates>"
            "<heading_deg>90</heading_deg></spherical_coordinates>" +
            text));
  run(0.02);
  EXPECT_NEAR(sample("s", 0)[0], wanted.x(), 1e-9);
  EXPECT_NEAR(sample("s", 0)[1], wanted.y(), 1e-9);
}

TEST_F(SensorTest, AMagnetometerHasTheErrorsOfItsText) {
  const auto document = read(world(model(
      "m", heavy("a", 1, "0 0 0 0 0 0",
                 sensor("s", "magnetometer",
                        "<magnetometer><x><noise type=\"gaussian\"><mean>1e-7</mean><stddev>6e-8"
                        "</stddev><bias_mean>-3e-7</bias_mean><bias_stddev>2e-7</bias_stddev>"
                        "<precision>1e-8</precision></noise></x></magnetometer>")))));
  ASSERT_TRUE(document);
  EXPECT_EQ(diagnostics_.to_string(), "");
  const wbt::Node& made = node(*document, "Magnetometer", "s");
  EXPECT_THAT(numbers(made, "noise"), testing::ElementsAre(6e-8));
  EXPECT_THAT(numbers(made, "offset"), testing::ElementsAre(1e-7));
  EXPECT_THAT(numbers(made, "turnOnMean"), testing::ElementsAre(3e-7));
  EXPECT_THAT(numbers(made, "turnOnBias"), testing::ElementsAre(2e-7));
  EXPECT_THAT(numbers(made, "resolution"), testing::ElementsAre(1e-8));
}

// Of SDFormat's air_pressure.sdf: the height above the plane and that of the reference.
TEST_F(SensorTest, ABarometerReadsThePressureAtItsReference) {
  const auto pressure = [&](const std::string& air, const std::string& elevation) {
    load(world("<spherical_coordinates><elevation>" + elevation +
               "</elevation></spherical_coordinates>" +
               model("m", "<static>1</static><pose>4 0 3 0 0 3.14</pose>" +
                              heavy("a", 1, "0 0 0.05 0 0 0", sensor("s", "air_pressure", air)))));
    run(0.02);
    return sample("s", 0)[0];
  };
  // By the formula of gz-sensors at 126.05 m and at 3.05 m.
  const std::string reference =
      "<air_pressure><reference_altitude>123</reference_altitude></air_pressure>";
  EXPECT_NEAR(pressure(reference, "0"), 99819.90751, 0.01);
  EXPECT_NEAR(pressure(reference, "500"), 99819.90751, 0.01);
  EXPECT_NEAR(pressure("", "123"), 99819.90751, 0.01);
}

// gz-sim, examples/worlds/linear_battery_demo.sdf.
TEST_F(SensorTest, ABatteryIsDrainedByItsLoad) {
  const auto robot = [](const std::string& more) {
    return world(model("m", heavy("a", 1, "0 0 1 0 0 0") +
                                "<plugin filename=\"gz-sim-linearbatteryplugin-system\" name=\"b\">"
                                "<battery_name>linear_battery</battery_name>" +
                                more + "<capacity>1.2009</capacity></plugin>"));
  };
  load(
      robot("<voltage>12.592</voltage><power_load>6.6</power_load>"
            "<start_draining>true</start_draining>"));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(8);
  // 6.6 W at 12.592 V without resistance, smoothed by 1 s.
  EXPECT_NEAR(sample("linear_battery", 0)[0], 12.592, 1e-9);
  EXPECT_NEAR(sample("linear_battery", 1)[0], -6.6 / 12.592, 1e-3);
  EXPECT_NEAR(sample("linear_battery", 2)[0], 1.2009 - 6.6 / 12.592 * 7 / 3600, 1e-5);
  const auto document = read(robot("<voltage>12</voltage><enable_recharge>true</enable_recharge>"));
  ASSERT_TRUE(document);
  const wbt::Field* topic = node(*document, "Topic").find("name");
  ASSERT_TRUE(topic);
  EXPECT_THAT(topic->value.strings, testing::ElementsAre("/model/m/battery/linear_battery/state"));
  const std::string said = diagnostics_.to_string();
  EXPECT_THAT(said, testing::HasSubstr("<enable_recharge> of a battery has no effect"));
  EXPECT_THAT(said, testing::HasSubstr("the wait of a battery for the first motion has no effect; "
                                       "it drains from the start"));
  read(robot(""));
  EXPECT_THAT(diagnostics_.to_string(),
              testing::HasSubstr("a battery needs a <battery_name> and a <voltage>"));
}

// gz-sim's AirSpeedSensor.cc: rho v^2 / 2, at the level of the sea where z is 0.
TEST_F(SensorTest, APitotTubeReadsThePressureOfItsSpeed) {
  load(world("<spherical_coordinates><elevation>500</elevation></spherical_coordinates>" +
             model("m", "<pose>0 0 100 0 1.5707963267948966 0</pose>" +
                            heavy("a", 1, "0 0 0 0 0 0", sensor("s", "air_speed")))));
  EXPECT_EQ(diagnostics_.to_string(), "");
  // It falls, x down.
  run(1);
  EXPECT_NEAR(sample("s", 0)[0], 0.5 * 1.2138 * 9.81 * 9.81, 0.1);
}

// gz-sim, test/integration/altimeter_system.cc: below 0 as soon as it falls, and lower than -3 m on
// the ground; the model's box of 0.1 m starts 3.05 m above that.
TEST_F(SensorTest, AnAltimeterMeasuresFromTheStart) {
  load(world("<include><uri>model://ground_plane</uri></include>" +
             model("m", "<pose>4 0 3 0 0 3.14</pose>" +
                            heavy("a", 1, "0.05 0.05 0.05 0 0 0",
                                  "<collision name=\"c\"><geometry><box><size>0.1 0.1 0.1</size>"
                                  "</box></geometry></collision>" +
                                      sensor("s", "altimeter")))));
  run(0.1);
  const double first = sample("s", 0)[0];
  EXPECT_LT(first, 0);
  EXPECT_NEAR(first, -0.5 * 9.81 * 0.1 * 0.1, 0.003);
  run(1.5);
  EXPECT_NEAR(sample("s", 0)[0], -3, 1e-3);
}

/// A scale of two links with a sensor between them, and 10 kg at its middle.
std::string scale(const std::string& sensor_pose, const std::string& more,
                  const std::string& plate_rpy = "0 0 0") {
  const auto box = [](const std::string& size) {
    return "<collision name=\"c\"><geometry><box><size>" + size + "</size></box></geometry>" +
           "</collision>";
  };
  return "<include><uri>model://ground_plane</uri></include>" +
         model("scale", "<pose>0 0 0.02 0 0 0</pose>" +
                            heavy("base", 2, "0 0 0 0 0 0", box("1 1 0.04")) +
                            heavy("plate", 0.2, "0 0 0.03 " + plate_rpy, box("0.9 0.9 0.01")) +
                            "<joint name=\"j\" type=\"fixed\"><parent>base</parent><child>plate"
                            "</child>" +
                            sensor("s", "force_torque", "<pose>" + sensor_pose + "</pose>" + more) +
                            "</joint>") +
         model("weight",
               "<pose>0 0 0.16 0 0 0</pose>" + heavy("w", 10, "0 0 0 0 0 0", box("0.2 0.2 0.2")));
}
std::string measured(const std::string& frame, const std::string& direction) {
  return "<force_torque><frame>" + frame + "</frame><measure_direction>" + direction +
         "</measure_direction></force_torque>";
}

// gz-sim, test/integration/force_torque_system.cc: g (0.2 kg + 10 kg), and 0.1 m of it.
TEST_F(SensorTest, AForceTorqueSensorWeighs) {
  const double weight = 9.81 * 10.2;
  const auto expect_wrench = [&](const std::string& text, const Vec3& force, const Vec3& torque) {
    load(world(text));
    EXPECT_EQ(diagnostics_.to_string(), "");
    run(2);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(sample("s", 0)[i], force[static_cast<int>(i)], 0.1) << "force " << i;
      EXPECT_NEAR(sample("s", 1)[i], torque[static_cast<int>(i)], 0.1) << "torque " << i;
    }
  };
  expect_wrench(scale("0 0 0 0 0 0", measured("sensor", "parent_to_child")), {0, 0, weight},
                {0, 0, 0});
  expect_wrench(scale("0.1 0 0 0 0 0", measured("sensor", "parent_to_child")), {0, 0, weight},
                {0, 0.1 * weight, 0});
  // SDFormat's defaults: of the child on the parent, in the child's axes.
  expect_wrench(scale("0.1 0 0 3.141592653589793 0 0", ""), {0, 0, -weight}, {0, -0.1 * weight, 0});
  // The sensor stands upside down; so does the plate.
  expect_wrench(scale("0 0 0 3.141592653589793 0 0", measured("sensor", "parent_to_child")),
                {0, 0, -weight}, {0, 0, 0});
  const std::string over = "3.141592653589793 0 0";
  expect_wrench(scale("0 0 0 0 0 0", measured("child", "parent_to_child"), over), {0, 0, -weight},
                {0, 0, 0});
  expect_wrench(scale("0 0 0 0 0 0", measured("parent", "parent_to_child"), over), {0, 0, weight},
                {0, 0, 0});
}

TEST_F(SensorTest, OtherSensorsInJointsAreSaid) {
  EXPECT_THAT(
      messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0") +
                                    heavy("b", 1, "0 0 0 0 0 0", sensor("f", "force_torque")) +
                                    "<joint name=\"j\" type=\"fixed\"><parent>a</parent>"
                                    "<child>b</child>" +
                                    sensor("s", "imu") + "</joint>"))),
      testing::AllOf(
          testing::HasSubstr("warning: a <sensor> of type 'imu' in a joint has no effect"),
          testing::HasSubstr("warning: force_torque sensor 'f' is left out: it belongs into "
                             "a joint")));
}

TEST_F(SensorTest, AFrameThatNoImuHasIsSaid) {
  EXPECT_THAT(messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0",
                                              imu("s", "<localization>GRAV_UP</localization>"))))),
              testing::HasSubstr(
                  "warning: an <orientation_reference_frame> that is none of ENU, NED, NWU"));
}

}  // namespace
}  // namespace protobeam::sdf
