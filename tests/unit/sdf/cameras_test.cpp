// Gazebo's cameras of models and of temperatures.
#include <gmock/gmock.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/unit/sdf/world_text.h"

namespace protobeam::sdf {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class GazeboCameras : public WorldTest {
 protected:
  template <class T>
  std::vector<T> values(std::size_t channel) {
    const Device& of = find("s");
    const ChannelLayout& layout = of.model->layout().channels.at(channel);
    std::vector<T> out(layout.element_size * layout.count() / sizeof(T));
    std::memcpy(out.data(), of.data.data() + layout.offset, out.size() * sizeof(T));
    return out;
  }
  const Device& find(const std::string& name) {
    for (const RobotInfo& robot : simulation_->model().robots)
      for (const Device& one : robot.devices)
        if (one.name == name) return one;
    throw std::runtime_error("no device " + name);
  }
};

std::string fixed(const std::string& name, const std::string& pose, const std::string& more = {}) {
  return model(name, "<static>1</static><pose>" + pose +
                         "</pose><link name=\"l\"><visual name=\"v\"><geometry><box><size>0.4 0.4 "
                         "0.4</size></box></geometry>" +
                         more + "</visual></link>");
}

std::string carrier(const std::string& type, const std::string& more) {
  return model("carrier", "<static>1</static><pose>0.05 0.05 0.55 0 0 0</pose>" +
                              heavy("a", 1, "0 0 0 0 0 0",
                                    "<sensor name=\"s\" type=\"" + type +
                                        "\"><update_rate>100</update_rate>" + more + "</sensor>"));
}

std::string frustum(const std::string& near, const std::string& far, const std::string& angle,
                    const std::string& ratio) {
  return carrier("logical_camera", "<logical_camera>\n<near>" + near + "</near><far>" + far +
                                       "</far><horizontal_fov>" + angle +
                                       "</horizontal_fov><aspect_ratio>" + ratio +
                                       "</aspect_ratio></logical_camera>");
}

// gz-sim, test/worlds/logical_camera_sensor.sdf.
TEST_F(GazeboCameras, ALogicalCameraTellsModels) {
  load(world(fixed("box", "1 0 0.5 0 0 0") + fixed("far", "6 0 0.5 0 0 0") +
             frustum("0.55", "5", "1.04719755", "1.778")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.02);
  EXPECT_EQ(values<std::int32_t>(2)[0], 1);
  EXPECT_STREQ(values<char>(1).data(), "box");
  const auto pose = values<double>(0);
  EXPECT_NEAR(pose[0], 0.95, 1e-12);
  EXPECT_NEAR(pose[1], -0.05, 1e-12);
  EXPECT_NEAR(pose[2], -0.05, 1e-12);
  EXPECT_NEAR(pose[6], 1, 1e-12);
}

TEST_F(GazeboCameras, MistakesOfAFrustumAreTold) {
  EXPECT_THAT(messages(world(frustum("0.5", "5", "-1", "1"))),
              HasSubstr("<horizontal_fov> must be at least 0.001 and less than pi rad, got -1"));
  EXPECT_THAT(
      messages(world(frustum("-1", "5", "1", "1"))),
      AllOf(HasSubstr("w.sdf:3:7: error: "), HasSubstr("<near> must be at least 0 m, got -1")));
  EXPECT_THAT(messages(world(frustum("0", "0", "1", "0"))),
              AllOf(HasSubstr("<far> must be greater than 0 m, got 0"),
                    HasSubstr("<aspect_ratio> must be greater than 0, got 0")));
  EXPECT_THAT(messages(world(frustum("5", "2", "1", "1"))),
              HasSubstr("<near> and <far> of a <logical_camera> must be ascending, got 5 and 2"));
  EXPECT_THAT(messages(world(carrier("logical_camera", ""))),
              HasSubstr("a <sensor> of this type needs a <logical_camera>"));
}

std::string thermal(const std::string& text) {
  return "<plugin filename=\"gz-sim-thermal-system\" name=\"gz::sim::systems::Thermal\">" + text +
         "</plugin>";
}

std::string heat_camera(const std::string& format = {}, const std::string& settings = {}) {
  return carrier("thermal",
                 "<camera><horizontal_fov>1</horizontal_fov><image><width>40</width>"
                 "<height>40</height>" +
                     (format.empty() ? "" : "<format>" + format + "</format>") +
                     "</image><clip><near>0.1</near><far>10</far></clip></camera>" +
                     (settings.empty() ? ""
                                       : "<plugin filename=\"gz-sim-thermal-sensor-system\" "
                                         "name=\"gz::sim::systems::ThermalSensor\">" +
                                             settings + "</plugin>"));
}

// gz-sim, examples/worlds/thermal_camera.sdf: levels of 10 mK, of 8 bits of 3 K.
TEST_F(GazeboCameras, AThermalCameraHasTheTemperaturesOfVisuals) {
  const std::string scene =
      "<atmosphere type=\"adiabatic\"><temperature>300</temperature>"
      "</atmosphere>" +
      fixed("warm", "2 0.3 0.55 0 0 0", thermal("<temperature>310</temperature>")) +
      fixed("plain", "2 -0.3 0.55 0 0 0");
  const auto level = [&](std::size_t column) {
    return values<std::uint16_t>(0).at(20 * 40 + column);
  };
  load(world(scene + heat_camera()));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.02);
  EXPECT_EQ(level(15), 31000);
  EXPECT_EQ(level(25), 30000);
  load(world(scene + heat_camera("L8")));
  run(0.02);
  EXPECT_EQ(level(15), 103);
  load(world(scene + heat_camera("L16",
                                 "<min_temp>253.15</min_temp><max_temp>305</max_temp>"
                                 "<resolution>0.5</resolution>")));
  EXPECT_EQ(diagnostics_.to_string(), "");
  run(0.02);
  EXPECT_EQ(level(15), 610);
  EXPECT_EQ(level(25), 600);
}

TEST_F(GazeboCameras, MistakesOfTemperaturesAreTold) {
  const auto warm = [&](const std::string& text) {
    return messages(world(fixed("m", "0 0 0 0 0 0", thermal(text))));
  };
  EXPECT_THAT(warm("<temperature>-3</temperature>"),
              HasSubstr("error: <temperature> must be from 0 to 65535 K, got -3"));
  EXPECT_THAT(warm(""),
              HasSubstr("warning: a thermal plugin has no effect: it has no <temperature>"));
  EXPECT_THAT(warm("<heat_signature>map.png</heat_signature>"),
              HasSubstr("warning: <heat_signature> of a thermal plugin has no effect"));
  EXPECT_THAT(
      messages(world(heat_camera("L16", "<min_temp>300</min_temp><max_temp>200</max_temp>"))),
      HasSubstr("error: <min_temp> must be at most <max_temp> (200 K), got 300"));
  EXPECT_THAT(messages(world(heat_camera("L16", "<resolution>0</resolution>"))),
              HasSubstr("error: <resolution> must be from 1e-06 to 65535 K, got 0"));
  EXPECT_THAT(
      messages(world("<atmosphere><temperature>-1</temperature></atmosphere>" + heat_camera())),
      HasSubstr("error: <temperature> must be"));
  EXPECT_THAT(messages(world(heat_camera("", "<max_temp>400</max_temp>"))),
              Not(HasSubstr("plugin")));
}

}  // namespace
}  // namespace protobeam::sdf
