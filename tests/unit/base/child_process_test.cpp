#include "base/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace protobeam {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

std::string read_all(const Descriptor& from) {
  std::string all;
  char buffer[4096];
  for (ssize_t n; (n = read(from.get(), buffer, sizeof buffer)) > 0;) {
    all.append(buffer, static_cast<std::size_t>(n));
  }
  return all;
}

std::string output_of(ChildProcess::Start start) {
  ChildProcess child(start);
  std::string all = read_all(child.out());
  child.wait();
  return all;
}

ChildProcess::Start shell(const std::string& command) {
  return {.argv = {"/bin/sh", "-c", command}};
}

TEST(ChildProcess, HasNoDescriptorsButThoseItIsGiven) {
  // Open in this process, inheritable, and not meant for the child.
  const Descriptor secret(open("/dev/null", O_RDONLY));
  const std::string list = "ls /proc/$$/fd; :";
  EXPECT_EQ(output_of(shell(list)), "0\n1\n2\n");
  ChildProcess::Start start = shell(list);
  start.descriptors = {{5, secret.get()}, {3, STDERR_FILENO}};
  EXPECT_EQ(output_of(start), "0\n1\n2\n3\n5\n");
}

TEST(ChildProcess, DescriptorsMayTradePlaces) {
  const TemporaryFolder folder;
  const Descriptor a(open(folder.write("a", "A").c_str(), O_RDONLY));
  const Descriptor b(open(folder.write("b", "B").c_str(), O_RDONLY));
  ChildProcess::Start start =
      shell("cat /dev/fd/" + std::to_string(a.get()) + " /dev/fd/" + std::to_string(b.get()));
  start.descriptors = {{a.get(), b.get()}, {b.get(), a.get()}};
  EXPECT_EQ(output_of(start), "BA");
}

TEST(ChildProcess, StreamsGoWhereTheyAreTold) {
  ChildProcess::Start start = shell("echo out; echo err >&2; cat");
  start.err = ChildProcess::Stream::kOut;
  EXPECT_EQ(output_of(start), "out\nerr\n");  // the input is empty
  start.in = ChildProcess::Stream::kPipe;
  ChildProcess child(start);
  ASSERT_EQ(write(child.in().get(), "in", 2), 2);
  child.in().close();
  EXPECT_EQ(read_all(child.out()), "out\nerr\nin");
}

TEST(ChildProcess, TheEnvironmentIsOursOrCleared) {
  setenv("PROTOBEAM_TEST_OURS", "ours", 1);
  ChildProcess::Start start = shell("echo $PROTOBEAM_TEST_OURS $ADDED");
  start.environment = {{"ADDED", "added"}};
  EXPECT_EQ(output_of(start), "ours added\n");
  start.clean_environment = true;
  EXPECT_EQ(output_of(start), "added\n");
  unsetenv("PROTOBEAM_TEST_OURS");
}

TEST(ChildProcess, SignalsAreAnsweredAsUsual) {
  const auto before = signal(SIGUSR1, SIG_IGN);
  sigset_t blocked, old;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &old);
  ChildProcess child(shell("kill -USR1 $$; echo still here"));
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  signal(SIGUSR1, before);
  child.wait();
  EXPECT_EQ(describe_wait_status(child.wait_status()), "was killed by signal 10 (SIGUSR1)");
  EXPECT_EQ(exit_code(child.wait_status()), 138);
}

TEST(ChildProcess, EndsAreTold) {
  ChildProcess child(shell("sleep 0.05; exit 3"));
  EXPECT_FALSE(child.ended());
  EXPECT_TRUE(child.ended_within(10s));
  EXPECT_EQ(describe_wait_status(child.wait_status()), "exited with status 3");
  ChildProcess sleeper(shell("sleep 1000"));
  EXPECT_FALSE(sleeper.ended_within(20ms));
  sleeper.kill();
  EXPECT_TRUE(WIFSIGNALED(sleeper.wait_status()));
}

TEST(ChildProcess, WhatCannotBeStartedIsNamed) {
  const auto message = [](ChildProcess::Start start) {
    return message_of<std::system_error>([&] { ChildProcess child(start); });
  };
  EXPECT_EQ(message({.argv = {"/no/such/program"}}),
            "cannot start '/no/such/program': No such file or directory");
  EXPECT_EQ(message({.argv = {"no-such-program-in-path"}}),
            "cannot start 'no-such-program-in-path': No such file or directory");
  ChildProcess::Start start = shell("true");
  start.working_directory = "/no/such/folder";
  EXPECT_EQ(message(start), "cannot work in '/no/such/folder': No such file or directory");
  EXPECT_THAT(message({}), HasSubstr("without a name"));
}

bool runs(pid_t pid) {
  const std::string stat = read_bytes("/proc/" + std::to_string(pid) + "/stat");
  return !stat.empty() && stat.find(") Z ") == std::string::npos;
}

TEST(ChildProcess, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    ChildProcess child({.argv = {"sleep", "1000"}});
    const pid_t pid = child.pid();
    [[maybe_unused]] const auto written = write(ends[1], &pid, sizeof pid);
    pause();
  }
  pid_t child = 0;
  ASSERT_EQ(read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  EXPECT_TRUE(runs(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (int i = 0; i < 500 && runs(child); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(runs(child));
  close(ends[0]);
  close(ends[1]);
}

TEST(ChildProcess, TakesItsOwnChildrenAlong) {
  pid_t grandchild = 0;
  {
    ChildProcess child(shell("sleep 1000 & echo $!; wait"));
    char digits[32] = {};
    ASSERT_GT(read(child.out().get(), digits, sizeof digits - 1), 0);
    grandchild = std::atoi(digits);
    EXPECT_TRUE(runs(grandchild));
  }
  for (int i = 0; i < 500 && runs(grandchild); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(runs(grandchild));
}

}  // namespace
}  // namespace protobeam
