// libController and libCppController as their users see them.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/unit/link/test_robot.h"
#include "tests/unit/support/paths.h"

namespace protobeam::link {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kFolder = source_dir() + "/tests/unit/link/";

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(LibController, HasEveryFunctionOfTheInterface) {
  const std::string path = build_dir() + "/lib/libController.so";
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  std::istringstream names(text_of(kFolder + "api_functions.txt"));
  const std::string program =
      text_of(kFolder + "api_use.c") + text_of(kFolder + "vehicle_use.c") +
      text_of(kFolder + "car_use.c") + text_of(kFolder + "../../sensor_api/sensor_use.c") +
      text_of(kFolder + "../../../plugins/devices/altimeter/altimeter_use.c");
  int count = 0;
  for (std::string name; names >> name; ++count) {
    EXPECT_NE(dlsym(library, name.c_str()), nullptr) << name;
    bool used = program.find(name + "(") != std::string::npos;
    for (std::string_view ending : {"_enable", "_disable", "_get_sampling_period"}) {
      if (!name.ends_with(ending)) continue;
      const auto module = name.substr(0, name.size() - ending.size());
      used = used || program.find("use_sampling(" + module + ",") != std::string::npos;
    }
    EXPECT_TRUE(used) << name << " is used by no program here";
  }
  EXPECT_EQ(count, 333);
  // Nothing of ours meets the symbols of a controller.
  EXPECT_EQ(dlsym(library, "_ZN9protobeam4link7ChannelC1Ei"), nullptr);
  dlclose(library);
}

class ApiUse : public testing::TestWithParam<const char*> {};

TEST_P(ApiUse, GivesWhatTheRobotSays) {
  Running run({}, GetParam());
  ASSERT_EQ(run.wait(), ControllerState::kAsking) << testing::PrintToString(run.lines.out());
  ASSERT_EQ(run.host->questions().size(), 1u);
  EXPECT_EQ(run.host->questions()[0].op, SupervisorOp::kRobotUrdf);
  EXPECT_EQ(run.host->questions()[0].text, "left_");
  run.host->answer({{SupervisorAnswer{true, {}, "<robot/>"}}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping) << testing::PrintToString(run.lines.out());
  run.host->reply({0, 0.5, {}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0.5, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("\x1b[0m0 failures"));
  EXPECT_THAT(run.lines.err(), Contains(HasSubstr("robots cannot be pinned")));
}

INSTANTIATE_TEST_SUITE_P(Languages, ApiUse, testing::Values("api_use_c99", "api_use_cpp"));

TEST(LibController, RemembersWhatCoupledMotorsAreToldAsWebotsDoes) {
  RobotRecord robot = test_robot();
  for (DeviceRecord& device : robot.devices) {
    if (device.name == "motor") device.name = "arm::a";
    if (device.name == "slider") {
      device.name = "arm::b";
      device.properties["multiplier"] = -2.0;
    }
  }
  Running run({"coupled"}, "puppet", robot);
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  std::vector<std::uint16_t> told;
  for (const DeviceCommand& command : run.host->request().commands) told.push_back(command.op);
  EXPECT_THAT(told, ElementsAre(run.op("arm::a", "position"), run.op("arm::a", "velocity"),
                                run.op("arm::b", "position"), run.op("arm::a", "velocity"),
                                run.op("arm::a", "available effort")));
  run.host->reply({-1, 0, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("20 10", "0.5 2 -1 -4", "-inf -3 6 40"));
  EXPECT_THAT(
      run.lines.err(),
      ElementsAre(HasSubstr("wb_motor_set_velocity() called with a negative 'velocity' (-1.000000) "
                            "for 'arm::a', which is told a position: set that to INFINITY before"),
                  HasSubstr("invalid 'p' (0) for device 'arm::a'; it must be > 0")));
}

TEST(LibController, KnowsWhatSupervisorsChangeOfDevicesFromTheNextStepOn) {
  Running run({"changed"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  StepReply reply;
  reply.properties = {{run.tag("motor"), {{"maxVelocity", 7.0}}},
                      {run.tag("receiver"), {{"channel", 3.0}}}};
  run.host->reply(reply);
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  // A target beyond the limits is the limit then.
  EXPECT_THAT(run.lines.out(), ElementsAre("100 20 4", "2 7 3", "5"));
}

TEST(LibController, StepsOfTwoThreadsFollowOneAnother) {
  Running run({"two-threads"});
  for (int step = 1; step <= 6; ++step) {
    ASSERT_EQ(run.wait(), ControllerState::kStepping) << "step " << step;
    run.host->reply({0, 0.032 * step, {}});
  }
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("3 and 3"));
  EXPECT_THAT(run.lines.err(), ElementsAre());
}

TEST(LibController, KeepsTheNewestTextsOfAWindowThatAreNotTaken) {
  Running run({"window"});
  int sent = 0;
  for (const int count : {6'000, 6'000, 3'005}) {
    ASSERT_EQ(run.wait(), ControllerState::kStepping);
    StepReply reply;
    for (int i = 0; i < count; ++i) reply.messages.push_back({0, std::to_string(sent++), {}});
    run.host->reply(reply);
  }
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("5005", "5006", "5007", "10000"));
  EXPECT_THAT(run.lines.err(),
              ElementsAre("Warning: wb_robot_wwi_receive_text() takes too few of the texts that "
                          "the robot's window sends: the oldest are lost"));
}

TEST(LibController, ATouchSensorHasOneValueOrThree) {
  RobotRecord robot = test_robot();
  for (DeviceRecord& device : robot.devices) {
    if (device.name == "touch") device.name = "touch-3d";
  }
  const auto tag = static_cast<std::uint16_t>(robot.devices.size() + 1);
  robot.devices.push_back(record_of(load_sensor_plugin("TouchSensor").type, tag, "touch", "",
                                    {{"type", std::string("bumper")}}));
  Running run({"touch"}, "puppet", robot);
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.data<double>("touch")[0] = 1;
  run.data<double>("touch-3d")[2] = 7;
  run.host->reply({0, 0.032, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("1 1", "1 7"));
  EXPECT_THAT(
      run.lines.err(),
      ElementsAre(HasSubstr("wb_touch_sensor_get_values() called for 'touch', which has one "
                            "value: use wb_touch_sensor_get_value()"),
                  HasSubstr("wb_touch_sensor_get_value() called for 'touch-3d', which has "
                            "three values: use wb_touch_sensor_get_values()")));
}

TEST(CppController, GivesTypedDevicesAndTheUsersOwnClasses) {
  Running run({}, "puppet_cpp");
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  const auto& commands = run.host->request().commands;
  ASSERT_EQ(commands.size(), 5u);
  EXPECT_EQ(commands[2].op, run.op("motor", "velocity"));
  EXPECT_THAT(commands[2].numbers, ElementsAre(1.5));
  run.data<float>("lidar")[5] = 2.5f;
  reinterpret_cast<LidarPoint*>(run.data<float>("lidar") + 6)[5].y = -3.5f;
  run.data<double>("cone")[19] = 8;
  run.host->reply({0, 0.25, {}, {314}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("my lidar 1 1", "brake sensor 1 0", "11",
                                           "1 2 3 4 5 6 7 8 9 10 11 12 13 14", "0.25 2.5 -3.5 8",
                                           "1° 30′ 0″ 314"));
  EXPECT_THAT(run.lines.err(),
              ElementsAre(HasSubstr("\"motor\" is of another type"),
                          HasSubstr("Warning: \"none\" device not found on robot")));
}

}  // namespace
}  // namespace protobeam::link
