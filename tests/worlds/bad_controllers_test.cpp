// A controller that does anything whatever takes down nothing but itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/support/await_child.h"
#include "tests/support/program.h"
#include "tests/unit/support/paths.h"

namespace protobeam::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Two robots: "victim" with the controller under test, "witness" whose GPS must not miss a sample.
std::filesystem::path two_robots(const TemporaryFolder& folder, const std::string& victim) {
  return folder.write("worlds/two.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Robot { name "victim" )" + victim + R"( }
Robot {
  name "witness"
  translation 3 0 0
  controller "counter"
  children [ GPS { } ]
}
)");
}

Outcome run_two(const std::string& victim, std::vector<std::string> more = {}) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "controllers");
  std::filesystem::copy(source_dir() + "/tests/worlds/project/controllers",
                        folder.path() / "controllers", std::filesystem::copy_options::recursive);
  std::vector<std::string> words = {"run", two_robots(folder, victim).string(), "--duration", "2",
                                    "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return protobeam(words);
}

void expect_witness_is_complete(const Outcome& outcome) {
  const json out = json::parse(outcome.out);
  EXPECT_NEAR(out["sim_time_s"].get<double>(), 2.016, 1e-9);
  bool found = false;
  for (const auto& device : out["devices"]) {
    if (device["robot"] != "witness") continue;
    found = true;
    EXPECT_EQ(device["frames"], 63);
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(outcome.err, HasSubstr("[witness] samples 63"));
}

TEST(Controllers, KilledInTheMiddleIsNamedAndTheOtherRobotsDataIsComplete) {
  const Outcome outcome = run_two(R"(controller "crasher" controllerArgs ["kill"])");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err,
              HasSubstr("controller 'crasher' of robot 'victim' was killed by signal 9"));
  expect_witness_is_complete(outcome);
}

TEST(Controllers, AbortSegfaultAndExitStatusAreTold) {
  Outcome outcome = run_two(R"(controller "crasher" controllerArgs ["abort"])");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("signal 6"));
  outcome = run_two(R"(controller "crasher" controllerArgs ["segv"])");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("signal 11"));
  outcome = run_two(R"(controller "crasher")");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("exited with status 7"));
  EXPECT_THAT(outcome.err, HasSubstr("[victim] leaving"));
  expect_witness_is_complete(outcome);
}

TEST(Controllers, LeavingEarlyWithStatusZeroIsNoFailure) {
  const Outcome outcome = run_two(R"(controller "crasher" controllerArgs ["good"])");
  EXPECT_EQ(outcome.exit, 0) << outcome.err;
  expect_witness_is_complete(outcome);
}

TEST(Controllers, HangingIsEndedAfterTheTimeout) {
  const std::string word = "hanger-" + std::to_string(getpid());
  const Outcome outcome = run_two(R"(controller "hanger" controllerArgs [")" + word + R"("])",
                                  {"--controller-timeout", "5"});
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("controller 'hanger' of robot 'victim'"));
  expect_witness_is_complete(outcome);
  EXPECT_EQ(processes_with(word), 0);
}

TEST(Controllers, FloodingIsCutAndTold) {
  const Outcome outcome = run_two(R"(controller "flooder")");
  EXPECT_EQ(outcome.exit, 0) << outcome.err.substr(0, 2000);
  EXPECT_LT(outcome.err.size(), 4u << 20);
  expect_witness_is_complete(outcome);
}

TEST(Controllers, NonsenseOnTheLinkFailsOnlyItsSender) {
  const Outcome outcome = run_two(R"(controller "liar")");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("controller 'liar' of robot 'victim'"));
  expect_witness_is_complete(outcome);
}

TEST(Controllers, MissingIsAFailureThatSaysWhereWasLooked) {
  const Outcome outcome = run_two(R"(controller "nobody")");
  EXPECT_EQ(outcome.exit, 3);
  EXPECT_THAT(outcome.err, HasSubstr("nobody"));
  EXPECT_THAT(outcome.err, HasSubstr("controllers"));
  expect_witness_is_complete(outcome);
}

TEST(Controllers, TalkToOthersByRadioWithoutLoss) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "controllers");
  std::filesystem::copy(source_dir() + "/tests/worlds/project/controllers",
                        folder.path() / "controllers", std::filesystem::copy_options::recursive);
  const auto world = folder.write("worlds/radio.wbt", R"(#VRML_SIM R2025a utf8
WorldInfo { }
Robot { name "a" translation 2 0 0 controller "talker" children [ Emitter { } Receiver { } ] }
Robot { name "b" controller "listener" children [ Receiver { } ] }
)");
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "2"});
  EXPECT_EQ(outcome.exit, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("bad 0"));
}

TEST(Run, CtrlCEndsWithASummaryAndLeavesNoProcess) {
  Surroundings run;
  run.meanwhile = [](pid_t child) {
    await_child(child);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    kill(child, SIGINT);
    kill(child, SIGINT);  // as timeout(1) does: the process and its group
  };
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "controllers");
  std::filesystem::copy(source_dir() + "/tests/worlds/project/controllers",
                        folder.path() / "controllers", std::filesystem::copy_options::recursive);
  const std::string word = "to-be-interrupted-" + std::to_string(getpid());
  const auto world = two_robots(folder, R"(controller "talker" controllerArgs [")" + word +
                                            R"("] children [ Emitter { } Receiver { } ])");
  const Outcome outcome = protobeam({"run", world.string(), "--duration", "100000"}, run);
  EXPECT_EQ(outcome.exit, 130);
  EXPECT_THAT(outcome.err, HasSubstr("interrupted"));
  EXPECT_THAT(outcome.out, HasSubstr("state hash"));
  EXPECT_EQ(processes_with(word), 0);
}

}  // namespace
}  // namespace protobeam::test
