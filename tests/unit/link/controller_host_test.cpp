#include "link/controller_host.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "base/robot_commands.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/link/test_robot.h"
#include "tests/unit/support/paths.h"

namespace protobeam::link {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ControllerHost, TellsTheControllerAboutItsRobotAndDevices) {
  Running run({"robot"});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  std::vector<std::string> expected{
      "rover|Test Rover|old data|puppet|/project|/project/worlds/w.wbt|16|1|0"};
  for (const auto& device : run.host->robot().devices) {
    const std::string tag = std::to_string(device.tag);
    expected.push_back(tag + " " + device.name + " M" + tag + " " +
                       std::to_string(device.webots_node) + " " + tag);
  }
  EXPECT_EQ(run.lines.out(), expected);
}

TEST(ControllerHost, StepsInLockStepUntilItSaysTheEnd) {
  Running run({"steps"});
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(run.wait(), ControllerState::kStepping);
    EXPECT_EQ(run.host->request().period_ms, 32);
    EXPECT_THAT(run.lines.out(), testing::SizeIs(testing::Le(static_cast<std::size_t>(i - 1))));
    run.host->reply({i == 2 ? 5 : 0, 0.032 * i, {}});
  }
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_EQ(run.host->what_happened(), "exited with status 0");
  EXPECT_THAT(run.lines.out(), ElementsAre("t=0.032 r=0", "t=0.064 r=5", "t=0.096 r=0", "end"));
}

TEST(ControllerHost, EndsAControllerThatStepsOnAfterTheEnd) {
  Running run({"past-the-end"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("r=-1"));
}

TEST(ControllerHost, GivesLidarDataThroughSharedMemory) {
  Running run({"lidar"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  const auto& commands = run.host->request().commands;
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].op, device_op::kEnable);
  EXPECT_THAT(commands[0].numbers, ElementsAre(32));
  EXPECT_EQ(commands[1].op, run.op("lidar", "point cloud"));
  EXPECT_THAT(commands[1].numbers, ElementsAre(1));
  run.host->reply({0, 0.032, {}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);

  auto* ranges = run.data<float>("lidar");
  auto* points = reinterpret_cast<LidarPoint*>(ranges + kLayers * kColumns);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(ranges) % 64, 0u);
  ranges[0] = 12.5f;
  ranges[1] = std::numeric_limits<float>::infinity();
  ranges[5] = 49.75f;
  points[5] = {1.5f, -2.5f, 3.5f, 1, 0.25f};
  run.host->reply({0, 0.064, {}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({-1, 0, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("null 1 1 1", "null 1", "zero 0 0", "last 1 null 1 1",
                                           "same 1 layer 1 of 2x3", "range 12.5 49.75 inf 1",
                                           "point 1.5 -2.5 3.5 1 0.25"));
}

TEST(ControllerHost, GivesSensorValuesAtAFixedPlaceThatChangesWithTheStep) {
  Running run({"sensors"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  for (int i = 0; i < 7; ++i) run.data<double>("gps")[i] = i + 0.5;
  run.data<double>("cone")[19] = -7;
  run.host->reply({0, 0.032, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("nan nan", "0.5 1.5 2.5 3.5 6.5", "20 -7", "1 3.5"));
}

TEST(ControllerHost, ReceivesEachCommandWithItsNumbersInOrder) {
  Running run({"commands"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  EXPECT_EQ(run.host->request().period_ms, 0);
  struct Expected {
    const char* device;
    const char* command;
    std::vector<double> numbers;
  };
  const std::vector<Expected> expected{
      {"motor", "position", {kInfinity}}, {"motor", "velocity", {-2.5}},
      {"motor", "acceleration", {3}},     {"motor", "effort", {4}},
      {"motor", "available effort", {5}}, {"motor", "control PID", {6, 7, 8}},
      {"motor", "enable", {64}},          {"brake", "damping", {9}},
      {"sensor", "enable", {16}},
  };
  const auto& commands = run.host->request().commands;
  ASSERT_EQ(commands.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(commands[i].tag, run.tag(expected[i].device)) << i;
    EXPECT_EQ(commands[i].op, run.op(expected[i].device, expected[i].command)) << i;
    EXPECT_EQ(commands[i].numbers, expected[i].numbers) << i;
  }
  EXPECT_EQ(commands.back().tag, 0);
  EXPECT_EQ(commands.back().op, robot_commands::kCustomData);
  EXPECT_EQ(commands.back().bytes, "new data");
  run.host->reply({});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("inf -2.5 new data"));
}

TEST(ControllerHost, CarriesRadioPacketsOfAnySizeBothWays) {
  Running run({"radio"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  std::string large(1000000, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7 % 251);
  const auto commands = run.host->request().commands;
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[1].bytes, std::string("a\0b", 3));
  EXPECT_EQ(commands[2].op, run.op("emitter", "send"));
  EXPECT_TRUE(commands[2].bytes == large);
  EXPECT_EQ(commands[3].op, run.op("emitter", "channel"));
  EXPECT_THAT(commands[3].numbers, ElementsAre(5));
  const auto receiver = run.tag("receiver");
  run.host->reply(
      {0,
       0.032,
       {{receiver, large, {0.25, 0, -1, 0}}, {receiver, large.substr(0, 10), {4, 0, 0.5, 0}}}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("1", "1000000 1 0.25 -1", "10 1 4 0.5"));
  EXPECT_THAT(run.lines.err(), ElementsAre());
}

TEST(ControllerHost, ADisabledReceiverKeepsThePacketsThatHaveArrived) {
  Running run({"radio-off"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({0, 0.032, {{run.tag("receiver"), "abc", {1, 1, 0, 0}}}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("1 3"));
  EXPECT_THAT(
      run.lines.err(),
      ElementsAre(HasSubstr("wb_receiver_get_queue_length() called for the disabled device")));
}

/// Webots, src/controller/c/receiver.c: what the program has not taken yet fills the buffer.
TEST(ControllerHost, AFullReceiverLosesWhatComesNext) {
  RobotRecord robot = test_robot();
  robot.devices.at(tag_of(robot, "receiver") - 1u).properties["bufferSize"] = 7.0;
  Running run({"radio-full"}, "puppet", robot);
  const auto packet = [&](const char* bytes) {
    return DeviceMessage{run.tag("receiver"), bytes, {1, 1, 0, 0}};
  };
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({0, 0.016, {packet("abc"), packet("defgh"), packet("ijk")}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({0, 0.032, {packet("lmn")}});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  run.host->reply({0, 0.048, {packet("opq")}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("2 abc", "2 abc", "2 ijk"));
}

TEST(ControllerHost, AnEmitterSendsAsManyBytesAsItsBaudRateAllows) {
  RobotRecord robot = test_robot();
  DeviceRecord& emitter = robot.devices.at(tag_of(robot, "emitter") - 1u);
  emitter.properties["byteRate"] = 2500.0;  // 40 bytes in a step of 16 ms
  emitter.properties["bufferSize"] = 100.0;
  Running run({"radio-slowly"}, "puppet", robot);
  std::vector<std::vector<std::string>> steps;
  while (run.wait() == ControllerState::kStepping) {
    steps.emplace_back();
    for (const DeviceCommand& command : run.host->request().commands) {
      steps.back().push_back(command.op == run.op("emitter", "send")
                                 ? std::to_string(command.bytes.size()) + " bytes"
                                 : "channel " + std::to_string(std::lround(command.numbers[0])));
    }
    run.host->reply({0, 0, {}});
  }
  const std::vector<std::string> none;
  EXPECT_THAT(steps, ElementsAre(std::vector<std::string>{"channel 7", "channel 8"},
                                 std::vector<std::string>{"channel 1", "60 bytes", "channel 8"},
                                 std::vector<std::string>{"channel 7", "40 bytes", "channel 8"},
                                 std::vector<std::string>{"60 bytes"}, none, none));
  EXPECT_THAT(run.lines.out(), ElementsAre("1 1 0 1"));
}

TEST(ControllerHost, GivesTheKeysOneAfterAnotherInEachStep) {
  Running run({"keyboard"});
  const std::vector<std::vector<double>> periods = {{64}, {0}, {32}, {}, {0}};
  for (const auto& period : periods) {
    ASSERT_EQ(run.wait(), ControllerState::kStepping);
    const auto& commands = run.host->request().commands;
    ASSERT_EQ(commands.size(), period.empty() ? 0u : 1u);
    if (!commands.empty()) {
      EXPECT_EQ(commands[0].tag, 0);
      EXPECT_EQ(commands[0].op, robot_commands::kKeyboard);
      EXPECT_EQ(commands[0].numbers, period);
    }
    run.host->reply({0, 0, {}, {315, 0x10041}});  // up, shift-A
  }
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  // The key before each step is one that the step before has left unread: none.
  EXPECT_THAT(run.lines.out(),
              ElementsAre("64: -1 315 65601 -1 -1", "0: -1 -1 -1", "32: -1 315 65601 -1 -1",
                          "32: -1 315 65601 -1 -1", "0"));
  EXPECT_THAT(run.lines.err(),
              ElementsAre(HasSubstr("wb_keyboard_get_key() called for the disabled keyboard"),
                          HasSubstr("wb_keyboard_get_key()"), HasSubstr("wb_keyboard_get_key()"),
                          HasSubstr("wb_keyboard_enable() called with an invalid "
                                    "'sampling_period' (-1)")));
}

TEST(ControllerHost, LetsTheControllerComputeBetweenTheHalvesOfAStep) {
  Running run({"halves"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  EXPECT_EQ(run.first_line(), "between 0");  // not answered yet
  run.host->reply({0, 0.5, {}});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("between 0", "0 0.5"));
}

TEST(ControllerHost, PollsWithoutWaiting) {
  Running run({"hang"});
  const pid_t pid = std::stoi(run.first_line());
  EXPECT_EQ(run.host->poll(), ControllerState::kComputing);
  EXPECT_EQ(run.host->state(), ControllerState::kComputing);
  kill(pid, SIGKILL);
  EXPECT_EQ(run.wait(), ControllerState::kFailed);
}

TEST(ControllerHost, PassesOnWholeLinesOfBothStreams) {
  Running run({"streams"});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("to stdout", "partial", "without end"));
  EXPECT_THAT(run.lines.err(), ElementsAre("to stderr"));
}

TEST(ControllerHost, ReportsMisuseOnStderrAndGoesOn) {
  Running run({"misuse"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  EXPECT_EQ(run.host->request().period_ms, 48);
  ASSERT_EQ(run.host->request().commands.size(), 1u);  // the one valid enable
  run.host->reply({});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("0", "1", "1", "0", "1", "1", "1"));
  EXPECT_THAT(
      run.lines.err(),
      ElementsAre(HasSubstr("Warning: \"nothing\" device not found on robot "),
                  HasSubstr("wb_lidar_get_range_image() called for the disabled device 'lidar'"),
                  HasSubstr("wb_position_sensor_get_value() called for the disabled device"),
                  HasSubstr("wb_lidar_get_number_of_layers() called with device 'motor'"),
                  HasSubstr("wb_gps_get_values() called with an invalid device tag (999)"),
                  HasSubstr("wb_motor_set_velocity() called with an invalid 'velocity' (nan)"),
                  HasSubstr("wb_motor_set_torque() called with an invalid 'torque'"),
                  HasSubstr("wb_lidar_enable() called with an invalid 'sampling_period'"),
                  HasSubstr("wb_lidar_set_frequency() called with 99.000000 Hz"),
                  HasSubstr("wb_lidar_get_layer_range_image() called with layer 7"),
                  HasSubstr("without wb_lidar_enable_point_cloud()"),
                  HasSubstr("wb_robot_step(50) is not a multiple of the basicTimeStep of 16 ms")));
}

struct Death {
  std::vector<std::string> arguments;
  int status;
  const char* what;
};

class ControllerDeath : public testing::TestWithParam<Death> {};

TEST_P(ControllerDeath, IsNamedWithItsStatus) {
  Running run(GetParam().arguments);
  EXPECT_EQ(run.wait(), ControllerState::kFailed);
  EXPECT_EQ(run.host->exit_status(), GetParam().status);
  EXPECT_EQ(run.host->what_happened(), GetParam().what);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ControllerDeath,
    testing::Values(Death{{"exit", "3"}, 3, "exited with status 3"},
                    Death{{"exit", "127"},
                          127,
                          "exited with status 127: something that it needs was not found; what was "
                          "built with another libController, as Webots', must be built with this one"},
                    Death{{"abort"}, 134, "was killed by signal 6 (SIGABRT)"},
                    Death{{"segv"}, 139, "was killed by signal 11 (SIGSEGV)"},
                    Death{{"write-sample"}, 139, "was killed by signal 11 (SIGSEGV)"}));

/// A process that has ended counts as dead before its parent (init, of an orphan) has buried it.
bool alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  return std::getline(stat, line) && line[line.rfind(')') + 2] != 'Z';
}

bool dies_soon(pid_t pid) {
  for (int i = 0; i < 200 && alive(pid); ++i) std::this_thread::sleep_for(10ms);
  return !alive(pid);
}

TEST(ControllerHost, NoticesAControllerThatSomebodyKilled) {
  Running run({"hang"});
  kill(std::stoi(run.first_line()), SIGKILL);
  EXPECT_EQ(run.wait(), ControllerState::kFailed);
  EXPECT_EQ(run.host->what_happened(), "was killed by signal 9 (SIGKILL)");
  EXPECT_EQ(run.host->exit_status(), 137);
}

TEST(ControllerHost, KillsAControllerThatDoesNotStepWithinTheLimit) {
  Running run({"hang"});
  const pid_t pid = std::stoi(run.first_line());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run.host->wait(300ms), ControllerState::kFailed);
  const auto taken = std::chrono::steady_clock::now() - start;
  EXPECT_GE(taken, 300ms);
  EXPECT_LT(taken, 3s);
  EXPECT_EQ(run.host->what_happened(), "did not step for 0.3 s");
  EXPECT_EQ(run.host->exit_status(), 137);
  EXPECT_FALSE(alive(pid));
}

TEST(ControllerHost, IsNotStoppedByAFloodOfOutput) {
  Running run({"flood", "100"});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  const auto lines = run.lines.out();
  // 102400 lines; dropped ones are counted in the notes.
  std::size_t passed = 0, dropped = 0;
  for (const auto& line : lines) {
    if (line == std::string(1023, 'x')) {
      ++passed;
    } else {
      ASSERT_EQ(line.front(), '[');
      ASSERT_THAT(line, HasSubstr(" lines dropped: more than 10000 a second]"));
      dropped += std::stoul(line.substr(1));
    }
  }
  EXPECT_EQ(passed + dropped, std::size_t{100} * 1024);
  EXPECT_GT(dropped, 0u);
}

TEST(ControllerHost, CutsLinesThatAreTooLong) {
  Running run({"long-line", "1000000"});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(),
              ElementsAre(std::string(4096, 'y') + " [995904 bytes more]", "next"));
}

TEST(ControllerHost, LeavesNoProcessBehindWhenItIsDestroyed) {
  for (const char* mode : {"hang", "ignore-terminate"}) {
    Running run({mode});
    const pid_t pid = std::stoi(run.first_line());
    EXPECT_TRUE(alive(pid));
    const auto start = std::chrono::steady_clock::now();
    run.host.reset();
    EXPECT_FALSE(alive(pid)) << mode;
    EXPECT_LT(std::chrono::steady_clock::now() - start, 4s);
  }
}

TEST(ControllerHost, TakesItsControllerAlongWhenTheSimulatorIsKilled) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t simulator = fork();
  if (simulator == 0) {
    Running run({"hang"});
    const int pid = std::stoi(run.first_line());
    if (write(ends[1], &pid, sizeof pid) != sizeof pid) _exit(1);
    for (;;) pause();
  }
  int pid = 0;
  ASSERT_EQ(read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  EXPECT_TRUE(alive(pid));
  kill(simulator, SIGKILL);
  waitpid(simulator, nullptr, 0);
  EXPECT_TRUE(dies_soon(pid));
  close(ends[0]);
  close(ends[1]);
}

TEST(ControllerHost, LeavesNoDescriptorOpen) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  const auto before = descriptors();
  for (int i = 0; i < 3; ++i) {
    Running run({"robot"});
    run.wait();
  }
  EXPECT_THROW(Running({}, "no-such-program"), std::runtime_error);
  EXPECT_EQ(descriptors(), before);
}

TEST(ControllerHost, AnswersAStepWithinLittleWallTime) {
  constexpr int kSteps = 20000;
  Running run({"many-steps", std::to_string(kSteps)});
  int steps = 0;
  const auto start = std::chrono::steady_clock::now();
  while (run.wait() == ControllerState::kStepping) {
    ++steps;
    run.host->reply({0, 0.032 * steps, {}});
  }
  const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(steps, kSteps);
  RecordProperty("microseconds_per_step", std::to_string(taken.count() / kSteps));
  EXPECT_LT(taken.count() / kSteps, 500);  // about 10 on a machine with nothing else to do
}

TEST(ControllerHost, EndsAControllerInItsStepAtOnceWhenItIsDestroyed) {
  Running run({"steps"});
  ASSERT_EQ(run.wait(), ControllerState::kStepping);
  const auto start = std::chrono::steady_clock::now();
  run.host.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 900ms);
  EXPECT_THAT(run.lines.out(), ElementsAre("end"));
}

TEST(ControllerHost, KillsWhatTheControllerHasStarted) {
  Running run({"leave-child"});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_TRUE(dies_soon(std::stoi(run.lines.out().at(0))));
}

TEST(ControllerHost, SaysWhatCannotBeStarted) {
  const auto message = [](const LaunchSpec& launch) -> std::string {
    try {
      ControllerHost host(test_robot(), launch, [](bool, std::string_view) {});
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "started";
  };
  auto launch = launch_of("no-such-program", {});
  EXPECT_EQ(message(launch), "cannot start '" + launch.argv[0] + "': No such file or directory");
  launch = launch_of("puppet", {"robot"});
  launch.working_directory = "/no/such/folder";
  EXPECT_EQ(message(launch), "cannot work in '/no/such/folder': No such file or directory");
}

TEST(ControllerHost, SetsTheEnvironmentAndTheWorkingDirectory) {
  auto launch = launch_of("puppet", {"environment", "OF_THE_SPEC"});
  launch.environment["OF_THE_SPEC"] = "its value";
  launch.working_directory = "/usr";
  Lines lines;
  ControllerHost host(test_robot(), launch, lines.sink());
  EXPECT_EQ(host.wait(20s), ControllerState::kFinished);
  EXPECT_THAT(lines.out(), ElementsAre("its value", "/usr"));
  Running run({"environment", "WEBOTS_ROBOT_NAME"});
  EXPECT_EQ(run.wait(), ControllerState::kFinished);
  EXPECT_THAT(run.lines.out(), ElementsAre("rover", "/"));
}

TEST(ControllerHost, HasNoDataForDevicesThatItDoesNotHave) {
  Running run({"robot"});
  EXPECT_THROW(run.host->data(0), std::out_of_range);
  EXPECT_THROW(run.host->data(99), std::out_of_range);
  EXPECT_TRUE(run.host->data(run.tag("brake")).empty());
  EXPECT_EQ(run.host->data(run.tag("gps")).size(), 7 * sizeof(double));
}

TEST(ControllerProgram, SaysHowToStartItWithoutASimulator) {
  // Where no other simulation of this machine waits for programs.
  const TemporaryFolder empty;
  const std::string command = "PROTOBEAM_RUNTIME_DIR=" + empty.path().string() + " " + build_dir() +
                              "/tests/link_programs/puppet steps 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  char text[1000] = {};
  const auto size = fread(text, 1, sizeof text - 1, pipe);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 1);
  EXPECT_THAT(std::string(text, size), HasSubstr("protobeam run WORLD"));
}

}  // namespace
}  // namespace protobeam::link
