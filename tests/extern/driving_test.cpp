// Programs from outside drive robots as those do that the simulator starts.
#include "tests/extern/stage.h"

namespace protobeam::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class ExternDriving : public ExternTest {};

TEST_F(ExternDriving, GivesTheHashOfTheSameProgramStartedByTheSimulator) {
  const auto simulator = run(one_robot());
  // A program that is there already is not waited for.
  ASSERT_TRUE(simulator->says("waiting for controller of robot 'a': start it by: protobeam "
                              "controller --robot a PROGRAM"));
  const auto program = launch({wanderer()});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("wanderer"));
  EXPECT_THAT(program->out(), HasSubstr("robot a\nsum "));
  EXPECT_EQ(files_left(), 0);
}

TEST_F(ExternDriving, DoesInPythonWithPythonPathAlone) {
  const auto simulator = run(one_robot());
  ASSERT_TRUE(simulator->says("waiting for controller"));
  const auto program = start({"/usr/bin/python3", py_wanderer()},
                             {"WEBOTS_CONTROLLER_URL=ipc://1234/a",
                              "PYTHONPATH=" + build_dir() + "/lib/protobeam/python"});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("py_wanderer"));
}

TEST_F(ExternDriving, DoesInPythonByTheLauncherOverTcp) {
  const auto simulator = run(one_robot(), {"--allow-remote-controllers", "--port", "0"});
  const std::string url = tcp_url(*simulator);
  const std::string port = url.substr(url.rfind(':') + 1);
  const auto program =
      launch({"--ip-address", "127.0.0.1", "--port", port, "--robot", "a", py_wanderer()});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("py_wanderer"));
}

TEST_F(ExternDriving, GivesTheSameSamplesOverTcp) {
  const auto local = run(one_robot());
  const auto at_home = launch({wanderer()});
  EXPECT_EQ(local->wait(), 0);
  EXPECT_EQ(at_home->wait(), 0);
  const auto simulator = run(one_robot(), {"--allow-remote-controllers", "--port", "0"});
  const std::string url = tcp_url(*simulator);
  ASSERT_THAT(url, HasSubstr("tcp://127.0.0.1:"));
  const auto program = start({wanderer()}, {"WEBOTS_CONTROLLER_URL=" + url + "/a"});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash(*local));
  EXPECT_EQ(program->out(), at_home->out());
}

TEST_F(ExternDriving, TakesTwoRobotsAtOnceInAnyOrder) {
  const auto inside = run(
      world(robot("a", 0, "controller \"wanderer\"") + robot("b 50%", 5, "controller \"wanderer\""),
            "inside"));
  ASSERT_EQ(inside->wait(), 0);
  const auto simulator = run(world(robot("a", 0, kExtern) + robot("b 50%", 5, kExtern)));
  ASSERT_TRUE(simulator->says("robot 'a'"));
  EXPECT_TRUE(simulator->says("protobeam controller --robot 'b 50%' PROGRAM"));
  const auto second = start({wanderer()}, {"WEBOTS_CONTROLLER_URL=ipc://1234/b%2050%25"});
  const auto first = start({wanderer()}, {"WEBOTS_CONTROLLER_URL=a"});
  EXPECT_EQ(second->wait(), 0) << second->err();
  EXPECT_EQ(first->wait(), 0) << first->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_THAT(second->out(), HasSubstr("robot b 50%"));
  EXPECT_EQ(hash(*simulator), hash(*inside));
}

TEST_F(ExternDriving, MayBeginBeforeTheSimulator) {
  const auto launched = launch({"--robot", "a", wanderer()});
  ASSERT_TRUE(launched->says("waiting for it"));
  const auto simulator = run(one_robot());
  EXPECT_EQ(launched->wait(), 0) << launched->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_EQ(hash(*simulator), hash_inside("wanderer"));
}

TEST_F(ExternDriving, EndsWithoutCleanup) {
  const auto simulator = run(one_robot());
  const auto program = launch({wanderer(), "no cleanup"});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_THAT(simulator->out(), HasSubstr("exited with status 0"));
}

TEST_F(ExternDriving, WaitsForAnotherProgramWhenOneIsKilled) {
  const auto simulator = run(one_robot());
  const auto first = start({wanderer(), "hang", "20"}, {"WEBOTS_CONTROLLER_URL=ipc://1234"});
  ASSERT_TRUE(first->says("step 20\n")) << first->err() << simulator->err();
  first->send(SIGKILL);
  EXPECT_EQ(first->wait(), 137);
  EXPECT_TRUE(
      simulator->says("was killed or crashed: its connection broke: waiting for another one"));
  EXPECT_FALSE(simulator->ended());
  const auto second = launch({wanderer(), "say"});
  EXPECT_EQ(second->wait(), 0) << second->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_THAT(second->out(), HasSubstr("step 40\n"));  // the rest of the two seconds
  EXPECT_THAT(second->out(), Not(HasSubstr("step 50\n")));
}

TEST_F(ExternDriving, GoesOnWithoutAProgramAfterTheTimeoutAndGivesItsFailureAsExitCode) {
  const auto simulator = run(one_robot(), {"--controller-timeout", "5"});
  const auto program = launch({wanderer(), "exit", "10", "7"});
  EXPECT_EQ(program->wait(), 7);
  EXPECT_EQ(simulator->wait(), 3);
  EXPECT_THAT(simulator->err(),
              HasSubstr("controller '<extern>' of robot 'a' exited with status 7"));
  const auto summary = nlohmann::json::parse(simulator->out());
  EXPECT_GE(summary["sim_time_s"], 2.0);
  EXPECT_EQ(summary["controllers"][0]["exit"], 7);
}

TEST_F(ExternDriving, FailsAfterTheTimeoutWhenNobodyComes) {
  const auto simulator = run(one_robot(), {"--controller-timeout", "0.3"});
  EXPECT_EQ(simulator->wait(), 3);
  EXPECT_THAT(simulator->err(), HasSubstr("got no program in time (--controller-timeout)"));
}

TEST_F(ExternDriving, WaitsForAllProgramsAtTheSameTime) {
  std::string robots;
  for (const char* name : {"a", "b", "c", "d"}) robots += robot(name, 0, kExtern);
  const auto simulator = run(world(robots), {"--controller-timeout", "5"});
  ASSERT_TRUE(simulator->says("waiting for controller of robot 'a'"));
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(simulator->says("got no program in time"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15)) << simulator->err();
  EXPECT_EQ(simulator->wait(), 3);
  EXPECT_THAT(simulator->err(), HasSubstr("robots 'a', 'b', 'c', 'd': got no program in time"));
}

TEST_F(ExternDriving, EndsAProgramThatDoesNotStepInTime) {
  const auto simulator = run(one_robot(), {"--controller-timeout", "4"});
  const auto program = launch({wanderer(), "hang", "5"});
  EXPECT_EQ(simulator->wait(), 3);
  EXPECT_THAT(simulator->err(), HasSubstr("did not step for 4 s"));
}

TEST_F(ExternDriving, EndsTheProgramWhenTheSimulatorIsKilledAndItsFilesAreRemovedByTheNextOne) {
  const auto simulator = run(one_robot(), {"--realtime"});
  const auto program = launch({wanderer(), "say"});
  ASSERT_TRUE(program->says("step 5\n"));
  simulator->send(SIGKILL);
  EXPECT_EQ(simulator->wait(), 137);
  EXPECT_EQ(program->wait(), 0);
  EXPECT_THAT(program->err(), HasSubstr("the connection to the simulator is lost"));
  EXPECT_EQ(files_left(), 2);
  const auto next = run(one_robot(), {"--port", "4321"});
  ASSERT_TRUE(next->says("waiting for controller"));
  EXPECT_EQ(files_left(), 2);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "protobeam/4321.socket"));
  next->send(SIGTERM);
  EXPECT_EQ(next->wait(), 130);
  EXPECT_EQ(files_left(), 0);
}

TEST_F(ExternDriving, IsNotWaitedForWithoutSynchronization) {
  const auto world_file = world(robot("a", 0, "controller \"<extern>\" synchronization FALSE"));
  const auto alone = run(world_file);
  EXPECT_EQ(alone->wait(), 0) << alone->err();
  EXPECT_THAT(alone->err(), Not(HasSubstr("waiting")));
  const auto simulator = run(world_file, {"--realtime"});
  const auto program = launch({wanderer(), "say"});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  EXPECT_THAT(program->out(), HasSubstr("step 5\n"));
}

TEST_F(ExternDriving, IsToldHowLateItCameWithoutSynchronization) {
  const auto simulator =
      run(world(robot("a", 0, "controller \"<extern>\" synchronization FALSE")), {"--realtime"});
  const auto program = launch({wanderer(), "late"});
  EXPECT_EQ(program->wait(), 0) << program->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
  const std::string out = program->out();
  const auto at = out.find("late ");
  ASSERT_NE(at, std::string::npos) << out;
  const int late = std::stoi(out.substr(at + 5));
  EXPECT_GE(late, 96) << out;  // the pause is that of 9 steps
  EXPECT_EQ(late % 32, 0) << out;
}

TEST_F(ExternDriving, EndsBySignalsWhileItWaitsAndRemovesTheSocket) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const auto simulator = run(one_robot());
    ASSERT_TRUE(simulator->says("waiting for controller"));
    EXPECT_EQ(files_left(), 2);
    simulator->send(number);
    EXPECT_EQ(simulator->wait(), 130) << number;
    EXPECT_EQ(files_left(), 0);
  }
}

TEST_F(ExternDriving, PassesSignalsAndExitCodesThroughTheLauncher) {
  const auto simulator = run(one_robot());
  const auto program = launch({wanderer(), "hang", "3"});
  ASSERT_TRUE(program->says("step 3\n"));
  program->send(SIGTERM);
  EXPECT_EQ(program->wait(), 128 + SIGTERM);
}

}  // namespace
}  // namespace protobeam::test
