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

TEST_F(SensorTest, AFrameThatNoImuHasIsSaid) {
  EXPECT_THAT(messages(world(model("m", heavy("a", 1, "0 0 0 0 0 0",
                                              imu("s", "<localization>GRAV_UP</localization>"))))),
              testing::HasSubstr(
                  "warning: an <orientation_reference_frame> that is none of ENU, NED, NWU"));
}

}  // namespace
}  // namespace protobeam::sdf
