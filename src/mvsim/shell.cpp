#include "mvsim/shell.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <stdexcept>
#include <system_error>

#include "mvsim/expression.h"

extern char** environ;

namespace protobeam::mvsim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMaxOutput = 64u << 10;

[[noreturn]] void fail(const std::string& why) { throw std::runtime_error(why); }

/// A started `sh -c` whose output can be read; killed with its group at the end.
class Command {
 public:
  Command(const std::string& command, double seconds)
      : seconds_(seconds),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(seconds))) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail(std::generic_category().message(errno));
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    std::string sh = "sh", c = "-c", text = command;
    char* argv[] = {sh.data(), c.data(), text.data(), nullptr};
    const int error = ::posix_spawn(&pid_, "/bin/sh", &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    if (error == 0) return;
    ::close(output_);
    fail("cannot start /bin/sh: " + std::generic_category().message(error));
  }
  ~Command() {
    if (!reaped_) {
      ::kill(-pid_, SIGKILL);
      int status = 0;
      while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
    }
    ::close(output_);
  }
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;

  std::string read_all() {
    std::string out;
    for (;;) {
      pollfd waiting{output_, POLLIN, 0};
      const int ready = ::poll(&waiting, 1, static_cast<int>(time_left() * 1000) + 1);
      if (ready < 0 && errno != EINTR) fail(std::generic_category().message(errno));
      if (ready <= 0) continue;
      char buffer[4096];
      const ssize_t got = ::read(output_, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(std::generic_category().message(errno));
      if (got == 0) return out;
      out.append(buffer, static_cast<std::size_t>(got));
      if (out.size() > kMaxOutput) fail("it writes more than 64 KiB");
    }
  }

  /// Its status: a command may close its output and go on.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, WNOHANG) != pid_) {
      time_left();
      ::poll(nullptr, 0, 2);
    }
    reaped_ = true;
    return status;
  }

 private:
  double time_left() const {
    const double left = std::chrono::duration<double>(deadline_ - Clock::now()).count();
    if (left <= 0) fail("it takes longer than " + to_text(seconds_) + " s");
    return left;
  }

  double seconds_;
  Clock::time_point deadline_;
  pid_t pid_ = -1;
  int output_ = -1;
  bool reaped_ = false;
};

}  // namespace

std::string run_shell_command(const std::string& command, double seconds) {
  Command running(command, seconds);
  std::string out = running.read_all();
  const int status = running.wait();
  if (WIFSIGNALED(status)) fail("it was killed by signal " + std::to_string(WTERMSIG(status)));
  if (WEXITSTATUS(status) != 0) {
    fail("it exited with status " + std::to_string(WEXITSTATUS(status)));
  }
  return out;
}

}  // namespace protobeam::mvsim
