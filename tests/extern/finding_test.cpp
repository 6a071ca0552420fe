// Which robot a program gets, and what it says when there is none for it.
#include "tests/extern/stage.h"

namespace protobeam::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class ExternFinding : public ExternTest {};

TEST_F(ExternFinding, SaysAtOnceWhenNothingRunsAndNothingWasAskedFor) {
  const auto program = start({wanderer()});
  EXPECT_EQ(program->wait(), 1);
  EXPECT_THAT(program->err(), AllOf(HasSubstr("no simulation with extern controllers runs"),
                                    HasSubstr("protobeam run WORLD"), HasSubstr("<extern>")));
}

TEST_F(ExternFinding, WaitsAsLongAsItIsTold) {
  const auto begin = std::chrono::steady_clock::now();
  const auto program = launch({"--timeout", "1", "--port", "2345", wanderer()});
  EXPECT_EQ(program->wait(), 1);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(900));
  EXPECT_THAT(program->err(), HasSubstr("no simulation with extern controllers is at ipc://2345"));
}

TEST_F(ExternFinding, EndsWaitingByCtrlC) {
  for (const std::string& path : {wanderer(), py_wanderer()}) {
    const auto program = launch({path});
    ASSERT_TRUE(program->says("waiting for it"));
    program->send(SIGINT);
    EXPECT_EQ(program->wait(), 128 + SIGINT) << path;
  }
}

TEST_F(ExternFinding, ListsTheRobotsForAWrongName) {
  const auto simulator = run(world(robot("a", 0, kExtern) + robot("b", 5, kExtern)));
  ASSERT_TRUE(simulator->says("'b'"));
  for (const char* url : {"ipc://1234/c", "c"}) {
    const auto program = start({wanderer()}, {std::string("WEBOTS_CONTROLLER_URL=") + url});
    EXPECT_EQ(program->wait(), 1) << url;
    EXPECT_THAT(program->err(), AllOf(HasSubstr("no robot 'c'"), HasSubstr("a"), HasSubstr("b")));
  }
  for (const char* url : {"ipc://1234", ""}) {
    const auto program = start({wanderer()}, {std::string("WEBOTS_CONTROLLER_URL=") + url});
    EXPECT_EQ(program->wait(), 1) << url;
    EXPECT_THAT(program->err(), AllOf(HasSubstr("several robots"), HasSubstr("ipc://1234/a")));
  }
}

TEST_F(ExternFinding, RefusesASecondProgramForTheSameRobot) {
  const auto simulator = run(one_robot());
  const auto first = launch({wanderer(), "hang", "3"});
  ASSERT_TRUE(first->says("step 3\n"));
  for (const char* url : {"ipc://1234/a", "ipc://1234", "a", ""}) {
    const auto second = start({wanderer()}, {std::string("WEBOTS_CONTROLLER_URL=") + url});
    EXPECT_EQ(second->wait(), 1);
    EXPECT_THAT(second->err(), HasSubstr("the robot 'a' is driven by another program already"))
        << url;
  }
}

TEST_F(ExternFinding, NamesWhatIsWrongWithTheUrl) {
  for (const char* url : {"udp://1234/a", "ipc://x/a", "ipc://70000", "tcp://127.0.0.1",
                          "tcp://:1234", "ipc://1234/%zz", "ipc://1234/%2"}) {
    const auto program = start({wanderer()}, {std::string("WEBOTS_CONTROLLER_URL=") + url});
    EXPECT_EQ(program->wait(), 1);
    EXPECT_THAT(program->err(), AllOf(HasSubstr(url), HasSubstr("tcp://HOST:PORT/ROBOT"))) << url;
  }
}

TEST_F(ExternFinding, GivesTheSecondSimulatorTheNextPort) {
  const auto first = run(one_robot());
  ASSERT_TRUE(first->says("waiting for controller"));
  const auto second = run(one_robot());
  ASSERT_TRUE(second->says("port 1234 is taken: extern controllers connect to port 1235"));
  ASSERT_TRUE(second->says("protobeam controller --port 1235 --robot a PROGRAM"));
  const auto lost = start({wanderer()});
  EXPECT_EQ(lost->wait(), 1);
  EXPECT_THAT(lost->err(),
              AllOf(HasSubstr("several robots"), HasSubstr("WEBOTS_CONTROLLER_URL=ipc://1234/a\n"),
                    HasSubstr("WEBOTS_CONTROLLER_URL=ipc://1235/a\n")));
  const auto to_second = launch({"--port", "1235", wanderer()});
  EXPECT_EQ(to_second->wait(), 0) << to_second->err();
  EXPECT_EQ(second->wait(), 0) << second->err();
  const auto to_first = launch({wanderer()});
  EXPECT_EQ(to_first->wait(), 0) << to_first->err();
  EXPECT_EQ(first->wait(), 0) << first->err();
  EXPECT_EQ(files_left(), 0);
}

TEST_F(ExternFinding, StaysInTheFolderThatItIsGiven) {
  const auto simulator = run(one_robot());
  ASSERT_TRUE(simulator->says("waiting for controller"));
  const TemporaryFolder elsewhere;
  folder_variable_ = "XDG_RUNTIME_DIR";
  const auto stranger =
      start({wanderer(), "say"}, {"PROTOBEAM_RUNTIME_DIR=" + elsewhere.path().string()});
  EXPECT_NE(stranger->wait(), 0);
  EXPECT_FALSE(simulator->ended());
  simulator->send(SIGINT);
  EXPECT_EQ(simulator->wait(), 130);
}

TEST_F(ExternFinding, DoesNotUseAFolderThatOthersMayEnter) {
  unsetenv("PROTOBEAM_RUNTIME_DIR");  // it would go before the other one
  folder_variable_ = "XDG_RUNTIME_DIR";
  std::filesystem::create_directories(folder_.path() / "protobeam");
  ASSERT_EQ(chmod((folder_.path() / "protobeam").c_str(), 0755), 0);
  const auto simulator = run(one_robot(), {"--port", "0"});
  ASSERT_TRUE(simulator->says("waiting for controller"));  // in the next folder
  EXPECT_EQ(files_left(), 0);
  simulator->send(SIGINT);
  EXPECT_EQ(simulator->wait(), 130);
}

TEST_F(ExternFinding, SaysThatThereIsNoFolderToMeetIn) {
  folder_variable_ = "XDG_RUNTIME_DIR";
  setenv("PROTOBEAM_RUNTIME_DIR", "/nonexistent/folder", 1);
  const auto simulator = run(one_robot(), {"--port", "0"});
  EXPECT_EQ(simulator->wait(), 3);
  EXPECT_THAT(simulator->err(), HasSubstr("/nonexistent/folder"));
  unsetenv("PROTOBEAM_RUNTIME_DIR");
}

TEST_F(ExternFinding, LaunchesFoldersNamesAndScriptsAndRefusesTheRest) {
  const auto unknown = launch({"--robt", "a", wanderer()});
  EXPECT_NE(unknown->wait(), 0);
  EXPECT_THAT(unknown->err(), HasSubstr("'--robt' is unknown"));
  const auto missing = launch({"./none"});
  EXPECT_EQ(missing->wait(), 1);
  EXPECT_THAT(missing->err(), HasSubstr("there is no program './none'"));
  const auto nothing = launch({});
  EXPECT_EQ(nothing->wait(), 2);
  const auto text = folder_.write("text", "no program");
  const auto plain = launch({text.string()});
  EXPECT_EQ(plain->wait(), 1);
  EXPECT_THAT(plain->err(), HasSubstr("is not executable; chmod +x it"));

  const auto simulator = run(one_robot());
  const auto folder = launch({(folder_.path() / "controllers/wanderer").string()});
  EXPECT_EQ(folder->wait(), 0) << folder->err();
  EXPECT_EQ(simulator->wait(), 0) << simulator->err();
}

}  // namespace
}  // namespace protobeam::test
